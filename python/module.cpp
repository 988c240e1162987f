// shiftcut._core: the library for Python, with nothing of its own. Arrays and words in, labels and
// the JSON result out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays_from_vectors.hpp"
#include "input_from_arrays.hpp"
#include "messages.hpp"
#include "methods/methods.hpp"
#include "options_from_dict.hpp"
#include "shiftcut/shiftcut.hpp"
#include "watched.hpp"

namespace {

namespace nb = nanobind;
using namespace nb::literals;

using shiftcut_python::Array;
using shiftcut_python::as_array;
using LabelsIn = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using OptionsIn = nb::typed<nb::dict, std::string, nb::any>;

shiftcut::Input input_of(nb::handle values, const std::string& shape, bool checked) {
  shiftcut::Input input;
  input.values = shiftcut_python::values_from(values);
  input.shape = shiftcut_python::enum_from<shiftcut::Shape>("shape", shape);
  input.name = "X";
  input.checked = checked;
  return input;
}

// Labels, the rest as JSON, what was subtracted from each column of dense features and what it was
// multiplied by, and the warnings: code, parameter, sentence.
using RunOut = std::tuple<Array<std::int32_t, 1>, std::string, Array<double, 1>, Array<double, 1>,
                          std::vector<shiftcut_python::Said>>;

RunOut run(nb::handle values, const std::string& shape, const OptionsIn& given, bool checked,
           const std::vector<shiftcut_python::Said>& notes, const nb::object& progress) {
  shiftcut::Input input = input_of(values, shape, checked);
  input.notes = shiftcut_python::messages_from(notes);
  const shiftcut::Options options = shiftcut_python::options_from(given);
  shiftcut::Result result;
  shiftcut_python::watched(
      [&](const shiftcut::Control& control) { result = shiftcut::run(input, options, control); },
      progress);
  std::vector<std::int32_t> labels = std::exchange(result.labels, {});
  const std::size_t n = labels.size();
  auto& [offset, factor] = result.scaling;
  const std::size_t columns = offset.size();
  return {as_array(std::move(labels), n),
          shiftcut::to_json(result, shiftcut_python::parameter_name),
          as_array(std::move(offset), columns), as_array(std::move(factor), columns),
          shiftcut_python::said(result.warnings)};
}

std::pair<Array<std::uint32_t, 2>, Array<double, 2>> neighbor_table(nb::handle values,
                                                                    const OptionsIn& given) {
  const shiftcut::Input input = input_of(values, "features", true);
  const shiftcut::Options options = shiftcut_python::options_from(given);
  shiftcut::NeighborTable table;
  shiftcut_python::watched(
      [&](const shiftcut::Control& control) {
        table =
            shiftcut::neighbor_table(input, options.similarity, options.search.threads, control);
      },
      nb::none());
  return {as_array(std::move(table.ids), table.objects, table.places),
          as_array(std::move(table.squared), table.objects, table.places)};
}

Array<double, 2> cluster_sums(nb::handle values, const LabelsIn& labels, std::size_t clusters,
                              int threads) {
  const auto rows = std::get<shiftcut::DenseArray>(shiftcut_python::values_from(values));
  std::vector<double> sums;
  {
    const nb::gil_scoped_release without_gil;
    sums =
        shiftcut::cluster_sums(rows, std::span(labels.data(), labels.shape(0)), clusters, threads);
  }
  return as_array(std::move(sums), clusters, rows.columns());
}

// `given` has the shift that the fit settled on.
std::string explain(nb::handle values, const std::string& shape, const OptionsIn& given,
                    const LabelsIn& labels, std::size_t object, std::size_t ties) {
  const shiftcut::Input input = input_of(values, shape, true);
  const shiftcut::Options options = shiftcut_python::options_from(given);
  shiftcut::Result result;
  result.clusters_asked = options.search.clusters;
  result.labels.assign(labels.data(), labels.data() + labels.shape(0));
  for (const std::int32_t label : result.labels) {
    result.sizes.resize(std::max(result.sizes.size(), static_cast<std::size_t>(label) + 1), 0);
    ++result.sizes[static_cast<std::size_t>(label)];
  }
  shiftcut::Explanation explanation;
  shiftcut_python::watched(
      [&](const shiftcut::Control& control) {
        explanation = shiftcut::explain(input, options, result, object, ties, control);
      },
      nb::none());
  return shiftcut::to_json(explanation);
}

std::string score(const LabelsIn& truth, const LabelsIn& labels) {
  return shiftcut::to_json(shiftcut::score(std::span(truth.data(), truth.shape(0)),
                                           std::span(labels.data(), labels.shape(0))));
}

}  // namespace

NB_MODULE(_core, module) {
  module.doc() = "The C++ library: see the modules of shiftcut that wrap it.";
  module.def("version", [] { return shiftcut::kVersion; }, "Of the library.");
  shiftcut_python::translate_exceptions();
  module.def(
      "run", &run, "values"_a, "shape"_a, "options"_a, nb::kw_only(), "checked"_a, "notes"_a,
      "progress"_a = nb::none(),
      "Group the objects: their labels, the rest of the result as JSON, what was subtracted from "
      "each column of dense features and what it was multiplied by, and the warnings as code, "
      "parameter and sentence.");
  module.def("neighbor_table", &neighbor_table, "values"_a, "options"_a,
             "The nearest neighbours of each row, nearest first, and their squared distances; "
             "2**32 - 1 and infinity where there are fewer.");
  module.def("cluster_sums", &cluster_sums, "values"_a, "labels"_a, "clusters"_a, "threads"_a,
             "The sum of each cluster's dense rows.");
  module.def("explain", &explain, "values"_a, "shape"_a, "options"_a, "labels"_a, "object"_a,
             "ties"_a, "Why an object is in its cluster, as JSON.");
  module.def("score", &score, "truth"_a, "labels"_a, "Agreement of two groupings, as JSON.");
  shiftcut_python::bind_agglomerative(module);
  shiftcut_python::bind_cut_search(module);
  shiftcut_python::bind_dominant_sets(module);
  shiftcut_python::bind_feedback(module);
  shiftcut_python::bind_spectral(module);
}
