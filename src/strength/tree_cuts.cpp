#include "strength/tree_cuts.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include <fmt/core.h>

#include "core/kept_bytes.hpp"
#include "multilevel/local_moving.hpp"
#include "shiftcut/checkpoint.hpp"
#include "strength/tuning.hpp"

namespace shiftcut {

namespace {

/// The tree, hung up at one of its nodes. Every piece has the weight of the parts below each of its
/// nodes, so that an edge is judged at once.
class HangingTree {
 public:
  HangingTree(std::span<const TreeEdge> tree, std::span<const Volume> nodes)
      : parent_(nodes.size(), kNoCluster), below_(nodes.size()), piece_(nodes.size(), 0) {
    set_neighbors(tree);
    hang_up();
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      below_[v] = nodes[v].size;
    }
    for (std::size_t at = order_.size(); at > 1; --at) {
      const ObjectId v = order_[at - 1];
      below_[parent_[v]] += below_[v];
    }
    weight_.push_back(below_[0]);
  }

  [[nodiscard]] std::size_t pieces() const { return weight_.size(); }

  /// Cuts the edge unless a side would weigh less than `least`.
  void cut(const TreeEdge& edge, double least) {
    const ObjectId child = parent_[edge.a] == edge.b ? edge.a : edge.b;
    const double rest = weight_[piece_[child]] - below_[child];
    if (below_[child] < least || rest < least) {
      return;
    }
    const ClusterId old = piece_[child];
    for (ObjectId v = parent_[child]; v != kNoCluster && piece_[v] == old; v = parent_[v]) {
      below_[v] -= below_[child];
    }
    weight_[old] = rest;
    relabel(child, old, static_cast<ClusterId>(weight_.size()));
    weight_.push_back(below_[child]);
  }

  [[nodiscard]] const std::vector<ClusterId>& labels() const { return piece_; }

 private:
  void set_neighbors(std::span<const TreeEdge> tree) {
    offsets_.assign(parent_.size() + 1, 0);
    for (const TreeEdge& edge : tree) {
      ++offsets_[edge.a + 1];
      ++offsets_[edge.b + 1];
    }
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    neighbors_.resize(2 * tree.size());
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    for (const TreeEdge& edge : tree) {
      neighbors_[next[edge.a]++] = edge.b;
      neighbors_[next[edge.b]++] = edge.a;
    }
  }

  template <class Visit>
  void for_each_child(ObjectId v, const Visit& visit) const {
    for (std::size_t at = offsets_[v]; at < offsets_[v + 1]; ++at) {
      if (neighbors_[at] != parent_[v]) {
        visit(neighbors_[at]);
      }
    }
  }

  void hang_up() {
    order_.push_back(0);
    for (std::size_t at = 0; at < order_.size(); ++at) {
      const ObjectId v = order_[at];
      for_each_child(v, [&](ObjectId child) {
        parent_[child] = v;
        order_.push_back(child);
      });
    }
  }

  // The part of a piece that hangs below `top`.
  void relabel(ObjectId top, ClusterId from, ClusterId to) {
    stack_.assign(1, top);
    while (!stack_.empty()) {
      const ObjectId v = stack_.back();
      stack_.pop_back();
      piece_[v] = to;
      for_each_child(v, [&](ObjectId child) {
        if (piece_[child] == from) {
          stack_.push_back(child);
        }
      });
    }
  }

  std::vector<ObjectId> parent_;  // kNoCluster: the node it hangs at
  std::vector<double> below_;     // weight of the node and what hangs below it in its piece
  std::vector<ClusterId> piece_;
  std::vector<double> weight_;  // of pieces
  std::vector<std::size_t> offsets_;
  std::vector<ObjectId> neighbors_;
  std::vector<ObjectId> order_;  // parents before children
  std::vector<ObjectId> stack_;
};

}  // namespace

std::vector<ClusterId> cut_tree(std::span<const TreeEdge> tree, std::span<const Volume> nodes,
                                std::size_t clusters, double least) {
  HangingTree hanging(tree, nodes);
  for (const TreeEdge& edge : tree) {
    if (hanging.pieces() >= clusters) {
      break;
    }
    hanging.cut(edge, least);
  }
  return hanging.labels();
}

namespace {

// The tree that `make` returns, or that the checkpoint holds.
template <class Make>
std::vector<TreeEdge> kept_tree(const Context& context, std::size_t reach, std::size_t nodes,
                                const Make& make) {
  Checkpoint* checkpoint = context.control().checkpoint;
  if (checkpoint == nullptr || context.kept_as == nullptr) {
    return make();
  }
  const std::string name = fmt::format("{}-tree-{}", context.kept_as, reach);
  if (const std::string bytes = checkpoint->load(name); !bytes.empty()) {
    KeptReader reader(bytes);
    std::vector<TreeEdge> tree = reader.array<TreeEdge>();
    const bool joins_nodes = std::ranges::all_of(
        tree, [nodes](const TreeEdge& edge) { return edge.a < nodes && edge.b < nodes; });
    if (reader.is_whole() && tree.size() + 1 == nodes && joins_nodes) {
      return tree;
    }
    checkpoint->reject(name);
  }
  std::vector<TreeEdge> tree = make();
  KeptWriter writer;
  checkpoint->save(name, writer.array(tree).pieces());
  return tree;
}

}  // namespace

std::vector<std::vector<TreeEdge>> spanning_trees(const NeighborDistances& distances,
                                                  std::span<const ClusterId> groups,
                                                  std::size_t nodes, const Context& context) {
  std::vector<std::vector<TreeEdge>> trees;
  try {
    const StopScope scope(context.team, context.stop);
    for (const std::size_t reach : kReaches) {
      context.team.poll();
      trees.push_back(kept_tree(context, reach, nodes, [&] {
        return spanning_tree(distances, reach, groups, nodes, context.team);
      }));
    }
  } catch (const Interrupted&) {
    return trees;
  }
  return trees;
}

std::vector<Voter> tree_voters(const std::vector<std::vector<TreeEdge>>& trees,
                               const SparseLevel& unit, std::size_t clusters,
                               const Streams& streams, const Context& context) {
  const std::span<const Volume> nodes = unit.nodes().volume;
  double objects = 0;
  for (const Volume& node : nodes) {
    objects += node.size;
  }
  const std::size_t cuts = trees.size() * kLeastPieces.size();
  std::vector<Voter> voters(cuts);
  context.team.for_each(cuts, [&](std::size_t c, int) {
    Solution cut = kept(context, c, unit.size(), [&] {
      const double share = kLeastPieces[c % kLeastPieces.size()];
      const double least = std::max(2.0, share * objects / static_cast<double>(clusters));
      const std::vector<ClusterId> pieces =
          cut_tree(trees[c / kLeastPieces.size()], nodes, clusters, least);
      ThreadTeam alone(1);
      Rng rng(streams.seed, streams.first + c);
      LocalMoving<SparseLevel> moving(unit, pieces, clusters, {rng, alone, context.stop});
      moving.move_until_stable();
      return Solution{moving.labels(), 0, {}};
    });
    voters[c] = {std::move(cut.labels), 0, 1, kTreeWeight / static_cast<double>(cuts), true};
  });
  return voters;
}

}  // namespace shiftcut
