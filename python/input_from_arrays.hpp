// NumPy arrays as the library's data.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <string>
#include <variant>

#include "shiftcut/data.hpp"

namespace shiftcut_python {

namespace nb = nanobind;

using DenseFloat = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using DenseDouble = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Columns32 = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Columns64 = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// A row-major array of float32 or float64, looked at where it lies (the caller keeps it alive); or
/// a tuple (offsets, columns, values, shape) of a SciPy CSR matrix without duplicates, copied.
std::variant<shiftcut::DenseArray, shiftcut::SparseMatrix> values_from(nb::handle given);

}  // namespace shiftcut_python
