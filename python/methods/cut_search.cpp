// Local search over the classical cut costs in shiftcut._core, and the costs of a grouping.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "arrays_from_vectors.hpp"
#include "input_from_arrays.hpp"
#include "methods/methods.hpp"
#include "shiftcut/methods/cut_search.hpp"
#include "watched.hpp"

namespace shiftcut_python {

namespace {

using namespace nb::literals;
namespace methods = shiftcut::methods;

using LabelsIn = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const std::int32_t> span_of(const LabelsIn& labels) {
  return {labels.data(), labels.shape(0)};
}

std::tuple<Array<std::int32_t, 1>, Array<double, 1>, double, int, bool> cut_search(
    nb::handle values, std::size_t clusters, const std::string& cost, double p, int restarts,
    int max_sweeps, std::uint64_t seed, int threads, const nb::object& progress) {
  const methods::Similarities similarities = values_from(values);
  const methods::CutSearchOptions options{
      clusters, methods::cut_cost_named(cost), p, restarts, max_sweeps, seed, threads};
  methods::CutSearchResult found;
  watched(
      [&](const shiftcut::Control& control) {
        found = methods::cut_search(similarities, options, control);
      },
      progress);
  const std::size_t n = found.labels.size();
  const std::size_t count = found.costs.size();
  return {as_array(std::move(found.labels), n), as_array(std::move(found.costs), count), found.cost,
          found.sweeps, found.converged};
}

double cut_cost(nb::handle values, const LabelsIn& labels, const std::string& cost, double p) {
  const methods::Similarities similarities = values_from(values);
  const methods::CutCost kind = methods::cut_cost_named(cost);
  const nb::gil_scoped_release without_gil;
  return methods::cut_cost(similarities, span_of(labels), kind, p);
}

std::pair<double, double> correlation_cost(nb::handle values, const LabelsIn& labels,
                                           double threshold) {
  const methods::Similarities similarities = values_from(values);
  const nb::gil_scoped_release without_gil;
  const auto found = methods::correlation_cost(similarities, span_of(labels), threshold);
  return {found.cost, found.disagreements};
}

}  // namespace

void bind_cut_search(nb::module_& module) {
  module.def("cut_search", &cut_search, "values"_a, nb::kw_only(), "clusters"_a, "cost"_a, "p"_a,
             "restarts"_a, "max_sweeps"_a, "seed"_a, "threads"_a, "progress"_a = nb::none(),
             "Local search over a cut cost: the labels, the cost of each restart, that of the "
             "best, its sweeps, and whether it ended by itself.");
  module.def("cut_cost", &cut_cost, "values"_a, "labels"_a, "cost"_a, "p"_a,
             "A cut cost of a grouping.");
  module.def("correlation_cost", &correlation_cost, "values"_a, "labels"_a, "threshold"_a,
             "The cost of correlation clustering, and the disagreements, of a grouping.");
}

}  // namespace shiftcut_python
