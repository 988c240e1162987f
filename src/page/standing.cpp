// Both from one kind of sum: the affinity of an object to a set of others (ClusterSums), which
// every view of the similarities has. For blocks the sets are groups of objects that lie in one
// cluster.
#include "page/standing.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "core/rng.hpp"
#include "descent/features/cluster_sums.hpp"
#include "page/tuning.hpp"
#include "problem/make_problem.hpp"
#include "run/chosen_by.hpp"
#include "run/row_nodes.hpp"

namespace shiftcut {

namespace {

using namespace page_tuning;

constexpr std::uint64_t kBlockStream = (std::uint64_t{1} << 43) + 2;  // of random numbers

// The nodes of the rows, in clusters 0 .. count - 1.
struct Grouped {
  SoftLabels labels;
  std::size_t count = 0;
  std::vector<double> weights;  // of the clusters
};

Grouped grouped(const RowNodes& nodes, const Result& result) {
  Grouped out;
  out.labels.of.assign(nodes.size(), 0);
  out.count = result.sizes.size();
  out.weights.assign(out.count, 0.0);
  for (ObjectId row = 0; row < result.labels.size(); ++row) {
    if (nodes.of(row) != kNoNode) {
      const auto k = static_cast<ClusterId>(result.labels[row]);
      out.labels.of[nodes.of(row)] = k;
      out.weights[k] += nodes.weight(row);
    }
  }
  return out;
}

template <class View>
ClusterSums<View> summed(const View& view, const SoftLabels& labels, std::size_t clusters,
                         const ThreadTeam& team) {
  ClusterSums<View> sums(view);
  sums.make_room(clusters);
  for (ObjectId node = 0; node < labels.of.size(); ++node) {
    sums.add(node, labels.of[node], 1);
    team.poll_each(node);
  }
  return sums;
}

// ---- Standings ----

// Numbers read to judge one object.
template <class View>
double work_of(const View& view, std::size_t clusters) {
  if constexpr (std::is_same_v<View, GramProblem>) {
    return static_cast<double>(clusters * view.length());
  }
  return static_cast<double>(clusters);
}

template <class View>
class Judge {
 public:
  Judge(const View& view, const Grouped& groups, const Result& result, const ThreadTeam& team)
      : view_(view),
        groups_(groups),
        sums_(summed(view, groups.labels, groups.count, team)),
        all_(groups.count),
        affinities_(groups.count),
        may_be_alone_(!result.clusters_asked || groups.count < *result.clusters_asked) {
    std::iota(all_.begin(), all_.end(), ClusterId{0});
  }

  // The place of a node; sums over all of its rows.
  Standing place(ObjectId node) {
    const ClusterId own = groups_.labels.of[node];
    const std::vector<ClusterId>& clusters = candidates(node);
    sums_.affinities(node, groups_.labels, clusters, affinities_.data());
    const double weight = view_.node_weights().of(node);
    Standing out;
    out.cluster = static_cast<std::int32_t>(own);
    out.other = -std::numeric_limits<double>::infinity();
    if (may_be_alone_ && groups_.weights[own] > weight) {
      out.other = 0;
    }
    for (std::size_t c = 0; c < clusters.size(); ++c) {
      const double affinity = sums_.unit() * affinities_[c] / weight;
      if (clusters[c] == own) {
        out.own = affinity;
      } else if (affinity > out.other) {
        out.other = affinity;
        out.next = static_cast<std::int32_t>(clusters[c]);
      }
    }
    return out;
  }

 private:
  // On a graph with many clusters, those that the node has neighbours in.
  const std::vector<ClusterId>& candidates(ObjectId node) {
    if constexpr (std::is_same_v<View, GraphProblem>) {
      if (groups_.count > kFewClusters) {
        sums_.list_near(node, groups_.labels, near_);
        return near_;
      }
    }
    (void)node;
    return all_;
  }

  const View& view_;
  const Grouped& groups_;
  ClusterSums<View> sums_;
  std::vector<ClusterId> all_;
  std::vector<ClusterId> near_;
  std::vector<double> affinities_;
  bool may_be_alone_;
};

template <class View>
void judge(const View& view, const RowNodes& nodes, const Grouped& groups, const Result& result,
           const std::vector<ObjectId>& sample, const ThreadTeam& team, Standings& out) {
  const double work = work_of(view, groups.count) * static_cast<double>(nodes.size());
  const bool is_graph = std::is_same_v<View, GraphProblem>;
  out.is_sample = work > kMostWork && !(is_graph && groups.count > kFewClusters);
  std::vector<bool> is_judged(nodes.size(), false);
  Judge<View> judge(view, groups, result, team);
  const std::size_t count = out.is_sample ? sample.size() : result.labels.size();
  for (std::size_t i = 0; i < count; ++i) {
    const ObjectId row = out.is_sample ? sample[i] : static_cast<ObjectId>(i);
    const ObjectId node = nodes.of(row);
    team.poll_each(i);
    if (node == kNoNode || is_judged[node]) {
      continue;
    }
    is_judged[node] = true;
    Standing standing = judge.place(node);
    standing.object = row;
    out.all.push_back(standing);
  }
}

// ---- Blocks ----

// How many groups each of the largest clusters is divided into: in proportion to its size.
std::vector<std::size_t> groups_of_clusters(const std::vector<std::size_t>& nodes_in,
                                            std::size_t all) {
  const std::size_t shown = std::min(nodes_in.size(), kMostBlockClusters);
  std::vector<std::size_t> groups(shown);
  for (std::size_t k = 0; k < shown; ++k) {
    const double share = static_cast<double>(nodes_in[k]) / static_cast<double>(all);
    const auto wanted =
        static_cast<std::size_t>(std::lround(share * static_cast<double>(kMostBlocks - shown)));
    groups[k] = std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(1, nodes_in[k]));
  }
  return groups;
}

// Divides the nodes of each cluster into groups of nearly the same number, in the order of `rank`.
Grouped divided(const Grouped& clusters, const std::vector<double>& rank, Blocks& blocks) {
  std::vector<std::vector<ObjectId>> members(clusters.count);
  for (ObjectId node = 0; node < clusters.labels.of.size(); ++node) {
    members[clusters.labels.of[node]].push_back(node);
  }
  std::vector<std::size_t> nodes_in;
  for (auto& list : members) {
    std::ranges::stable_sort(list, std::greater<>(), [&](ObjectId node) { return rank[node]; });
    nodes_in.push_back(list.size());
  }
  const std::vector<std::size_t> groups = groups_of_clusters(nodes_in, clusters.labels.of.size());
  Grouped out;
  out.labels.of.assign(clusters.labels.of.size(), 0);
  for (std::size_t k = 0; k < groups.size(); ++k) {
    for (std::size_t m = 0; m < members[k].size(); ++m) {
      const std::size_t group = m * groups[k] / members[k].size();
      out.labels.of[members[k][m]] = static_cast<ClusterId>(out.count + group);
    }
    out.count += groups[k];
    blocks.clusters.insert(blocks.clusters.end(), groups[k], static_cast<std::int32_t>(k));
  }
  if (groups.size() < clusters.count) {
    for (std::size_t k = groups.size(); k < clusters.count; ++k) {
      for (const ObjectId node : members[k]) {
        out.labels.of[node] = static_cast<ClusterId>(out.count);
      }
    }
    ++out.count;
    blocks.clusters.push_back(-1);
  }
  return out;
}

// Rows of blocks from at most kNodesPerBlock nodes of each group, columns from all nodes.
template <class View>
void fill_blocks(const View& view, const Grouped& groups, std::uint64_t seed,
                 const ThreadTeam& team, Blocks& blocks) {
  const std::size_t n = groups.labels.of.size();
  std::vector<double> weight(groups.count, 0.0);
  std::vector<std::size_t> left(groups.count, 0);
  for (ObjectId node = 0; node < n; ++node) {
    weight[groups.labels.of[node]] += view.node_weights().of(node);
    ++left[groups.labels.of[node]];
  }
  std::vector<std::size_t> wanted(groups.count);
  std::ranges::transform(left, wanted.begin(),
                         [](std::size_t size) { return std::min(size, kNodesPerBlock); });
  ClusterSums<View> sums = summed(view, groups.labels, groups.count, team);
  std::vector<ClusterId> all(groups.count);
  std::iota(all.begin(), all.end(), ClusterId{0});
  std::vector<double> affinities(groups.count);
  std::vector<double> total(groups.count * groups.count, 0.0);
  std::vector<double> pairs(groups.count * groups.count, 0.0);
  Rng rng(seed, kBlockStream);
  for (ObjectId node = 0; node < n; ++node) {
    const ClusterId own = groups.labels.of[node];
    team.poll_each(node);
    const bool is_taken =
        rng.uniform() * static_cast<double>(left[own]) < static_cast<double>(wanted[own]);
    --left[own];
    if (!is_taken) {
      continue;
    }
    --wanted[own];
    sums.affinities(node, groups.labels, all, affinities.data());
    const double count = view.node_weights().of(node);
    for (std::size_t g = 0; g < groups.count; ++g) {
      total[own * groups.count + g] += sums.unit() * affinities[g];
      pairs[own * groups.count + g] += count * (weight[g] - (g == own ? count : 0));
    }
  }
  blocks.means.assign(total.size(), 0.0);
  for (std::size_t a = 0; a < groups.count; ++a) {
    for (std::size_t b = 0; b < groups.count; ++b) {
      const double sum = total[a * groups.count + b] + total[b * groups.count + a];
      const double of = pairs[a * groups.count + b] + pairs[b * groups.count + a];
      blocks.means[a * groups.count + b] = of > 0 ? sum / of : 0;
    }
  }
  for (const double value : weight) {
    blocks.sizes.push_back(static_cast<std::size_t>(std::llround(value)));
  }
}

// By affinity to the own cluster; of nodes that were not judged, 0.
std::vector<double> ranks_of(const RowNodes& nodes, const std::vector<Standing>& standings) {
  std::vector<double> rank(nodes.size(), 0.0);
  for (const Standing& standing : standings) {
    rank[nodes.of(standing.object)] = standing.own;
  }
  return rank;
}

}  // namespace

Standings standings(const Input& input, const Options& given, const Result& result,
                    const NeighborTable* neighbors, const std::vector<ObjectId>& sample,
                    ThreadTeam& team, const Control& control) {
  const Options options = chosen_by(result, given);
  const RowNodes nodes(input, options, team);
  const Similarities similarities =
      neighbors != nullptr && neighbors->objects == nodes.size()
          ? similarities_of_neighbors(*neighbors, options.similarity, nodes.input().weights, team)
          : make_similarities(nodes.input(), options.similarity, team, control);
  const Problem problem = make_problem(similarities, options.shift, team, control);
  const Grouped clusters = grouped(nodes, result);
  Standings out;
  std::visit(
      [&](const auto& view) {
        judge(view, nodes, clusters, result, sample, team, out);
        const Grouped groups = divided(clusters, ranks_of(nodes, out.all), out.blocks);
        fill_blocks(view, groups, result.seed, team, out.blocks);
      },
      problem);
  return out;
}

}  // namespace shiftcut
