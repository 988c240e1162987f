#include "search/recombine.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "multilevel/level.hpp"
#include "multilevel/multilevel.hpp"

namespace shiftcut {

namespace {

std::size_t numbers_in(std::span<const ClusterId> labels) {
  return std::size_t{*std::max_element(labels.begin(), labels.end())} + 1;
}

// Objects that are together under both, numbered densely.
struct Pieces {
  std::vector<ClusterId> of;  // each object
  std::size_t count = 0;
};

Pieces common_pieces(std::span<const ClusterId> one, std::span<const ClusterId> other) {
  // By clusters of one, so that a number for each cluster of the other will do.
  std::vector<std::size_t> begin(numbers_in(one) + 1, 0);
  for (const ClusterId k : one) {
    ++begin[k + 1];
  }
  for (std::size_t k = 1; k < begin.size(); ++k) {
    begin[k] += begin[k - 1];
  }
  std::vector<ObjectId> order(one.size());
  for (ObjectId i = 0; i < one.size(); ++i) {
    order[begin[one[i]]++] = i;
  }
  Pieces pieces{std::vector<ClusterId>(one.size()), 0};
  std::vector<std::pair<ClusterId, ClusterId>> last(numbers_in(other), {kNoCluster, 0});
  for (const ObjectId i : order) {
    auto& [cluster, piece] = last[other[i]];
    if (cluster != one[i]) {
      cluster = one[i];
      piece = static_cast<ClusterId>(pieces.count++);
    }
    pieces.of[i] = piece;
  }
  return pieces;
}

}  // namespace

Solution combine(const Problem& problem, const Solution& one, const Solution& other,
                 const CombineOptions& options, const Context& context) {
  const Solution& lower = other.cost < one.cost ? other : one;
  const Pieces pieces = common_pieces(one.labels, other.labels);
  const SparseLevel level =
      contract(SparseLevel(std::get<GraphProblem>(problem)), pieces.of, pieces.count, context.team);
  std::vector<ClusterId> start(pieces.count);
  for (std::size_t i = 0; i < pieces.of.size(); ++i) {
    start[pieces.of[i]] = lower.labels[i];
  }
  // Once from the lower of the two, once from single pieces.
  const CycleOptions cycle{options.clusters};
  const std::vector<ClusterId> from_lower = cycle_of(level, std::move(start), cycle, context);
  const std::vector<ClusterId> from_pieces = cycle_of(level, {}, cycle, context);
  const bool is_new = cost_of(level, from_pieces) < cost_of(level, from_lower);
  std::vector<ClusterId> labels = passed_on(is_new ? from_pieces : from_lower, pieces.of);
  if (!options.clusters) {
    number_densely(labels);
  }
  Restart restart = options.is_thorough ? multilevel_cycle(problem, labels, cycle, context)
                                        : descend(problem, labels, options.clusters, context);
  restart.method = "combination";
  if (!(restart.cost < lower.cost)) {
    return {lower.labels, lower.cost, {std::move(restart)}};
  }
  const double cost = restart.cost;
  return {std::move(labels), cost, {std::move(restart)}};
}

}  // namespace shiftcut
