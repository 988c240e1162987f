#include "shiftcut/methods/dominant_sets.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/message.hpp"
#include "core/work_meter.hpp"
#include "methods/dominant_sets/dominant_set.hpp"
#include "methods/dominant_sets/tuning.hpp"
#include "methods/operations.hpp"

namespace shiftcut::methods {

namespace {

constexpr const char* kTrajectories = "dominant set trajectories";

struct CutCluster {
  std::vector<std::uint32_t> objects;  // ascending
  std::vector<std::uint32_t> stay;     // its best cut: these positions against the others
  double gain = 0;
};

void check(const DominantSetTrajectoriesOptions& options, std::size_t n) {
  if (options.clusters < 1 || options.clusters > n) {
    refuse("out_of_range", "",
           "{}: found {} clusters requested; allowed: 1 to {}, the number of objects",
           kTrajectories, options.clusters, n);
  }
  if (options.steps < 1) {
    refuse("out_of_range", "", "{}: found 0 steps; allowed: 1 or more", kTrajectories);
  }
}

// The positions above the largest gap of x, ascending; none where all are equal.
std::vector<std::uint32_t> above_largest_gap(std::span<const double> x) {
  std::vector<std::uint32_t> order(x.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t i, std::uint32_t j) { return x[i] > x[j]; });
  std::size_t above = 0;
  double largest = kLeastGap * x[order[0]];
  for (std::size_t k = 1; k < order.size(); ++k) {
    const double gap = x[order[k - 1]] - x[order[k]];
    if (gap > largest) {
      largest = gap;
      above = k;
    }
  }
  order.resize(above);
  std::sort(order.begin(), order.end());
  return order;
}

// |k| f(barycentre of k), summed over the two sides, minus that of the whole.
double gain_of(const SimilarityPart& part, std::span<const std::uint32_t> stay,
               const Workers& workers) {
  const std::size_t m = part.size();
  std::vector<double> side(m, 0.0);
  for (const std::uint32_t k : stay) {
    side[k] = 1;
  }
  std::vector<double> to_all(m);
  std::vector<double> to_side(m);
  part.multiply(std::vector<double>(m, 1.0), to_all, workers.team);
  part.multiply(side, to_side, workers.team);
  double all = 0;
  double inside = 0;
  double across = 0;
  for (std::size_t k = 0; k < m; ++k) {
    all += to_all[k];
    inside += side[k] * to_side[k];
    across += (1 - side[k]) * to_side[k];
  }
  const auto size = static_cast<double>(stay.size());
  const auto others = static_cast<double>(m) - size;
  return inside / size + (all - inside - 2 * across) / others - all / (size + others);
}

// Finds the cluster's cut. None if neither side would be large enough, so that cuts never reduce
// the number of valid clusters.
void find_cut(const SimilarityPart& whole, CutCluster& cluster, const Lift& lift,
              const DominantSetTrajectoriesOptions& options, const Workers& workers) {
  const SimilarityPart part = whole.kept(cluster.objects);
  if (part.size() < 2) {
    return;
  }
  const DynamicsLimits limits{1e-300, options.steps};  // never at rest before
  std::vector<double> x = replicate(part, lift, barycentre(part.size()), limits, workers).x;
  cluster.stay = above_largest_gap(x);
  if (cluster.stay.empty() && leave_saddle(part, lift, x, workers)) {
    cluster.stay = above_largest_gap(replicate(part, lift, std::move(x), limits, workers).x);
  }
  const std::size_t stay = cluster.stay.size();
  if (std::max(stay, part.size() - stay) < options.min_size) {
    cluster.stay.clear();
  }
  if (!cluster.stay.empty()) {
    cluster.gain = gain_of(part, cluster.stay, workers);
  }
}

std::pair<CutCluster, CutCluster> cut(const CutCluster& cluster) {
  std::pair<CutCluster, CutCluster> sides;
  std::size_t next = 0;
  for (std::uint32_t k = 0; k < cluster.objects.size(); ++k) {
    const bool stays = next < cluster.stay.size() && cluster.stay[next] == k;
    (stays ? sides.first : sides.second).objects.push_back(cluster.objects[k]);
    next += stays ? 1 : 0;
  }
  return sides;
}

std::size_t count_valid(const std::vector<CutCluster>& clusters, std::size_t min_size) {
  return static_cast<std::size_t>(
      std::count_if(clusters.begin(), clusters.end(),
                    [&](const CutCluster& cluster) { return cluster.objects.size() >= min_size; }));
}

// The cluster with the best cut, or the end.
std::vector<CutCluster>::iterator best_cut(std::vector<CutCluster>& clusters) {
  auto best = clusters.end();
  for (auto cluster = clusters.begin(); cluster != clusters.end(); ++cluster) {
    if (!cluster->stay.empty() && (best == clusters.end() || cluster->gain > best->gain)) {
      best = cluster;
    }
  }
  return best;
}

// Dissolves clusters that are too small.
void prune(const Similarities& similarities, std::vector<CutCluster> clusters, std::size_t min_size,
           DominantSetTrajectoriesResult& result, const Workers& workers) {
  if (count_valid(clusters, min_size) == 0) {
    min_size = 0;  // fewer objects than the least size: they stay together
  }
  std::vector<DominantSet> sets;
  std::vector<std::uint32_t> rest;
  for (CutCluster& cluster : clusters) {
    if (cluster.objects.size() < min_size) {
      rest.insert(rest.end(), cluster.objects.begin(), cluster.objects.end());
      ++result.dissolved;
      continue;
    }
    for (const std::uint32_t object : cluster.objects) {
      result.labels[object] = static_cast<std::int32_t>(sets.size());
    }
    sets.emplace_back().members = std::move(cluster.objects);
  }
  assign_leftovers(similarities, sets, rest, Leftovers::assign, result.labels, workers);
  result.clusters = sets.size();
}

}  // namespace

DominantSetTrajectoriesResult dominant_set_trajectories(
    const Similarities& similarities, const DominantSetTrajectoriesOptions& options,
    const Control& control) {
  check_similarities(similarities, kTrajectories);
  check_not_negative(similarities, kTrajectories);
  const std::size_t n = objects(similarities);
  check(options, n);
  ThreadTeam team(options.threads);
  const Workers workers{team, control};
  WorkMeter meter(control, kTrajectories, options.clusters);
  DominantSetTrajectoriesResult result;
  result.shift = shift_off_diagonal(similarities, options.shift, kTrajectories);
  const Lift lift{-result.shift, result.shift};
  const std::size_t most = options.max_cuts > 0 ? options.max_cuts : 10 * options.clusters;
  const SimilarityPart whole(similarities);

  std::vector<CutCluster> clusters(1);
  clusters[0].objects.resize(n);
  std::iota(clusters[0].objects.begin(), clusters[0].objects.end(), 0U);
  const auto enough = [&] { return count_valid(clusters, options.min_size) >= options.clusters; };
  if (!enough()) {
    find_cut(whole, clusters[0], lift, options, workers);
  }
  for (auto best = best_cut(clusters); !enough() && best != clusters.end() && result.cuts < most;
       best = best_cut(clusters)) {
    auto [stay, leave] = cut(*best);
    find_cut(whole, stay, lift, options, workers);
    find_cut(whole, leave, lift, options, workers);
    *best = std::move(stay);
    clusters.push_back(std::move(leave));
    ++result.cuts;
    meter.add();
  }

  result.labels.assign(n, -1);
  prune(similarities, std::move(clusters), options.min_size, result, workers);
  number_by_first_object(result.labels);
  return result;
}

}  // namespace shiftcut::methods
