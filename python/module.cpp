// shiftcut._core: the library for Python, with nothing of its own. Arrays and words in, labels and
// the JSON result out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "input_from_arrays.hpp"
#include "options_from_dict.hpp"
#include "shiftcut/shiftcut.hpp"
#include "watched_run.hpp"

namespace {

namespace nb = nanobind;
using namespace nb::literals;

using Labels = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>, nb::c_contig>;
using LabelsIn = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The array owns the vector: nothing is copied.
Labels as_array(std::vector<std::int32_t> labels) {
  auto owned = std::make_unique<std::vector<std::int32_t>>(std::move(labels));
  std::int32_t* data = owned->data();
  const std::size_t size = owned->size();
  const nb::capsule owner(owned.release(), [](void* vector) noexcept {
    delete static_cast<std::vector<std::int32_t>*>(vector);
  });
  return Labels(data, {size}, owner);
}

std::pair<Labels, std::string> run(nb::handle values, const std::string& shape,
                                   const nb::typed<nb::dict, std::string, nb::any>& options,
                                   bool checked, std::vector<std::string> notes,
                                   nb::object progress) {
  shiftcut::Input input;
  input.values = shiftcut_python::values_from(values);
  input.shape = shiftcut_python::shape_from(shape);
  input.name = "X";
  input.notes = std::move(notes);
  input.checked = checked;
  shiftcut::Result result = shiftcut_python::watched_run(
      input, shiftcut_python::options_from(options), std::move(progress));
  Labels labels = as_array(std::exchange(result.labels, {}));
  return {std::move(labels), shiftcut::to_json(result)};
}

std::string score(const LabelsIn& truth, const LabelsIn& labels) {
  return shiftcut::to_json(shiftcut::score(std::span(truth.data(), truth.shape(0)),
                                           std::span(labels.data(), labels.shape(0))));
}

}  // namespace

NB_MODULE(_core, module) {
  module.doc() = "The C++ library: see the modules of shiftcut that wrap it.";
  module.def("version", [] { return shiftcut::kVersion; }, "Of the library.");
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const shiftcut::Interrupted&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
  module.def("run", &run, "values"_a, "shape"_a, "options"_a, nb::kw_only(), "checked"_a, "notes"_a,
             "progress"_a = nb::none(),
             "Group the objects: their labels, and the rest of the result as JSON.");
  module.def("score", &score, "truth"_a, "labels"_a, "Agreement of two groupings, as JSON.");
}
