// Perturbation of features and matrices: a region is an object and those most similar to it, and
// every trial is followed by full sweeps.
#include <algorithm>
#include <cmath>

#include "core/work_meter.hpp"
#include "descent/descend.hpp"
#include "search/improve.hpp"

namespace shiftcut {

namespace {

std::vector<ObjectId> members_of(std::span<const ClusterId> labels, ClusterId k) {
  std::vector<ObjectId> members;
  for (ObjectId i = 0; i < labels.size(); ++i) {
    if (labels[i] == k) {
      members.push_back(i);
    }
  }
  return members;
}

// Moves the members that are more similar to one of two dissimilar members than to the other.
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

// Moves part of one cluster, the objects most similar to one of them, to another.
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

// The clusters in use, and a number for one more if K allows it.
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

void change_at_random(const Problem& problem, std::vector<ClusterId>& labels,
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
  } else if (a != b) {  // merge two, then split the cluster of a random object
    for (ClusterId& k : labels) {
      k = k == now.clusters[a] ? now.clusters[b] : k;
    }
    const ClusterId k = labels[rng.below(static_cast<std::uint32_t>(labels.size()))];
    split_cluster(problem, labels, k, now.clusters[a], rng);
  }
}

}  // namespace

Restart perturb(const Problem& problem, std::vector<ClusterId>& labels, double cost_before,
                const PerturbOptions& options, const Context& context) {
  const Context own = context.unwatched();  // the work of all trials is what is reported
  Restart restart;
  if (std::holds_alternative<GraphProblem>(problem)) {
    restart = perturb_graph(problem, labels, cost_before, options, own);
  } else {
    WorkMeter meter(context.control(), "improving", static_cast<std::size_t>(options.sweeps));
    restart.cost = cost_before;
    do {
      std::vector<ClusterId> tried = labels;
      change_at_random(problem, tried, options.clusters, own.rng);
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
