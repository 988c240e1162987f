#include "strength/few_objects.hpp"

#include <algorithm>
#include <limits>

#include "multilevel/local_moving.hpp"
#include "strength/null_model.hpp"
#include "strength/tree_cuts.hpp"
#include "strength/tuning.hpp"

namespace shiftcut {

bool has_few_distinct_rows(const PathGraph& graph) {
  const auto distinct = static_cast<double>(graph.nodes().size());
  return graph.rows_repeat() && graph.nodes().size() <= kFewDistinctRows &&
         graph.total_size() >= kCopiesOfFewRows * distinct;
}

void choose_single_nodes(const PathGraph& graph, Election& election) {
  const auto single = std::ranges::find(election.voters, graph.nodes().size(),
                                        [](const Voter& v) { return v.clusters; });
  if (single != election.voters.end()) {
    election.elect(static_cast<std::size_t>(single - election.voters.begin()), graph.nodes());
  }
}

void keep_single_nodes(const PathGraph& graph, const std::vector<PathPoint>& points,
                       std::vector<Plateau>& all) {
  const std::size_t count = graph.nodes().size();
  const auto first = std::ranges::find(points, count, &PathPoint::clusters);
  if (first == points.end()) {
    return;
  }
  const auto at = static_cast<std::size_t>(first - points.begin());
  const auto found = std::ranges::find(all, count, &Plateau::clusters);
  const Plateau single = found != all.end() ? *found : Plateau{at, at, count, 0, 1};
  all.assign(1, single);
}

TreeGap gap_of_few_objects(const PathGraph& graph, Electorate& electorate, double dimension) {
  if (graph.level().size() > kFewObjects || has_few_distinct_rows(graph) ||
      electorate.trees().empty()) {
    return {};
  }
  const TreeGap gap = widest_gap(electorate.trees().front(), graph.nodes(), kMostPoints);
  return gap.ratio > noise_gap(dimension) ? gap : TreeGap{};
}

Voter gap_voter(const PathGraph& graph, Electorate& electorate, std::size_t pieces,
                const std::vector<PathPoint>& points, const SearchOptions& options,
                const Context& context) {
  const std::vector<ClusterId> labels =
      cut_tree(electorate.trees().front(), graph.nodes(), pieces, 0);
  Voter best;
  double most_alike = -std::numeric_limits<double>::infinity();
  for (const PathPoint& point : points) {
    Rng rng(options.seed, kPathStream);
    ThreadTeam alone(1);
    const SparseLevel level = at_strength(graph.level(), graph.unit(), point.strength);
    LocalMoving<SparseLevel> moving(level, labels, options.clusters.value_or(level.size()),
                                    {rng, alone, context.stop});
    moving.move_until_stable();
    const double alike = agreement(graph.nodes(), labels, moving.labels());
    if (alike > most_alike) {
      most_alike = alike;
      best = {moving.labels(), 0, point.strength, kTreeWeight, true};
    }
  }
  best.clusters = compact_labels(best.labels);
  return best;
}

}  // namespace shiftcut
