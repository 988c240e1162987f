// Power iteration clustering in shiftcut._core.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays_from_vectors.hpp"
#include "input_from_arrays.hpp"
#include "methods/methods.hpp"
#include "shiftcut/methods/power_iteration.hpp"
#include "watched.hpp"

namespace shiftcut_python {

namespace {

using namespace nb::literals;

// The embedding, the steps of each column, and whether all converged.
std::tuple<Array<double, 2>, std::vector<int>, bool> power_iteration(
    nb::handle values, bool random, std::size_t columns, double tolerance, int max_steps,
    std::uint64_t seed, int threads, const std::optional<DenseDouble>& starts) {
  const shiftcut::methods::Similarities similarities = values_from(values);
  const shiftcut::methods::PowerIterationOptions options{
      .start =
          random ? shiftcut::methods::PowerStart::random : shiftcut::methods::PowerStart::degree,
      .columns = columns,
      .tolerance = tolerance,
      .max_steps = max_steps,
      .seed = seed,
      .threads = threads};
  std::vector<double> given;
  if (starts) {
    given.assign(starts->data(), starts->data() + starts->size());
  }
  shiftcut::methods::PowerEmbedding found;
  watched(
      [&](const shiftcut::Control& control) {
        found = starts ? shiftcut::methods::power_iteration_from(similarities, std::move(given),
                                                                 options, control)
                       : shiftcut::methods::power_iteration(similarities, options, control);
      },
      nb::none());
  const std::size_t n = found.values.size() / found.columns;
  return {as_array(std::move(found.values), n, found.columns), std::move(found.steps),
          found.converged};
}

}  // namespace

void bind_power_iteration(nanobind::module_& module) {
  module.def(
      "power_iteration", &power_iteration, "values"_a, nb::kw_only(), "random"_a = false,
      "columns"_a = 1, "tolerance"_a = 1e-5, "max_steps"_a = 1000, "seed"_a = 0, "threads"_a = 1,
      "starts"_a = nb::none(),
      "Power iteration: the n x columns vectors, the steps of each, whether all converged. "
      "From the degrees, at random, or from `starts` (columns x n), which goes before both.");
}

}  // namespace shiftcut_python
