// The library's vectors as NumPy arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace shiftcut_python {

template <class T, int Dimensions>
using Array = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<Dimensions>, nanobind::c_contig>;

/// The array owns the vector: nothing is copied.
template <class T, class... Lengths>
Array<T, sizeof...(Lengths)> as_array(std::vector<T> values, Lengths... lengths) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  const nanobind::capsule owner(
      owned.release(), [](void* vector) noexcept { delete static_cast<std::vector<T>*>(vector); });
  return Array<T, sizeof...(Lengths)>(data, {static_cast<std::size_t>(lengths)...}, owner);
}

}  // namespace shiftcut_python
