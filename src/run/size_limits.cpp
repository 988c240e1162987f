// Bounds on the sizes of clusters in a run: how rows become nodes under them, and from a solution
// to one that keeps them, at the shift that was chosen without them.
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "core/message.hpp"
#include "run/pipeline.hpp"
#include "search/constrained_search.hpp"
#include "sizes/bounded_search.hpp"

namespace shiftcut {

namespace {

bool has_bounds(const SearchOptions& search) { return search.min_size > 0 || search.max_size > 0; }

SizeBounds bounds_on(const RowNodes& nodes, const SearchOptions& search) {
  SizeBounds bounds;
  bounds.least = search.min_size;
  bounds.most = search.max_size > 0 ? search.max_size : SizeBounds::kNoLimit;
  bounds.clusters = search.clusters;
  if (bounds.clusters && bounds.least == 0) {
    bounds.clusters = std::min(*bounds.clusters, nodes.size());
  }
  bounds.counts = nodes.row_counts();
  return bounds;
}

// Throws as require_possible().
void check_possible(const Input& input, const Options& options, const RowNodes& nodes) {
  const SizeBounds bounds = bounds_on(nodes, options.search);
  const std::optional<Constraints> constraints =
      constraints_of(input, nodes, nodes.options(options));
  if (!constraints) {
    require_possible(nodes.size(), bounds, nullptr);
    return;
  }
  if (constraints->one_per_cluster != nullptr) {
    refuse("not_applicable", "cannot_link_by",
           "{cannot_link_by}: found with {} pairs of objects in a group, and with {min_size} or "
           "{max_size}; allowed: fewer pairs, or no bounds on sizes",
           constraints->one_per_cluster->pairs());
  }
  const SizeBounds of_linked = contracted(bounds, *constraints);
  for (const std::uint32_t count : of_linked.counts) {
    if (count > bounds.most) {
      refuse("impossible_sizes", "max_size",
             "{max_size}: found {}; allowed: at least {}, as {must_link} joins that many objects",
             bounds.most, *std::ranges::max_element(of_linked.counts));
    }
  }
  require_possible(constraints->nodes, of_linked, constraints->conflicts.get());
}

// Of the larger of the two: objects that have left most of their old cluster, and objects that are
// not of the old cluster most of their new one is of.
std::size_t moved_objects(const std::vector<ClusterId>& before, const std::vector<ClusterId>& after,
                          const SizeBounds& bounds) {
  std::map<std::pair<ClusterId, ClusterId>, std::size_t> overlap;
  std::size_t n = 0;
  for (ObjectId i = 0; i < after.size(); ++i) {
    overlap[{before[i], after[i]}] += bounds.count(i);
    n += bounds.count(i);
  }
  std::map<ClusterId, std::size_t> stayed;
  std::map<ClusterId, std::size_t> are_old;
  for (const auto& [clusters, count] : overlap) {
    stayed[clusters.first] = std::max(stayed[clusters.first], count);
    are_old[clusters.second] = std::max(are_old[clusters.second], count);
  }
  const auto sum = [](const auto& counts) {
    return std::transform_reduce(counts.begin(), counts.end(), std::size_t{0}, std::plus<>(),
                                 [](const auto& entry) { return entry.second; });
  };
  return n - std::min(sum(stayed), sum(are_old));
}

}  // namespace

RowNodes nodes_for(const Input& input, const Options& options, ThreadTeam& team) {
  RowNodes nodes(input, options, team);
  if (!has_bounds(options.search)) {
    return nodes;
  }
  const std::size_t n = input.objects();
  std::size_t most = options.search.max_size > 0 ? options.search.max_size : n;
  for (;; most = (most + 1) / 2) {
    RowNodes limited = nodes.with_most_rows(most, options.links);
    try {
      check_possible(input, options, limited);
      return limited;
    } catch (const InvalidArgument& error) {
      if (most <= 1 || limited.are_rows() || error.message().code != "impossible_sizes") {
        throw;
      }
    }
  }
}

std::optional<SizeBounds> size_bounds_of(const Options& options, const RowNodes& nodes) {
  if (!has_bounds(options.search)) {
    return std::nullopt;
  }
  return bounds_on(nodes, options.search);
}

Solution within_sizes(const Prepared& prepared, const std::optional<Constraints>& constraints,
                      const SizeBounds& bounds, Solution solution, const Context& context) {
  const SearchOptions& search = prepared.options.search;
  const bool keeps_vote = prepared.path.is_decided && search.method == Method::automatic;
  const BoundedSearchOptions options{search.seed, keeps_vote ? 1 : search.restarts};
  Solution bounded;
  if (constraints) {
    const Constraints scaled = in_units(
        *constraints, evidence_unit(prepared.similarities, prepared.problem, context.team));
    const Problem nodes = linked(prepared.problem, scaled, context.team);
    bounded = bounded_search(nodes, contracted(bounds, *constraints),
                             node_labels(*constraints, solution.labels), options, context);
    bounded.labels = object_labels(*constraints, bounded.labels);
  } else {
    bounded = bounded_search(prepared.problem, bounds, solution.labels, options, context);
  }
  bounded.unbounded_cost = solution.cost;
  bounded.moved = moved_objects(solution.labels, bounded.labels, bounds);
  return bounded;
}

std::vector<ClusterId> fit_to_sizes(const std::vector<ClusterId>& labels, const SizeBounds& bounds,
                                    const std::optional<Constraints>& constraints) {
  if (!constraints) {
    return fit_to_bounds(labels, bounds, nullptr);
  }
  return object_labels(
      *constraints, fit_to_bounds(node_labels(*constraints, labels),
                                  contracted(bounds, *constraints), constraints->conflicts.get()));
}

}  // namespace shiftcut
