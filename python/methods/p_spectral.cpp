// p-spectral clustering in shiftcut._core.
#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays_from_vectors.hpp"
#include "input_from_arrays.hpp"
#include "methods/methods.hpp"
#include "shiftcut/methods/p_spectral.hpp"
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

}  // namespace

void bind_p_spectral(nanobind::module_& module) {
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
}

}  // namespace shiftcut_python
