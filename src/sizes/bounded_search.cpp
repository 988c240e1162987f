#include "sizes/bounded_search.hpp"

#include <algorithm>
#include <numeric>

#include "core/message.hpp"
#include "multilevel/level.hpp"
#include "sizes/packing.hpp"
#include "sizes/repair.hpp"
#include "sizes/swaps.hpp"
#include "sizes/tuning.hpp"

namespace shiftcut {

namespace {

using namespace sizes_tuning;

constexpr std::uint64_t kStream = std::uint64_t{1} << 43;  // of random numbers

[[noreturn]] void refuse_packing(Packing::Verdict verdict, const SizeBounds& bounds) {
  const bool is_most = bounds.most != SizeBounds::kNoLimit;
  refuse("impossible_sizes", is_most ? "max_size" : "min_size",
         std::string("{min_size} and {max_size}: found {} and {}; ") +
             (verdict == Packing::Verdict::impossible
                  ? "no grouping keeps these sizes and all pairs, groups and equal rows; "
                  : "found no grouping that keeps these sizes and all pairs, groups and equal "
                    "rows; ") +
             "allowed: sizes further apart, another number of clusters, or fewer pairs",
         bounds.least == 0 ? "none" : fmt::format("{}", bounds.least),
         is_most ? fmt::format("{}", bounds.most) : "none");
}

bool keeps_all(const std::vector<ClusterId>& labels, const SizeBounds& bounds,
               const Conflicts* conflicts) {
  return within_bounds(labels, bounds) && (conflicts == nullptr || conflicts->satisfied_by(labels));
}

// With K free, any number of clusters up to twice as many as the start has.
std::vector<ClusterId> random_start(std::size_t nodes, const SizeBounds& bounds,
                                    std::size_t start_clusters, Rng& rng) {
  std::size_t n = 0;
  for (ObjectId i = 0; i < nodes; ++i) {
    n += bounds.count(i);
  }
  ClusterNumbers possible = possible_numbers(bounds, n);
  possible.last = std::clamp(2 * start_clusters + 2, possible.first, possible.last);
  const auto range = static_cast<std::uint32_t>(possible.last - possible.first + 1);
  const auto clusters = static_cast<std::uint32_t>(possible.first + rng.below(range));
  std::vector<ObjectId> order(nodes);
  std::iota(order.begin(), order.end(), ObjectId{0});
  for (std::size_t i = nodes; i > 1; --i) {
    std::swap(order[i - 1], order[rng.below(static_cast<std::uint32_t>(i))]);
  }
  std::vector<ClusterId> labels(nodes);
  for (std::size_t p = 0; p < nodes; ++p) {
    labels[order[p]] = static_cast<ClusterId>(p % clusters);
  }
  return labels;
}

template <class View>
Solution search_from(const View& problem, const SizeBounds& bounds, std::vector<ClusterId> start,
                     const Context& context) {
  const Clock::time_point begin = Clock::now();
  const Conflicts* conflicts = problem.conflicts();
  if (!keeps_all(start, bounds, conflicts) && !context.should_stop()) {
    BoundedState<View> state(problem, bounds, std::move(start));
    Repair<View>(state).run();
    start = state.labels();
  }
  start = fit_to_bounds(start, bounds, conflicts);
  BoundedState<View> state(problem, bounds, std::move(start));
  Swaps<View> swaps(state);
  Solution solution;
  Restart restart{"sizes", 0, 0, 0, 0};
  bool is_fresh = true;  // sums without rounding
  for (int round = 0; round < kMostRounds && !context.should_stop(); ++round) {
    std::size_t changes = 0;
    while (const std::size_t moves = state.sweep(context.rng, context.stop)) {
      changes += moves;
      ++restart.sweeps;
    }
    changes += swaps.run(context.stop);
    restart.moves += changes;
    if (changes == 0 && is_fresh) {
      break;
    }
    is_fresh = changes == 0;
    if (is_fresh) {
      state.recompute_sums();
    }
  }
  solution.labels = state.labels();
  solution.cost = restart.cost = problem.cost(solution.labels, context.team);
  restart.seconds = seconds_since(begin);
  solution.restarts.push_back(std::move(restart));
  return solution;
}

}  // namespace

void require_possible(std::size_t nodes, const SizeBounds& bounds, const Conflicts* conflicts) {
  const Packing packing = pack(nodes, bounds, conflicts, {});
  if (packing.verdict != Packing::Verdict::found) {
    refuse_packing(packing.verdict, bounds);
  }
}

std::vector<ClusterId> fit_to_bounds(const std::vector<ClusterId>& labels, const SizeBounds& bounds,
                                     const Conflicts* conflicts) {
  if (keeps_all(labels, bounds, conflicts)) {
    return labels;
  }
  Packing packing = pack(labels.size(), bounds, conflicts, labels);
  if (packing.verdict != Packing::Verdict::found) {
    packing = pack(labels.size(), bounds, conflicts, {});
  }
  if (packing.verdict != Packing::Verdict::found) {
    refuse_packing(packing.verdict, bounds);
  }
  return std::move(packing.labels);
}

Solution bounded_search(const Problem& problem, const SizeBounds& bounds,
                        const std::vector<ClusterId>& start, const BoundedSearchOptions& options,
                        const Context& context) {
  const std::size_t nodes = start.size();
  std::size_t starts =
      nodes <= kObjectsForRandomStarts ? static_cast<std::size_t>(options.restarts) : 1;
  starts *= nodes <= kFewObjects && options.restarts > 1 ? kStartsOnFew : 1;
  std::vector<ClusterId> compact = start;
  const std::size_t used = compact_labels(compact);
  return best_of(starts, lanes_for(problem, starts, context.team), {options.seed, kStream}, context,
                 [&](std::size_t r, const Context& own) {
                   return std::visit(
                       [&](const auto& view) {
                         return search_from(
                             view, bounds,
                             r == 0 ? compact : random_start(nodes, bounds, used, own.rng), own);
                       },
                       problem);
                 });
}

}  // namespace shiftcut
