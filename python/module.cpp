// shiftcut._core: the library for Python, with nothing of its own. Arrays and words in, labels and
// the JSON result out.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
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
#include "blocks.hpp"
#include "input_from_arrays.hpp"
#include "messages.hpp"
#include "methods/methods.hpp"
#include "model.hpp"
#include "options_from_dict.hpp"
#include "page.hpp"
#include "shiftcut/shiftcut.hpp"
#include "watched.hpp"

namespace {

namespace nb = nanobind;
using namespace nb::literals;

using shiftcut_python::Array;
using shiftcut_python::as_array;
using LabelsIn = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using OptionsIn = nb::typed<nb::dict, std::string, nb::any>;

shiftcut::Input input_of(nb::handle values, const std::string& shape, const OptionsIn& given,
                         bool checked) {
  shiftcut::Input input;
  input.values = shiftcut_python::values_from(values);
  input.shape = shiftcut_python::enum_from<shiftcut::Shape>("shape", shape);
  input.weights = shiftcut_python::row_weights_from(given);
  input.neighbors = shiftcut_python::neighbors_from(given);
  input.name = "X";
  input.checked = checked;
  return input;
}

// Labels, the rest as JSON, the warnings (code, parameter, sentence), and the run for later
// questions.
using RunOut = std::tuple<Array<std::int32_t, 1>, std::string, std::vector<shiftcut_python::Said>,
                          std::unique_ptr<shiftcut_python::PythonRun>>;

RunOut run(nb::handle values, const std::string& shape, const OptionsIn& given, bool checked,
           const std::vector<shiftcut_python::Said>& notes, const nb::object& progress) {
  shiftcut::Input input = input_of(values, shape, given, checked);
  input.notes = shiftcut_python::messages_from(notes);
  const shiftcut::Options options = shiftcut_python::options_from(given);
  auto run = std::make_unique<shiftcut_python::PythonRun>();
  shiftcut::Result& result = run->result;
  shiftcut_python::watched(
      [&](const shiftcut::Control& control) {
        result = shiftcut::run(input, options, control, &run->neighbors);
      },
      progress);
  std::vector<std::int32_t> labels = std::exchange(result.labels, {});
  std::string text = shiftcut::to_json(result, shiftcut_python::parameter_name);
  result.labels = labels;
  const std::size_t n = labels.size();
  return {as_array(std::move(labels), n), std::move(text), shiftcut_python::said(result.warnings),
          std::move(run)};
}

// `given` has the shift that the fit settled on.
std::string explain(nb::handle values, const std::string& shape, const OptionsIn& given,
                    const LabelsIn& labels, std::size_t object, std::size_t ties,
                    const shiftcut_python::PythonRun* run) {
  const shiftcut::Input input = input_of(values, shape, given, true);
  const shiftcut::Options options = shiftcut_python::options_from(given);
  shiftcut::Result result;
  result.clusters_asked = options.search.clusters;
  result.labels.assign(labels.data(), labels.data() + labels.shape(0));
  for (const std::int32_t label : result.labels) {
    result.sizes.resize(std::max(result.sizes.size(), static_cast<std::size_t>(label) + 1), 0);
    ++result.sizes[static_cast<std::size_t>(label)];
  }
  const shiftcut::NeighborTable* neighbors = run != nullptr ? run->neighbors.get() : nullptr;
  shiftcut::Explanation explanation;
  shiftcut_python::watched(
      [&](const shiftcut::Control& control) {
        explanation = shiftcut::explain(input, options, result, object, ties, control, neighbors);
      },
      nb::none());
  return shiftcut::to_json(explanation);
}

Array<double, 2> layout(nb::handle values, const std::string& shape, const OptionsIn& given,
                        const shiftcut_python::PythonRun& run) {
  const shiftcut::Input input = input_of(values, shape, given, true);
  const shiftcut::Options options = shiftcut_python::options_from(given);
  shiftcut::Layout places;
  shiftcut_python::watched(
      [&](const shiftcut::Control& control) {
        places = shiftcut::layout(input, options, run.result, run.neighbors.get(), control);
      },
      nb::none());
  std::vector<double> numbers;
  numbers.reserve(2 * places.size());
  for (const shiftcut::Place& place : places) {
    numbers.push_back(place.x);
    numbers.push_back(place.y);
  }
  return as_array(std::move(numbers), places.size(), 2);
}

// The merges of the hierarchy: pairs, and strengths. `given` as for explain().
std::pair<nb::object, nb::object> levels(nb::handle values, const std::string& shape,
                                         const OptionsIn& given, const LabelsIn& labels,
                                         const std::string& shift_kind, double shift_strength,
                                         const shiftcut_python::PythonRun* run) {
  const shiftcut::Input input = input_of(values, shape, given, true);
  const shiftcut::Options options = shiftcut_python::options_from(given);
  shiftcut::Result result;
  result.labels.assign(labels.data(), labels.data() + labels.shape(0));
  result.shift_kind = shift_kind;
  result.shift_strength = shift_strength;
  const shiftcut::NeighborTable* neighbors = run != nullptr ? run->neighbors.get() : nullptr;
  shiftcut::Levels made;
  shiftcut_python::watched(
      [&](const shiftcut::Control& control) {
        made = shiftcut::make_levels(input, options, result, control, neighbors);
      },
      nb::none());
  std::vector<std::uint32_t> pairs;
  std::vector<double> strengths;
  for (const shiftcut::Merge& merge : made.merges) {
    pairs.insert(pairs.end(), {merge.left, merge.right});
    strengths.push_back(merge.strength);
  }
  const std::size_t n = strengths.size();
  return {nb::cast(as_array(std::move(pairs), n, std::size_t{2})),
          nb::cast(as_array(std::move(strengths), n))};
}

// As JSON, and as text for people.
std::pair<std::string, std::string> describe(nb::handle values, const std::string& shape,
                                             const OptionsIn& given, const LabelsIn& labels,
                                             std::size_t exemplars, std::size_t columns,
                                             std::vector<std::string> names,
                                             const shiftcut_python::PythonRun* run) {
  shiftcut::Input input = input_of(values, shape, given, true);
  input.column_names = std::move(names);
  const shiftcut::Options options = shiftcut_python::options_from(given);
  const shiftcut::DescribeOptions how{exemplars, columns, options.similarity,
                                      options.search.threads};
  std::vector<shiftcut::ClusterDescription> clusters;
  shiftcut_python::watched(
      [&](const shiftcut::Control& control) {
        clusters = run != nullptr
                       ? shiftcut::describe_clusters(input, options, run->result,
                                                     run->neighbors.get(), how, control)
                       : shiftcut::describe_clusters(
                             input, std::span(labels.data(), labels.shape(0)), how, control);
      },
      nb::none());
  return {shiftcut::to_json(clusters, input), shiftcut::to_text(clusters, input)};
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
  shiftcut_python::bind_model(module);
  shiftcut_python::bind_blocks(module);
  shiftcut_python::bind_agglomerative(module);
  module.def(
      "run", &run, "values"_a, "shape"_a, "options"_a, nb::kw_only(), "checked"_a, "notes"_a,
      "progress"_a = nb::none(),
      "Group the objects: their labels, the rest of the result as JSON, the warnings as code, "
      "parameter and sentence, and the run itself.");
  module.def("explain", &explain, "values"_a, "shape"_a, "options"_a, "labels"_a, "object"_a,
             "ties"_a, "run"_a.none() = nb::none(),
             "Why an object is in its cluster, as JSON. `run` knows the neighbours.");
  module.def("layout", &layout, "values"_a, "shape"_a, "options"_a, "run"_a,
             "A place in the plane for each object of the run.");
  module.def("levels", &levels, "values"_a, "shape"_a, "options"_a, "labels"_a, "shift_kind"_a,
             "shift_strength"_a, "run"_a.none() = nb::none(),
             "The merges of a nested hierarchy around the labels, and their strengths.");
  module.def("describe", &describe, "values"_a, "shape"_a, "options"_a, "labels"_a, "exemplars"_a,
             "columns"_a, "names"_a, "run"_a.none() = nb::none(),
             "What sets each cluster apart, as JSON and as text.");
  module.def("score", &score, "truth"_a, "labels"_a, "Agreement of two groupings, as JSON.");
  shiftcut_python::bind_cut_search(module);
  shiftcut_python::bind_dominant_sets(module);
  shiftcut_python::bind_feedback(module);
  shiftcut_python::bind_page(module);
  shiftcut_python::bind_spectral(module);
}
