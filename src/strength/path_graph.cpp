#include "strength/path_graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "multilevel/local_moving.hpp"
#include "strength/path_rule.hpp"
#include "strength/tuning.hpp"
#include "strength/vote.hpp"

namespace shiftcut {

namespace {

double strongest(std::optional<std::size_t> clusters) { return clusters ? 4 : 8; }

std::vector<ClusterId> single_nodes(const SparseLevel& level) {
  std::vector<ClusterId> labels(level.size());
  std::iota(labels.begin(), labels.end(), ClusterId{0});
  return labels;
}

template <class Pass>
std::vector<ClusterId> groups_at(const SparseLevel& nodes, const ShiftTerms& unit, double strength,
                                 const Context& context, const Pass& pass) {
  const SparseLevel level = at_strength(nodes, unit, strength);
  LocalMoving<SparseLevel> moving(level, single_nodes(nodes), level.size(), context);
  pass(moving);
  return moving.labels();
}

std::vector<ClusterId> large_groups(const SparseLevel& nodes, const ShiftTerms& unit,
                                    std::optional<std::size_t> clusters, const Context& context) {
  return groups_at(nodes, unit, strongest(clusters), context,
                   [](auto& moving) { moving.move_once(); });
}

// Under a shift that is strong enough to leave many nodes; else every node by itself.
std::vector<ClusterId> small_groups(const SparseLevel& nodes, const ShiftTerms& unit,
                                    std::optional<std::size_t> clusters, std::size_t least_nodes,
                                    const Context& context) {
  const std::size_t least = std::max(least_nodes, kNodesPerCluster * clusters.value_or(0));
  for (double strength = strongest(clusters); strength <= kStrongest; strength *= 4) {
    std::vector<ClusterId> groups =
        groups_at(nodes, unit, strength, context, [](auto& moving) { moving.group_once(); });
    if (compact_labels(groups) >= least) {
      return groups;
    }
  }
  return single_nodes(nodes);
}

}  // namespace

PathGraph::PathGraph(const GraphProblem& problem, const SearchOptions& options,
                     const PathSizes& sizes, GraphOrigin origin, const Context& context)
    : origin_(origin), objects_(problem), unit_(problem.terms()) {
  contract_graph(options, sizes, context);
}

void PathGraph::contract_graph(const SearchOptions& options, const PathSizes& sizes,
                               const Context& context) {
  Rng rng(options.seed, kPathStream);
  const Context own = context.with(rng);
  const std::size_t first = (is_given() ? kMoreEdgesIfGiven : 1) * sizes.smaller;
  const std::size_t again = (is_given() ? kMoreEdgesAgainIfGiven : 1) * sizes.again;
  for (std::size_t limit = first; level().edges() > limit && !context.should_stop();
       limit = again) {
    std::vector<ClusterId> groups =
        contracted_ ? small_groups(level(), unit_, options.clusters, sizes.least_nodes, own)
                    : large_groups(level(), unit_, options.clusters, own);
    const std::size_t count = compact_labels(groups);
    if (contracted_ && (level().size() - count) * kLeastShrunk < level().size()) {
      return;
    }
    contracted_.emplace(contract(level(), groups, count, context.team));
    groups_ = groups_.empty() ? std::move(groups) : project_labels(groups, groups_);
  }
}

double PathGraph::total_size() const {
  double sum = 0;
  for (const Volume& node : nodes()) {
    sum += node.size;
  }
  return sum;
}

bool PathGraph::rows_repeat() const {
  return !is_given() && !contracted_ && total_size() > static_cast<double>(nodes().size());
}

std::vector<PathPoint> PathGraph::points_of(const std::vector<PathSolution>& solutions,
                                            std::optional<std::size_t> clusters) const {
  std::vector<PathPoint> points;
  for (const PathSolution& solution : solutions) {
    PathPoint point;
    point.strength = solution.strength;
    point.cost = solution.cost;
    point.sizes = sizes_of(solution.labels);
    point.clusters = point.sizes.size();
    point.criterion =
        conductance_criterion(level(), solution.labels, clusters.value_or(point.clusters));
    points.push_back(std::move(point));
  }
  set_agreement(solutions, points);
  return points;
}

void PathGraph::set_agreement(const std::vector<PathSolution>& solutions,
                              std::vector<PathPoint>& points) const {
  std::vector<double> with_next;
  for (std::size_t p = 0; p + 1 < points.size(); ++p) {
    with_next.push_back(agreement(nodes(), solutions[p].labels, solutions[p + 1].labels));
  }
  for (std::size_t p = 0; p < points.size(); ++p) {
    const std::size_t before = p > 0 ? p - 1 : p;
    const std::size_t after = p + 1 < points.size() ? p : before;
    points[p].agreement = with_next.empty() ? 1.0 : (with_next[before] + with_next[after]) / 2;
  }
}

PathLabels PathGraph::groupings_of(const std::vector<PathSolution>& solutions) const {
  PathLabels path;
  std::vector<std::uint32_t> nodes_alone(level().size());
  std::iota(nodes_alone.begin(), nodes_alone.end(), 0U);
  path.node_of = of_objects(nodes_alone);
  for (const PathSolution& solution : solutions) {
    path.of_nodes.emplace_back(solution.labels.begin(), solution.labels.end());
  }
  return path;
}

std::vector<std::size_t> PathGraph::sizes_of(const std::vector<ClusterId>& labels) const {
  std::vector<double> sizes(*std::max_element(labels.begin(), labels.end()) + std::size_t{1});
  for (ObjectId v = 0; v < level().size(); ++v) {
    sizes[labels[v]] += nodes()[v].size;
  }
  std::vector<std::size_t> rounded;
  for (const double size : sizes) {
    rounded.push_back(static_cast<std::size_t>(std::llround(size)));
  }
  std::sort(rounded.rbegin(), rounded.rend());
  return rounded;
}

}  // namespace shiftcut
