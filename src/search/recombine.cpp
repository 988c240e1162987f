#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "descent/descend.hpp"
#include "multilevel/multilevel.hpp"
#include "search/improve.hpp"

namespace shiftcut {

namespace {

std::size_t label_bound(std::span<const ClusterId> labels) {
  return std::size_t{*std::max_element(labels.begin(), labels.end())} + 1;
}

// The overlap of two partitions: the sets of objects that share a cluster in both.
struct Overlap {
  std::vector<ClusterId> piece;  // of each object, compact
  std::size_t count = 0;
};

Overlap overlap_of(std::span<const ClusterId> one, std::span<const ClusterId> other) {
  // Cluster by cluster of one, so that one entry per cluster of the other suffices.
  std::vector<std::size_t> begin(label_bound(one) + 1, 0);
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
  Overlap overlap{std::vector<ClusterId>(one.size()), 0};
  std::vector<std::pair<ClusterId, ClusterId>> last(label_bound(other), {kNoCluster, 0});
  for (const ObjectId i : order) {
    auto& [cluster, piece] = last[other[i]];
    if (cluster != one[i]) {
      cluster = one[i];
      piece = static_cast<ClusterId>(overlap.count++);
    }
    overlap.piece[i] = piece;
  }
  return overlap;
}

}  // namespace

Solution recombine(const Problem& problem, const Solution& one, const Solution& other,
                   const RecombineOptions& options, const Context& context) {
  const Solution& lower = other.cost < one.cost ? other : one;
  const Overlap overlap = overlap_of(one.labels, other.labels);
  const SparseLevel level = contract(SparseLevel(std::get<GraphProblem>(problem)), overlap.piece,
                                     overlap.count, context.team);
  std::vector<ClusterId> start(overlap.count);
  for (std::size_t i = 0; i < overlap.piece.size(); ++i) {
    start[overlap.piece[i]] = lower.labels[i];
  }
  // Once from the lower parent, once from single pieces.
  const CycleOptions cycle{options.clusters};
  const std::vector<ClusterId> from_lower = level_cycle(level, std::move(start), cycle, context);
  const std::vector<ClusterId> from_pieces = level_cycle(level, {}, cycle, context);
  const bool is_new = cost_of(level, from_pieces) < cost_of(level, from_lower);
  std::vector<ClusterId> child = project_labels(is_new ? from_pieces : from_lower, overlap.piece);
  if (!options.clusters) {
    compact_labels(child);
  }
  Restart restart = options.is_thorough ? multilevel_cycle(problem, child, cycle, context)
                                        : descend(problem, child, options.clusters, context);
  restart.method = "combination";
  if (!(restart.cost < lower.cost)) {
    return {lower.labels, lower.cost, {std::move(restart)}};
  }
  const double cost = restart.cost;
  return {std::move(child), cost, {std::move(restart)}};
}

}  // namespace shiftcut
