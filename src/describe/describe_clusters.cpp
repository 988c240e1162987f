// Each part on its own: the graph of nearest neighbours says how much a cluster holds together,
// distances which objects stand for it, and columns what sets it apart.
#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "describe/columns.hpp"
#include "describe/exemplars.hpp"
#include "problem/similarities.hpp"
#include "run/chosen_by.hpp"
#include "run/pipeline.hpp"
#include "shiftcut/describe.hpp"
#include "similarity/scaling.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kMembersATask = 1024;

// Features and matrices are compared by their nearest neighbours, whatever the run did.
SimilarityOptions for_neighbors(const Input& input, SimilarityOptions options) {
  const bool is_graph =
      input.shape == Shape::graph ||
      (input.shape != Shape::features && std::holds_alternative<SparseMatrix>(input.values));
  options.kind = is_graph ? Similarity::automatic : Similarity::neighbors;
  if (!is_graph && options.weights == Weights::log_odds) {
    options.weights = Weights::shared;
  }
  return options;
}

ObjectDistances distances_of(const Input& input, const Similarities& made) {
  ObjectDistances distances;
  if (made.distances != nullptr) {
    distances.rows = made.distances->rows;
    if (const auto squared = made.distances->between) {
      distances.between = [squared](ObjectId i, ObjectId j) { return std::sqrt(squared(i, j)); };
    }
  }
  const auto* dense = std::get_if<DenseArray>(&input.values);
  if (distances.rows == nullptr && !distances.between && dense != nullptr) {
    if (input.shape == Shape::features) {  // metrics that are no products of rows
      Scaling scaling;
      scaling.offset = made.scaling.offset;
      scaling.factor = made.scaling.factor;
      distances.rows = std::make_shared<const FeatureRows>(FeatureRows::scaled(*dense, scaling));
    } else {
      distances.between = [dense](ObjectId i, ObjectId j) { return -dense->at(i, j); };
    }
  }
  return distances;
}

// Similarity of the members of a cluster to each cluster that they are tied to.
struct Ties {
  double all = 0;
  std::vector<std::pair<std::int32_t, double>> to;  // by number
};

Ties ties_of(const SparseMatrix& graph, const ClusterMembers& members, std::size_t cluster) {
  Ties ties;
  std::vector<std::pair<std::int32_t, double>> edges;
  const auto add_up = [&edges] {
    std::ranges::stable_sort(edges, {}, &std::pair<std::int32_t, double>::first);
    std::size_t kept = 0;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (kept > 0 && edges[kept - 1].first == edges[e].first) {
        edges[kept - 1].second += edges[e].second;
      } else {
        edges[kept++] = edges[e];
      }
    }
    edges.resize(kept);
  };
  std::size_t room = kMembersATask;
  for (const ObjectId i : members.of(cluster)) {
    for (auto e = static_cast<std::size_t>(graph.offsets[i]);
         e < static_cast<std::size_t>(graph.offsets[i + 1]); ++e) {
      if (graph.columns[e] != i && graph.values[e] > 0) {
        edges.emplace_back(members.label(graph.columns[e]), graph.values[e]);
        ties.all += graph.values[e];
      }
    }
    if (edges.size() > room) {
      add_up();
      room = 2 * edges.size() + kMembersATask;
    }
  }
  add_up();
  ties.to = std::move(edges);
  return ties;
}

void add_ties(const Ties& ties, ClusterDescription& description) {
  double most = 0;
  for (const auto& [label, sum] : ties.to) {
    if (label == description.cluster) {
      description.cohesion = std::min(1.0, sum / ties.all);
    } else if (label >= 0 && sum > most) {
      description.nearest = label;
      most = sum;
    }
  }
}

// Nothing if there are no neighbours, or none for each row.
std::optional<NeighborTable> neighbors_of_rows(const Input& input, const Options& options,
                                               const NeighborTable* of_nodes, ThreadTeam& team) {
  if (of_nodes == nullptr || input.shape != Shape::features ||
      of_nodes->objects != input.objects()) {
    return std::nullopt;
  }
  const RowNodes nodes = nodes_for(input, options, team);
  if (nodes.size() != input.objects()) {
    return std::nullopt;
  }
  if (nodes.are_rows()) {
    return *of_nodes;
  }
  const std::size_t places = of_nodes->places;
  NeighborTable out{input.objects(), places, of_nodes->ids, of_nodes->squared};
  team.for_each(input.objects(), [&](std::size_t i, int) {
    const std::size_t from = places * nodes.of(static_cast<ObjectId>(i));
    for (std::size_t r = 0; r < places; ++r) {
      const std::uint32_t id = of_nodes->ids[from + r];
      out.ids[i * places + r] = id == kNobody ? kNobody : nodes.row(id);
      if (!out.squared.empty()) {
        out.squared[i * places + r] = of_nodes->squared[from + r];
      }
    }
  });
  return out;
}

std::vector<ClusterDescription> described(const Input& input, std::span<const std::int32_t> labels,
                                          const DescribeOptions& options, const Similarities& made,
                                          ThreadTeam& team) {
  const ClusterMembers members(labels);
  const std::size_t clusters = members.clusters();
  const SparseMatrix& graph = *std::get<GraphEdges>(made.view).edges;
  const ObjectDistances distances = distances_of(input, made);
  const bool has_distances = distances.rows != nullptr || distances.between;

  std::vector<ClusterDescription> out(clusters);
  team.for_each(clusters, [&](std::size_t k, int) {
    out[k].cluster = static_cast<std::int32_t>(k);
    out[k].size = members.size(k);
    add_ties(ties_of(graph, members, k), out[k]);
  });
  const auto exemplars =
      has_distances ? exemplars_by_distance(distances, members,
                                            std::max<std::size_t>(1, options.exemplars), team)
                    : exemplars_of_graph(graph, members, options.exemplars, team);
  team.for_each(clusters, [&](std::size_t k, int) {
    if (has_distances && !out[k].nearest) {
      out[k].nearest = nearest_by_exemplars(distances, exemplars, k);
    }
    out[k].exemplars = exemplars[k];
    out[k].exemplars.resize(std::min(options.exemplars, exemplars[k].size()));
  });
  if (input.shape == Shape::features && options.columns > 0) {
    auto contrasts = column_contrasts(input, members, options.columns, team);
    for (std::size_t k = 0; k < clusters; ++k) {
      out[k].columns = std::move(contrasts[k]);
    }
  }
  return out;
}

void check_labels(std::size_t labels, const Input& input) {
  if (labels != input.objects()) {
    refuse("bad_input", "labels", "{labels}: found {} labels; allowed: {}, one per object", labels,
           input.objects());
  }
}

}  // namespace

std::vector<ClusterDescription> describe_clusters(const Input& input,
                                                  std::span<const std::int32_t> labels,
                                                  const DescribeOptions& options,
                                                  const Control& control) {
  check_labels(labels.size(), input);
  ThreadTeam team(options.threads);
  StopCheck stop(control, Clock::now(), 0);
  const StopScope scope(team, stop);
  return described(
      input, labels, options,
      make_similarities(input, for_neighbors(input, options.similarity), team, control), team);
}

std::vector<ClusterDescription> describe_clusters(const Input& input, const Options& given,
                                                  const Result& result,
                                                  const NeighborTable* neighbors,
                                                  const DescribeOptions& how,
                                                  const Control& control) {
  check_labels(result.labels.size(), input);
  const Options options = chosen_by(result, given);
  ThreadTeam team(how.threads);
  StopCheck stop(control, Clock::now(), 0);
  const StopScope scope(team, stop);
  const SimilarityOptions similarity = for_neighbors(input, options.similarity);
  const std::optional<NeighborTable> known = neighbors_of_rows(input, options, neighbors, team);
  return described(input, result.labels, how,
                   known ? similarities_of_neighbors(*known, input, similarity, team)
                         : make_similarities(input, similarity, team, control),
                   team);
}

}  // namespace shiftcut
