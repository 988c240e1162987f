#include "shiftcut/methods/dominant_sets.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "methods/dominant_sets/leftovers.hpp"
#include "methods/dominant_sets/peel.hpp"
#include "methods/dominant_sets/shift_off_diagonal.hpp"
#include "methods/operations.hpp"

namespace shiftcut::methods {

DominantSetsResult dominant_sets(const Similarities& similarities,
                                 const DominantSetsOptions& options, const Control& control) {
  constexpr const char* kName = "dominant sets";
  check_similarities(similarities, kName);
  check_not_negative(similarities, kName);
  check_options(options.search, kName);
  const std::size_t n = objects(similarities);
  if (options.sets > n) {
    throw std::invalid_argument(fmt::format(
        "dominant sets: found {} sets requested; allowed: 0 (all there are) to {}, the objects",
        options.sets, n));
  }
  ThreadTeam team(options.threads);
  const Workers workers{team, control};
  DominantSetsResult result;
  result.shift = shift_off_diagonal(similarities, options.shift, kName);
  result.labels.assign(n, -1);

  Peeled peeled =
      peel(similarities, {-result.shift, result.shift}, options.search, options.sets, workers);
  for (std::size_t k = 0; k < peeled.sets.size(); ++k) {
    for (const std::uint32_t member : peeled.sets[k].members) {
      result.labels[member] = static_cast<std::int32_t>(k);
    }
  }
  if (options.leftovers != Leftovers::none) {
    give_out(similarities, peeled.sets, peeled.rest, options.leftovers, result.labels, workers);
  }
  result.assigned_before = n - peeled.rest.size();
  result.assigned_after =
      n - static_cast<std::size_t>(std::count(result.labels.begin(), result.labels.end(), -1));
  result.sets = std::move(peeled.sets);
  return result;
}

}  // namespace shiftcut::methods
