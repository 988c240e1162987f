#include "search/perturb.hpp"

#include <algorithm>
#include <cmath>

#include "core/work_meter.hpp"
#include "descent/descend.hpp"
#include "multilevel/level.hpp"
#include "multilevel/local_moving.hpp"
#include "multilevel/regions.hpp"
#include "multilevel/small_matrix.hpp"
#include "search/small_pool.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kSmallGraph = 400;  // nodes
constexpr int kSweepsARound = 10;         // on a small graph
constexpr std::size_t kTriesToFind = 16;  // a node at the border of its cluster

// ---- On a graph: regions grow along edges, and only what was changed is moved again ----

class GraphTrials {
 public:
  GraphTrials(const GraphProblem& problem, std::span<const ClusterId> labels,
              std::optional<std::size_t> clusters, const Context& context)
      : level_(problem),
        free_(!clusters),
        rng_(context.rng),
        moving_(level_, labels, clusters ? *clusters : level_.size(), context),
        regions_(level_) {}

  // Whether the trial lowered the cost; if not, all is as before.
  bool run(double least_gain) {
    ++trials_;
    moving_.begin_trial();
    const std::uint32_t kind = rng_.below(4);
    if (kind == 0) {
      move_group();
    } else if (kind == 1 && (free_ || moving_.find_empty() != kNoCluster)) {
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
  /// Nodes looked at so far, and some for each trial: there may be none to look at.
  [[nodiscard]] std::size_t work() const {
    return moving_.judged() + regions_.seen() + kTriesToFind * trials_;
  }

 private:
  ObjectId any_node() { return rng_.below(static_cast<std::uint32_t>(level_.size())); }

  // A node with a neighbour in another cluster, and that cluster.
  bool find_border(ObjectId& node, ClusterId& other) {
    for (std::size_t attempt = 0; attempt < kTriesToFind; ++attempt) {
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

  // With K = 2, or for one cluster in the middle, the merged one is split again, elsewhere.
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
  bool free_;
  Rng& rng_;
  LocalMoving<SparseLevel> moving_;
  Regions regions_;
  std::size_t moves_ = 0;
  std::size_t trials_ = 0;
};

Restart perturb_graph(const GraphProblem& graph, const Problem& problem,
                      std::vector<ClusterId>& labels, double cost_before,
                      const TrialOptions& options, const Context& context) {
  const std::optional<std::size_t> clusters = options.clusters;
  GraphTrials trial(graph, labels, clusters, context);
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
  restart.sweeps = static_cast<int>((trial.moving().judged() + labels.size() - 1) / labels.size());
  restart.moves = trial.moves();
  if (!better) {
    return restart;
  }
  std::vector<ClusterId> found = trial.moving().labels();
  if (!clusters) {
    number_densely(found);
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

// ---- On a small graph: all of S in the cache ----

Restart perturb_small(const GraphProblem& graph, const Problem& problem,
                      std::vector<ClusterId>& labels, double cost_before,
                      const TrialOptions& options, const Context& context) {
  const SmallMatrix s = small_matrix(SparseLevel(graph));
  const std::size_t slots = options.clusters.value_or(labels.size());
  SmallPool pool(s, slots, graph.tolerance(), context);
  // The more objects and clusters there are, the more of this is done in the time of a sweep.
  const int rounds = (options.sweeps + kSweepsARound - 1) / kSweepsARound;
  const std::size_t least = std::clamp<std::size_t>(2 * slots, 10, 20);
  const std::size_t times = std::max(least, labels.size() / 20);
  const PoolOptions a_round{std::min<std::size_t>(16, std::max(least, labels.size() / 16)),
                            slots > kFewClusters ? times + times / 2 : times};
  SmallAnswer best{cost_before, labels};
  WorkMeter meter(context.control(), "improving", static_cast<std::uint64_t>(rounds));
  for (int round = 0; round < rounds && !context.should_stop(); ++round) {
    best = pool.improve(best, a_round);
    meter.add();
  }
  Restart restart;
  restart.cost = cost_before;
  restart.sweeps = options.sweeps;
  if (best.cost < cost_before) {
    const Restart last = descend(problem, best.labels, options.clusters, context);
    restart.moves = last.moves;
    if (last.cost < cost_before) {
      restart.cost = last.cost;
      labels = std::move(best.labels);
    }
  }
  return restart;
}

// ---- Elsewhere: groups are those most similar to an object, and all sweep again ----

std::vector<ObjectId> members_of(std::span<const ClusterId> labels, ClusterId k) {
  std::vector<ObjectId> members;
  for (ObjectId i = 0; i < labels.size(); ++i) {
    if (labels[i] == k) {
      members.push_back(i);
    }
  }
  return members;
}

// The members that are more similar to one of two of them that are far apart.
void split_cluster(const Problem& problem, std::vector<ClusterId>& labels, ClusterId k,
                   ClusterId to, Rng& rng) {
  const std::vector<ObjectId> members = members_of(labels, k);
  if (members.size() < 2) {
    return;
  }
  const auto least_like = [&](ObjectId from) {
    return *std::min_element(members.begin(), members.end(), [&](ObjectId a, ObjectId b) {
      return shifted(problem, from, a) < shifted(problem, from, b);
    });
  };
  const ObjectId any = members[rng.below(static_cast<std::uint32_t>(members.size()))];
  const ObjectId one = rng.below(2) == 0 ? any : least_like(any);
  const ObjectId other = least_like(one);
  for (const ObjectId i : members) {
    if (i != one && (i == other || shifted(problem, i, other) > shifted(problem, i, one))) {
      labels[i] = to;
    }
  }
}

// Part of one cluster, those most similar to one of its objects, goes to another.
void move_group(const Problem& problem, std::vector<ClusterId>& labels, ClusterId from,
                ClusterId to, Rng& rng) {
  std::vector<ObjectId> members = members_of(labels, from);
  const auto count = static_cast<std::uint32_t>(members.size());
  if (count < 2) {
    return;
  }
  const ObjectId centre = members[rng.below(count)];
  const std::size_t moved = 1 + rng.below(std::max<std::uint32_t>(1, count / 2));
  std::vector<double> likeness(labels.size());
  for (const ObjectId i : members) {
    likeness[i] = shifted(problem, centre, i);
  }
  std::nth_element(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(moved) - 1,
                   members.end(), [&](ObjectId a, ObjectId b) {
                     return likeness[a] > likeness[b] || (likeness[a] == likeness[b] && a < b);
                   });
  for (std::size_t i = 0; i < moved; ++i) {
    labels[members[i]] = to;
  }
}

// Which clusters there are, and a number for one more if that is allowed.
struct Present {
  std::vector<ClusterId> clusters;
  ClusterId spare = kNoCluster;
};

Present present(std::span<const ClusterId> labels, std::optional<std::size_t> clusters) {
  std::vector<bool> has(
      std::max<std::size_t>(clusters.value_or(0),
                            *std::max_element(labels.begin(), labels.end()) + std::size_t{2}),
      false);
  for (const ClusterId k : labels) {
    has[k] = true;
  }
  Present out;
  for (ClusterId k = 0; k < has.size(); ++k) {
    if (has[k]) {
      out.clusters.push_back(k);
    } else if (out.spare == kNoCluster && (!clusters || k < *clusters)) {
      out.spare = k;
    }
  }
  return out;
}

void change(const Problem& problem, std::vector<ClusterId>& labels,
            std::optional<std::size_t> clusters, Rng& rng) {
  const Present now = present(labels, clusters);
  const auto count = static_cast<std::uint32_t>(now.clusters.size());
  const std::uint32_t a = rng.below(count);
  const std::uint32_t b = count > 1 ? (a + 1 + rng.below(count - 1)) % count : a;
  const std::uint32_t kind = rng.below(4);
  if (kind == 0 && a != b) {
    move_group(problem, labels, now.clusters[a], now.clusters[b], rng);
  } else if (kind == 1 && now.spare != kNoCluster) {
    split_cluster(problem, labels, now.clusters[a], now.spare, rng);
  } else if (a != b) {  // merge two, split what a random object is in then
    for (ClusterId& k : labels) {
      k = k == now.clusters[a] ? now.clusters[b] : k;
    }
    const ClusterId k = labels[rng.below(static_cast<std::uint32_t>(labels.size()))];
    split_cluster(problem, labels, k, now.clusters[a], rng);
  }
}

}  // namespace

bool has_pool(const Problem& problem, std::optional<std::size_t> clusters) {
  return clusters && std::holds_alternative<GraphProblem>(problem) && size(problem) <= kSmallGraph;
}

Restart perturb(const Problem& problem, std::vector<ClusterId>& labels, double cost_before,
                const TrialOptions& options, const Context& context) {
  const Context own = context.unwatched();  // the work of all trials is what is reported
  Restart restart;
  if (const auto* graph = std::get_if<GraphProblem>(&problem)) {
    const bool by_pool = has_pool(problem, options.clusters);
    restart = (by_pool ? perturb_small : perturb_graph)(*graph, problem, labels, cost_before,
                                                        options, own);
  } else {
    WorkMeter meter(context.control(), "improving", static_cast<std::size_t>(options.sweeps));
    restart.cost = cost_before;
    do {
      std::vector<ClusterId> tried = labels;
      change(problem, tried, options.clusters, own.rng);
      const Restart descent = descend(problem, tried, options.clusters, own);
      restart.sweeps += descent.sweeps;
      restart.moves += descent.moves;
      meter.add(static_cast<std::size_t>(descent.sweeps));
      if (descent.cost < restart.cost) {
        restart.cost = descent.cost;
        labels = std::move(tried);
      }
    } while (restart.sweeps < options.sweeps && !context.should_stop());
  }
  restart.method = "perturbation";
  return restart;
}

}  // namespace shiftcut
