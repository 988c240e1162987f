// The hierarchy of a run: its graph under strength 1 of its shift, merged along the strengths.
#include "shiftcut/levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/core.h>

#include "core/message.hpp"
#include "core/thread_team.hpp"
#include "problem/make_problem.hpp"
#include "run/pipeline.hpp"
#include "run/predict/affinity.hpp"
#include "strength/hierarchy.hpp"

namespace shiftcut {

namespace {

// With the similarity and the feature weights that the run chose, under strength 1 of its shift, or
// of the adaptive shift where it had none.
Options under_unit_strength(Options options, const Result& result) {
  const bool has_terms = result.shift_kind == "degree" || result.shift_kind == "constant";
  if (!has_terms || (result.shift_kind == "constant" && !(options.shift.constant > 0))) {
    options.shift = {ShiftKind::adaptive, 1, 0, {}};
  }
  options.shift.strength = 1;
  options.similarity = as_used(std::move(options.similarity), result);
  if (result.learned) {
    options.similarity.feature_weights = result.learned->weights;
  }
  return options;
}

// Merges of what is one node come first.
class Writer {
 public:
  explicit Writer(std::size_t objects) : sizes_(objects, 1) {}

  std::uint32_t add(std::uint32_t a, std::uint32_t b, double strength) {
    const std::uint32_t size = sizes_[a] + sizes_[b];
    levels_.merges.push_back({std::min(a, b), std::max(a, b), strength, size});
    sizes_.push_back(size);
    return static_cast<std::uint32_t>(sizes_.size() - 1);
  }

  Levels take() { return std::move(levels_); }

 private:
  std::vector<std::uint32_t> sizes_;
  Levels levels_;
};

std::vector<ClusterId> labels_of_nodes(const std::vector<ObjectId>& node_of, std::size_t nodes,
                                       const std::vector<std::int32_t>& labels) {
  std::vector<ClusterId> out(nodes);
  for (ObjectId i = 0; i < labels.size(); ++i) {
    out[node_of[i]] = static_cast<ClusterId>(labels[i]);
  }
  return out;
}

const GraphProblem& graph_of(const Problem& problem, const Similarities& similarities) {
  const auto* graph = std::get_if<GraphProblem>(&problem);
  if (graph == nullptr || graph->has_negative_weight()) {
    refuse("not_applicable", "similarity",
           "levels: found {}; allowed: features under {similarity=neighbors}, and graphs without "
           "negative weights",
           graph == nullptr ? similarities.similarity + " similarities"
                            : similarities.name + " with negative weights");
  }
  return *graph;
}

}  // namespace

Levels make_levels(const Input& input, const Options& options, const Result& result,
                   const Control& control, const NeighborTable* neighbors) {
  if (result.labels.size() != input.objects()) {
    refuse("wrong_length", "", "labels: found {}; allowed: {}, one per object",
           result.labels.size(), input.objects());
  }
  ThreadTeam team(options.search.threads);
  StopCheck stop(control, Clock::now(), 0);
  const StopScope scope(team, stop);
  const Options used = under_unit_strength(options, result);
  const RowNodes nodes = nodes_for(input, used, team);
  if (nodes.leave_rows()) {
    refuse("not_applicable", "weight_column",
           "levels: found rows of weight 0, which are in no cluster of their own; allowed: "
           "{weight_column} above 0");
  }
  const Similarities similarities =
      neighbors != nullptr && neighbors->objects == nodes.size()
          ? similarities_of_neighbors(*neighbors, used.similarity, nodes.input().weights, team)
          : make_similarities(nodes.input(), used.similarity, team, control);
  Problem problem = make_problem(similarities, used.shift, team, control);
  graph_of(problem, similarities);

  // Objects to nodes: equal rows, then must-links.
  LinkOptions must;
  must.must_link = nodes.links(options.links).must_link;
  std::erase_if(must.must_link, [](const ObjectPair& pair) { return std::isfinite(pair.weight); });
  const Constraints joined =
      make_constraints(must, nodes.size(), {}, [](ObjectId i) { return fmt::format("{}", i); });
  problem = linked(problem, joined, team);
  std::vector<ObjectId> node_of(input.objects());
  for (ObjectId i = 0; i < node_of.size(); ++i) {
    node_of[i] = joined.node_of[nodes.of(i)];
  }
  const std::vector<ClusterId> labels = labels_of_nodes(node_of, joined.nodes, result.labels);

  Writer writer(input.objects());
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(joined.nodes, kNone);  // of each node, then of each merge
  for (ObjectId i = 0; i < node_of.size(); ++i) {
    std::uint32_t& of_node = number[node_of[i]];
    of_node =
        of_node == kNone ? i : writer.add(of_node, i, std::numeric_limits<double>::infinity());
  }
  Rng rng(options.search.seed);
  const GraphProblem& graph = graph_of(problem, similarities);
  const SparseLevel level(graph);
  const double at = result.shift_strength > 0 ? result.shift_strength : 1;
  for (const MergeStep& step :
       hierarchy(level, labels, at, options.search.seed, {rng, team, stop})) {
    number.push_back(writer.add(number[step.left], number[step.right], step.strength));
  }
  return writer.take();
}

std::vector<std::int32_t> labels_at(const Levels& levels, std::size_t clusters) {
  const std::size_t n = levels.merges.size() + 1;
  if (clusters < 1 || clusters > n) {
    refuse("out_of_range", "clusters",
           "{clusters}: found {}; allowed: 1 to {}, the number of objects", clusters, n);
  }
  std::vector<std::uint32_t> parent(2 * n - clusters);
  std::iota(parent.begin(), parent.end(), 0U);
  for (std::size_t m = n - clusters; m-- > 0;) {  // from the last, so that parents are known
    const auto own = static_cast<std::uint32_t>(n + m);
    parent[levels.merges[m].left] = parent[own];
    parent[levels.merges[m].right] = parent[own];
  }
  parent.resize(n);
  return by_decreasing_size(std::span<const ClusterId>(parent)).labels;
}

}  // namespace shiftcut
