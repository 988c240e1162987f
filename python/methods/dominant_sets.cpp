// Dominant sets in shiftcut._core: one function for each function of the library.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays_from_vectors.hpp"
#include "input_from_arrays.hpp"
#include "methods/methods.hpp"
#include "shiftcut/methods/dominant_sets.hpp"
#include "watched.hpp"

namespace shiftcut_python {

namespace {

namespace nb = nanobind;
using namespace nb::literals;
namespace sm = shiftcut::methods;

using LabelsOut = Array<std::int32_t, 1>;
// Members, weights, cohesiveness, steps, converged.
using SetOut = std::tuple<Array<std::int64_t, 1>, Array<double, 1>, double, std::size_t, bool>;

// Alpha, labels, clusters, steps, converged.
using LevelOut = std::tuple<double, LabelsOut, std::size_t, std::size_t, bool>;

template <class T>
Array<T, 1> array_of(std::vector<T> values) {
  const std::size_t length = values.size();
  return as_array(std::move(values), length);
}

template <class Choice>
Choice choice_from(const std::string& name, const std::string& word,
                   const std::vector<std::pair<std::string, Choice>>& words) {
  std::string allowed;
  for (const auto& [known, choice] : words) {
    if (known == word) {
      return choice;
    }
    allowed += (allowed.empty() ? "'" : ", '") + known + "'";
  }
  throw nb::value_error((name + ": found '" + word + "'; allowed: " + allowed).c_str());
}

sm::DynamicsOptions search_from(const std::string& dynamics, double tolerance,
                                std::size_t max_steps, double support) {
  return {choice_from<sm::Dynamics>(
              "dynamics", dynamics,
              {{"replicator", sm::Dynamics::replicator}, {"infection", sm::Dynamics::infection}}),
          tolerance, max_steps, support};
}

SetOut as_tuple(sm::DominantSet& set) {
  return {array_of(std::vector<std::int64_t>(set.members.begin(), set.members.end())),
          array_of(std::move(set.weights)), set.cohesiveness, set.steps, set.converged};
}

std::tuple<LabelsOut, std::vector<SetOut>, std::size_t, double> dominant_sets(
    nb::handle values, const std::string& dynamics, double tolerance, std::size_t max_steps,
    double support, std::size_t sets, const std::string& leftovers, std::optional<double> shift,
    int threads) {
  const sm::Similarities similarities = values_from(values);
  const sm::DominantSetsOptions options{
      search_from(dynamics, tolerance, max_steps, support), sets,
      choice_from<sm::Leftovers>("leftovers", leftovers,
                                 {{"assign", sm::Leftovers::assign},
                                  {"extend", sm::Leftovers::extend},
                                  {"none", sm::Leftovers::none}}),
      shift, threads};
  sm::DominantSetsResult result;
  watched(
      [&](const shiftcut::Control& control) {
        result = sm::dominant_sets(similarities, options, control);
      },
      nb::none());
  std::vector<SetOut> found;
  found.reserve(result.sets.size());
  for (sm::DominantSet& set : result.sets) {
    found.push_back(as_tuple(set));
  }
  return {array_of(std::move(result.labels)), std::move(found), result.assigned_before,
          result.shift};
}

std::vector<LevelOut> dominant_set_hierarchy(nb::handle values, const std::string& dynamics,
                                             double tolerance, std::size_t max_steps,
                                             double support, double factor, std::size_t levels,
                                             std::size_t enough, int threads) {
  const sm::Similarities similarities = values_from(values);
  const sm::DominantSetHierarchyOptions options{
      search_from(dynamics, tolerance, max_steps, support), factor, levels, enough, threads};
  std::vector<sm::DominantSetLevel> found;
  watched(
      [&](const shiftcut::Control& control) {
        found = sm::dominant_set_hierarchy(similarities, options, control);
      },
      nb::none());
  std::vector<LevelOut> out;
  out.reserve(found.size());
  for (sm::DominantSetLevel& level : found) {
    out.emplace_back(level.alpha, array_of(std::move(level.labels)), level.clusters, level.steps,
                     level.converged);
  }
  return out;
}

std::tuple<LabelsOut, std::size_t, std::size_t, std::size_t, double> dominant_set_trajectories(
    nb::handle values, std::size_t clusters, std::size_t steps, std::size_t min_size,
    std::size_t max_cuts, std::optional<double> shift, int threads) {
  const sm::Similarities similarities = values_from(values);
  const sm::DominantSetTrajectoriesOptions options{clusters, steps, min_size,
                                                   max_cuts, shift, threads};
  sm::DominantSetTrajectoriesResult result;
  watched(
      [&](const shiftcut::Control& control) {
        result = sm::dominant_set_trajectories(similarities, options, control);
      },
      nb::none());
  return {array_of(std::move(result.labels)), result.clusters, result.cuts, result.dissolved,
          result.shift};
}

}  // namespace

void bind_dominant_sets(nb::module_& module) {
  module.def("dominant_sets", &dominant_sets, "values"_a, nb::kw_only(), "dynamics"_a,
             "tolerance"_a, "max_steps"_a, "support"_a, "sets"_a, "leftovers"_a, "shift"_a.none(),
             "threads"_a,
             "Labels; the sets (members, weights, cohesiveness, steps, converged); how many "
             "objects are in them; the shift used.");
  module.def("dominant_set_hierarchy", &dominant_set_hierarchy, "values"_a, nb::kw_only(),
             "dynamics"_a, "tolerance"_a, "max_steps"_a, "support"_a, "factor"_a, "levels"_a,
             "enough"_a, "threads"_a, "The levels: alpha, labels, clusters, steps, converged.");
  module.def("dominant_set_trajectories", &dominant_set_trajectories, "values"_a, nb::kw_only(),
             "clusters"_a, "steps"_a, "min_size"_a, "max_cuts"_a, "shift"_a.none(), "threads"_a,
             "Labels, clusters, cuts, clusters dissolved, the shift used.");
}

}  // namespace shiftcut_python
