// The spectral methods in shiftcut._core: p-spectral clustering, power iteration and the size
// regularised cut.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays_from_vectors.hpp"
#include "input_from_arrays.hpp"
#include "methods/methods.hpp"
#include "shiftcut/methods/p_spectral.hpp"
#include "shiftcut/methods/power_iteration.hpp"
#include "shiftcut/methods/size_regularised_cut.hpp"
#include "watched.hpp"

namespace shiftcut_python {

namespace {

using namespace nb::literals;
namespace methods = shiftcut::methods;

// The labels, the cut and the steps.
std::tuple<Array<std::int32_t, 1>, double, int> p_spectral(nb::handle values, std::size_t clusters,
                                                           double p, bool normalized, bool by_ratio,
                                                           int max_steps, int threads) {
  const methods::Similarities similarities = values_from(values);
  const methods::PSpectralOptions options{
      .clusters = clusters,
      .p = p,
      .normalized = normalized,
      .criterion = by_ratio ? methods::CutCriterion::ratio : methods::CutCriterion::cheeger,
      .max_steps = max_steps,
      .threads = threads};
  methods::PSpectralResult found;
  watched(
      [&](const shiftcut::Control& control) {
        found = methods::p_spectral(similarities, options, control);
      },
      nb::none());
  const std::size_t n = found.labels.size();
  return {as_array(std::move(found.labels), n), found.cut, found.steps};
}

// The value, the vector, F at each step and whether it converged.
std::tuple<double, Array<double, 1>, std::vector<double>, bool> p_eigenpair(
    nb::handle values, double p, bool normalized, int max_steps, int threads) {
  const methods::Similarities similarities = values_from(values);
  methods::PSpectralOptions options;
  options.p = p;
  options.normalized = normalized;
  options.max_steps = max_steps;
  options.threads = threads;
  methods::PEigenpair found;
  watched(
      [&](const shiftcut::Control& control) {
        found = methods::p_eigenpair(similarities, options, control);
      },
      nb::none());
  const std::size_t n = found.vector.size();
  return {found.value, as_array(std::move(found.vector), n), std::move(found.history),
          found.converged};
}

double p_functional(nb::handle values, const Values& u, double p, bool normalized, int threads) {
  return methods::p_functional(values_from(values), std::span(u.data(), u.shape(0)), p, normalized,
                               threads);
}

// The embedding, the steps of each column, and whether all converged.
std::tuple<Array<double, 2>, std::vector<int>, bool> power_iteration(
    nb::handle values, bool random, std::size_t columns, double tolerance, int max_steps,
    std::uint64_t seed, int threads, const std::optional<DenseDouble>& starts) {
  const methods::Similarities similarities = values_from(values);
  const methods::PowerIterationOptions options{
      .start = random ? methods::PowerStart::random : methods::PowerStart::degree,
      .columns = columns,
      .tolerance = tolerance,
      .max_steps = max_steps,
      .seed = seed,
      .threads = threads};
  std::vector<double> given;
  if (starts) {
    given.assign(starts->data(), starts->data() + starts->size());
  }
  methods::PowerEmbedding found;
  watched(
      [&](const shiftcut::Control& control) {
        found =
            starts ? methods::power_iteration_from(similarities, std::move(given), options, control)
                   : methods::power_iteration(similarities, options, control);
      },
      nb::none());
  const std::size_t n = found.values.size() / found.columns;
  return {as_array(std::move(found.values), n, found.columns), std::move(found.steps),
          found.converged};
}

// The labels, the cost, the smallest eigenvalue of all objects and its vector.
std::tuple<Array<std::int32_t, 1>, double, double, Array<double, 1>> size_regularised_cut(
    nb::handle values, std::size_t clusters, double alpha, bool by_volume, bool by_sign,
    int threads) {
  const methods::Similarities similarities = values_from(values);
  const methods::SizeRegularisedCutOptions options{
      .clusters = clusters,
      .alpha = alpha,
      .size = by_volume ? methods::CutSize::volume : methods::CutSize::cardinality,
      .threshold = by_sign ? methods::CutThreshold::zero : methods::CutThreshold::sweep,
      .threads = threads};
  methods::SizeRegularisedCut found;
  watched(
      [&](const shiftcut::Control& control) {
        found = methods::size_regularised_cut(similarities, options, control);
      },
      nb::none());
  const std::size_t n = found.labels.size();
  const std::size_t entries = found.vector.size();
  return {as_array(std::move(found.labels), n), found.cost, found.value,
          as_array(std::move(found.vector), entries)};
}

}  // namespace

void bind_spectral(nanobind::module_& module) {
  module.def("p_spectral", &p_spectral, "values"_a, "clusters"_a, nb::kw_only(), "p"_a = 1.2,
             "normalized"_a = true, "by_ratio"_a = false, "max_steps"_a = 100, "threads"_a = 1,
             "p-spectral clustering: the labels, the ratio or normalised cut, the steps. "
             "Thresholds by the Cheeger cut or, `by_ratio`, by that.");
  module.def(
      "p_eigenpair", &p_eigenpair, "values"_a, nb::kw_only(), "p"_a, "normalized"_a,
      "max_steps"_a = 100, "threads"_a = 1,
      "The second eigenpair of the p-Laplacian: the value, the vector, the functional at the "
      "start and after each step, whether it converged.");
  module.def("p_functional", &p_functional, "values"_a, "u"_a, nb::kw_only(), "p"_a, "normalized"_a,
             "threads"_a = 1, "F_p of the vector u.");
  module.def(
      "power_iteration", &power_iteration, "values"_a, nb::kw_only(), "random"_a = false,
      "columns"_a = 1, "tolerance"_a = 1e-5, "max_steps"_a = 1000, "seed"_a = 0, "threads"_a = 1,
      "starts"_a = nb::none(),
      "Power iteration: the n x columns vectors, the steps of each, whether all converged. "
      "From the degrees, at random, or from `starts` (columns x n), which goes before both.");
  module.def(
      "size_regularised_cut", &size_regularised_cut, "values"_a, "clusters"_a, "alpha"_a,
      nb::kw_only(), "by_volume"_a = false, "by_sign"_a = false, "threads"_a = 1,
      "The labels, their cost, the smallest eigenvalue of L + alpha v v' and its vector "
      "(empty for one cluster). `by_volume`: v are degrees, not 1; `by_sign`: thresholds at 0 "
      "instead of where the cost is least.");
}

}  // namespace shiftcut_python
