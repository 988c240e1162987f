// The size regularised cut in shiftcut._core.
#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <tuple>
#include <utility>

#include "arrays_from_vectors.hpp"
#include "input_from_arrays.hpp"
#include "methods/methods.hpp"
#include "shiftcut/methods/size_regularised_cut.hpp"
#include "watched.hpp"

namespace shiftcut_python {

namespace {

using namespace nb::literals;
namespace methods = shiftcut::methods;

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

void bind_size_regularised_cut(nanobind::module_& module) {
  module.def(
      "size_regularised_cut", &size_regularised_cut, "values"_a, "clusters"_a, "alpha"_a,
      nb::kw_only(), "by_volume"_a = false, "by_sign"_a = false, "threads"_a = 1,
      "The labels, their cost, the smallest eigenvalue of L + alpha v v' and its vector "
      "(empty for one cluster). `by_volume`: v are degrees, not 1; `by_sign`: thresholds at 0 "
      "instead of where the cost is least.");
}

}  // namespace shiftcut_python
