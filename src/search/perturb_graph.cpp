// Perturbation on a graph: regions grow along edges, and only what was changed is moved again.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/work_meter.hpp"
#include "descent/descend.hpp"
#include "multilevel/local_moving.hpp"
#include "search/improve.hpp"
#include "search/tuning.hpp"

namespace shiftcut {

namespace {

// Regions of a graph: nodes found by following edges, nearest first.
class Regions {
 public:
  explicit Regions(const SparseLevel& level) : level_(level), seen_(level.size(), 0) {}

  // `node` and the nodes reached from it through nodes that `belongs` accepts, breadth first, up to
  // `most` of them.
  template <class Belongs>
  std::vector<ObjectId> around(ObjectId node, const Belongs& belongs,
                               std::size_t most = std::numeric_limits<std::size_t>::max()) {
    const std::uint32_t stamp = ++stamp_;
    std::vector<ObjectId> found{node};
    seen_[node] = stamp;
    for (std::size_t i = 0; i < found.size() && found.size() < most; ++i) {
      level_.for_each_neighbor(found[i], [&](ObjectId u) {
        if (seen_[u] != stamp && found.size() < most && belongs(u)) {
          seen_[u] = stamp;
          found.push_back(u);
        }
      });
    }
    reached_ += found.size();
    return found;
  }

  // The half of that region that is nearer to one of its ends than to the other. Never all of it
  // unless it is one node.
  template <class Belongs>
  std::vector<ObjectId> half(ObjectId node, const Belongs& belongs) {
    const ObjectId one = around(node, belongs).back();
    const ObjectId other = around(one, belongs).back();
    if (one == other) {
      return {one};
    }
    // Both ends grow at the same time; marks say which of them reached a node first.
    const std::uint32_t first = ++stamp_;
    const std::uint32_t second = ++stamp_;
    std::vector<ObjectId> found{one, other};
    seen_[one] = first;
    seen_[other] = second;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::uint32_t mark = seen_[found[i]];
      level_.for_each_neighbor(found[i], [&](ObjectId u) {
        if (seen_[u] != first && seen_[u] != second && belongs(u)) {
          seen_[u] = mark;
          found.push_back(u);
        }
      });
    }
    reached_ += found.size();
    std::erase_if(found, [&](ObjectId v) { return seen_[v] != first; });
    return found;
  }

  // Nodes reached so far.
  [[nodiscard]] std::size_t seen() const { return reached_; }

 private:
  const SparseLevel& level_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t stamp_ = 0;
  std::size_t reached_ = 0;
};

// Trials on one solution: each changes it, moves what was affected, and is kept or undone.
class Trials {
 public:
  Trials(const GraphProblem& problem, std::span<const ClusterId> labels,
         std::optional<std::size_t> clusters, const Context& context)
      : level_(problem),
        is_free_(!clusters),
        rng_(context.rng),
        moving_(level_, labels, clusters ? *clusters : level_.size(), context),
        regions_(level_) {}

  // Whether the trial lowered the cost; if not, it is undone.
  bool run(double least_gain) {
    ++trials_;
    moving_.begin_trial();
    const std::uint32_t kind = rng_.below(4);
    if (kind == 0) {
      move_group();
    } else if (kind == 1 && (is_free_ || moving_.find_empty() != kNoCluster)) {
      rng_.below(2) == 0 ? split(any_node()) : void(merge());
    } else {
      merge_and_split();
    }
    moves_ += moving_.move_placed();
    if (moving_.lowered() > least_gain) {
      return true;
    }
    moving_.undo();
    return false;
  }

  [[nodiscard]] const LocalMoving<SparseLevel>& moving() const { return moving_; }
  [[nodiscard]] std::size_t moves() const { return moves_; }
  // Nodes visited so far, plus some per trial, as a trial may visit none.
  [[nodiscard]] std::size_t work() const {
    return moving_.visits() + regions_.seen() + kBorderDraws * trials_;
  }

 private:
  ObjectId any_node() { return rng_.below(static_cast<std::uint32_t>(level_.size())); }

  // A node with a neighbour in another cluster, and that cluster.
  bool find_border(ObjectId& node, ClusterId& other) {
    for (std::size_t attempt = 0; attempt < kBorderDraws; ++attempt) {
      node = any_node();
      const std::size_t edges = level_.edges_of(node);
      if (edges == 0) {
        continue;
      }
      const auto first = rng_.below(static_cast<std::uint32_t>(edges));
      for (std::size_t e = 0; e < edges; ++e) {
        const ObjectId u = level_.neighbor(node, (first + e) % edges);
        if (moving_.label(u) != moving_.label(node)) {
          other = moving_.label(u);
          return true;
        }
      }
    }
    return false;
  }

  bool in_cluster(ObjectId v, ClusterId k) const { return moving_.label(v) == k; }

  bool merge() {
    ObjectId node = 0;
    ClusterId other = 0;
    if (!find_border(node, other)) {
      return false;
    }
    const ClusterId own = moving_.label(node);
    for (const ObjectId v : regions_.around(node, [&](ObjectId u) { return in_cluster(u, own); })) {
      moving_.place(v, other);
    }
    return true;
  }

  void split(ObjectId node) {
    const ClusterId to = moving_.find_empty();
    if (to == kNoCluster) {
      return;
    }
    const ClusterId own = moving_.label(node);
    for (const ObjectId v : regions_.half(node, [&](ObjectId u) { return in_cluster(u, own); })) {
      moving_.place(v, to);
    }
  }

  // If the merged cluster is the one that is split, it is split elsewhere than before.
  void merge_and_split() {
    merge();
    split(any_node());
  }

  void move_group() {
    ObjectId node = 0;
    ClusterId other = 0;
    if (!find_border(node, other)) {
      return;
    }
    const ClusterId own = moving_.label(node);
    const double half = std::max(2.0, moving_.cluster_size(own) / 2);
    const auto most = static_cast<std::size_t>(2 + rng_.uniform() * half);
    for (const ObjectId v :
         regions_.around(node, [&](ObjectId u) { return in_cluster(u, own); }, most)) {
      moving_.place(v, other);
    }
  }

  SparseLevel level_;
  bool is_free_;
  Rng& rng_;
  LocalMoving<SparseLevel> moving_;
  Regions regions_;
  std::size_t moves_ = 0;
  std::size_t trials_ = 0;
};

}  // namespace

Restart perturb_graph(const Problem& problem, std::vector<ClusterId>& labels, double cost_before,
                      const PerturbOptions& options, const Context& context) {
  const auto& graph = std::get<GraphProblem>(problem);
  const std::optional<std::size_t> clusters = options.clusters;
  Trials trial(graph, labels, clusters, context);
  const std::size_t most = static_cast<std::size_t>(options.sweeps) * labels.size();
  const double least_gain = 1e-9 * std::abs(cost_before) + graph.tolerance();
  bool better = false;
  WorkMeter meter(context.control(), "improving", most);
  do {
    const std::size_t before = trial.work();
    better = trial.run(least_gain) || better;
    meter.add(trial.work() - before);
  } while (trial.work() < most && !context.should_stop());
  Restart restart;
  restart.cost = cost_before;
  restart.sweeps = static_cast<int>((trial.moving().visits() + labels.size() - 1) / labels.size());
  restart.moves = trial.moves();
  if (!better) {
    return restart;
  }
  std::vector<ClusterId> found = trial.moving().labels();
  if (!clusters) {
    compact_labels(found);
  }
  const Restart last = descend(problem, found, clusters, context);
  restart.sweeps += last.sweeps;
  restart.moves += last.moves;
  if (last.cost < cost_before) {
    restart.cost = last.cost;
    labels = std::move(found);
  }
  return restart;
}

}  // namespace shiftcut
