// Affinities of one object to all clusters, from the definition.
#include "shiftcut/explain.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include <fmt/core.h>

#include "constraints/constraints.hpp"
#include "constraints/pairs.hpp"
#include "core/message.hpp"
#include "core/thread_team.hpp"
#include "problem/make_problem.hpp"
#include "run/chosen_by.hpp"
#include "run/pipeline.hpp"
#include "run/predict/affinity.hpp"

namespace shiftcut {

Options chosen_by(const Result& result, Options options) {
  if (!result.shift_path.empty()) {
    options.shift.kind = ShiftKind::adaptive;
    options.shift.strength = result.shift_strength;
  }
  options.similarity = as_used(std::move(options.similarity), result);
  if (result.learned) {
    options.similarity.feature_weights = result.learned->weights;
  }
  return options;
}

namespace {

// S of a row of one node and a row of each node; of two different rows where the nodes are the
// same.
std::vector<double> row_of_nodes(const Problem& problem, const NodeWeights& weights,
                                 ObjectId node) {
  std::vector<double> row(size(problem));
  const double own = weights.of(node);
  for (ObjectId other = 0; other < row.size(); ++other) {
    row[other] = shifted(problem, node, other) / (own * weights.of(other));
  }
  if (std::holds_alternative<GraphProblem>(problem) && !weights.empty()) {
    row[node] += own > 1 ? 1 / own : 1;  // a row has no edge to itself
  }
  return row;
}

// S of the object and all others, evidence included, times the weights of these.
std::vector<double> row_of(const Input& input, const Options& options,
                           const NeighborTable* neighbors, ObjectId object,
                           const Control& control) {
  ThreadTeam team(options.search.threads);
  StopCheck stop(control, Clock::now(), 0);
  const StopScope scope(team, stop);
  const RowNodes nodes = nodes_for(input, options, team);
  if (nodes.of(object) == kNoNode) {
    refuse(
        "not_applicable", "object",
        "{object}: found {}, which has the weight 0 and took no part in the clustering; allowed: "
        "objects of a weight above 0",
        object);
  }
  const Similarities similarities =
      neighbors != nullptr && neighbors->objects == nodes.size()
          ? similarities_of_neighbors(*neighbors, options.similarity, nodes.input().weights, team)
          : make_similarities(nodes.input(), options.similarity, team, control);
  const Problem problem = make_problem(similarities, options.shift, team, control);
  const std::vector<double> of_nodes =
      row_of_nodes(problem, similarities.weights, nodes.of(object));
  std::vector<double> row(input.objects(), 0.0);
  for (ObjectId j = 0; j < row.size(); ++j) {
    row[j] = nodes.of(j) == kNoNode ? 0 : nodes.weight(j) * of_nodes[nodes.of(j)];
  }
  if (!options.links.empty()) {
    const double unit = evidence_unit(similarities, problem, team);
    for (const PairEvidence& pair : evidence_of(options.links, unit)) {
      if (pair.a == object || pair.b == object) {
        row[pair.a == object ? pair.b : pair.a] += pair.value;
      }
    }
  }
  return row;
}

SeenCluster seen(const std::vector<double>& row, const Result& result, std::size_t object,
                 std::int32_t cluster, std::size_t ties) {
  SeenCluster out{cluster, result.sizes[static_cast<std::size_t>(cluster)], 0, {}};
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (j != object && result.labels[j] == cluster) {
      out.affinity += row[j];
      if (row[j] > 0) {
        out.ties.push_back({j, row[j]});
      }
    }
  }
  const auto stronger = [](const Tie& a, const Tie& b) {
    return a.value > b.value || (a.value == b.value && a.object < b.object);
  };
  const auto kept = static_cast<std::ptrdiff_t>(std::min(ties, out.ties.size()));
  std::partial_sort(out.ties.begin(), out.ties.begin() + kept, out.ties.end(), stronger);
  out.ties.resize(static_cast<std::size_t>(kept));
  return out;
}

// The best cluster other than its own, which may be a new one.
std::optional<SeenCluster> next_best(const std::vector<double>& row, const Result& result,
                                     std::size_t object, std::size_t ties) {
  const auto own = static_cast<std::size_t>(result.labels[object]);
  std::vector<double> affinity(result.sizes.size(), 0.0);
  for (std::size_t j = 0; j < row.size(); ++j) {
    affinity[static_cast<std::size_t>(result.labels[j])] += row[j];
  }
  std::optional<std::size_t> best;
  for (std::size_t k = 0; k < affinity.size(); ++k) {
    if (k != own && (!best || affinity[k] > affinity[*best])) {
      best = k;
    }
  }
  const bool may_be_alone = result.sizes[own] > 1 && (!result.clusters_asked ||
                                                      result.sizes.size() < *result.clusters_asked);
  if (may_be_alone && (!best || affinity[*best] < 0)) {
    return SeenCluster{};
  }
  if (!best) {
    return std::nullopt;
  }
  return seen(row, result, object, static_cast<std::int32_t>(*best), ties);
}

// The member of the next best cluster that keeps it out by being in the same group.
std::optional<std::size_t> rival_in(const std::vector<std::int32_t>& group, const Result& result,
                                    const Explanation& e, std::int32_t cluster) {
  std::set<std::int32_t> own{group[e.object]};
  for (const std::size_t mate : e.must_link) {
    own.insert(group[mate]);
  }
  for (std::size_t j = 0; j < group.size(); ++j) {
    if (group[j] >= 0 && result.labels[j] == cluster && own.contains(group[j])) {
      return j;
    }
  }
  return std::nullopt;
}

void add_links(LinkOptions given, const Result& result, Explanation& out) {
  const std::size_t n = result.labels.size();
  const std::vector<std::int32_t> group = std::move(given.one_per_cluster);
  given.one_per_cluster.clear();
  const Constraints constraints =
      make_constraints(given, n, {}, [](ObjectId i) { return fmt::format("{}", i); });
  const ObjectId node = constraints.node_of[out.object];
  for (std::size_t i = 0; i < n; ++i) {
    if (constraints.node_of[i] == node && i != out.object) {
      out.must_link.push_back(i);
    } else if (constraints.conflicts != nullptr &&
               std::ranges::binary_search(constraints.conflicts->lists()[node],
                                          constraints.node_of[i])) {
      out.cannot_link.push_back(i);
    }
  }
  for (const auto* pairs : {&given.must_link, &given.cannot_link}) {
    for (const ObjectPair& pair : *pairs) {
      if (!is_certain(pair) && (pair.a == out.object || pair.b == out.object)) {
        out.uncertain.push_back(pair.a == out.object ? pair.b : pair.a);
      }
    }
  }
  std::ranges::sort(out.uncertain);
  if (!group.empty() && out.next) {
    out.rival = rival_in(group, result, out, out.next->cluster);
  }
}

}  // namespace

Explanation explain(const Input& input, const Options& options, const Result& result,
                    std::size_t object, std::size_t ties, const Control& control,
                    const NeighborTable* neighbors) {
  if (object >= result.labels.size() || result.labels.size() != input.objects()) {
    refuse("unknown_object", "object",
           "{object}: found {}; allowed: 0 to {}, of a result for this input", object,
           input.objects() - 1);
  }
  const std::vector<double> row =
      row_of(input, chosen_by(result, options), neighbors, static_cast<ObjectId>(object), control);
  Explanation out;
  out.object = object;
  out.own = seen(row, result, object, result.labels[object], ties);
  out.next = next_best(row, result, object, ties);
  out.margin = out.own.affinity - (out.next ? out.next->affinity : 0);
  if (!options.links.empty()) {
    add_links(options.links, result, out);
  }
  return out;
}

}  // namespace shiftcut
