#include "shiftcut/methods/cut_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>

#include "core/message.hpp"
#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "core/work_meter.hpp"
#include "methods/cuts/cut_descent.hpp"
#include "methods/operations.hpp"
#include "metrics/cut_costs.hpp"

namespace shiftcut::methods {

namespace {

// A move must lower the cost by this share of the sums its terms are made of; less is rounding.
constexpr double kLeastGain = 1e-12;

constexpr std::array<std::pair<std::string_view, CutCost>, 5> kNames = {
    {{"min_cut", CutCost::min_cut},
     {"ratio_association", CutCost::ratio_association},
     {"ratio_cut", CutCost::ratio_cut},
     {"normalized_cut", CutCost::normalized_cut},
     {"adaptive_ratio_cut", CutCost::adaptive_ratio_cut}}};

void check_options(const CutSearchOptions& options, std::size_t n) {
  if (options.clusters < 1 || options.clusters > n) {
    refuse("out_of_range", "", "clusters: found {}; allowed: 1 to {}, the number of objects",
           options.clusters, n);
  }
  if (options.restarts < 1) {
    refuse("out_of_range", "", "restarts: found {}; allowed: 1 or more", options.restarts);
  }
  if (options.max_sweeps < 1) {
    refuse("out_of_range", "", "max_sweeps: found {}; allowed: 1 or more", options.max_sweeps);
  }
  if (options.cost == CutCost::adaptive_ratio_cut && !(options.p > 1 && std::isfinite(options.p))) {
    refuse("out_of_range", "", "adaptive ratio cut: found p = {}; allowed: above 1", options.p);
  }
}

void check_degrees(const std::vector<double>& degrees) {
  const auto low = std::find_if(degrees.begin(), degrees.end(), [](double d) { return !(d > 0); });
  if (low != degrees.end()) {
    refuse("out_of_range", "",
           "normalized cut: found {} as the sum of the similarities of object {}; allowed: above 0",
           *low, low - degrees.begin());
  }
}

void check_cuts(const Similarities& similarities) {
  for_each_weight(similarities, [](std::size_t i, std::size_t j, double value) {
    if (value < 0 && i != j) {
      refuse("out_of_range", "",
             "adaptive ratio cut: found the similarity {} of objects {} and {}; allowed: 0 or more",
             value, i, j);
    }
  });
}

// A single cluster cuts nothing, whatever the similarities.
CutSearchResult one_cluster(const ObjectSums& sums, const CutSearchOptions& options) {
  const std::size_t n = sums.degree.size();
  CutSearchResult result;
  result.labels.assign(n, 0);
  if (options.cost == CutCost::ratio_association) {
    result.cost =
        -std::accumulate(sums.degree.begin(), sums.degree.end(), 0.0) / static_cast<double>(n);
  }
  result.sweeps = 1;
  result.costs.assign(static_cast<std::size_t>(options.restarts), result.cost);
  return result;
}

struct Descended {
  std::vector<ClusterId> labels;
  double cost = 0;
  int sweeps = 0;
  bool converged = false;
};

template <class Matrix, MoveCost Cost>
Descended descend(const Matrix& similarities, const ObjectSums& objects, Cost cost, double least,
                  const CutSearchOptions& options, Rng rng, const Control& control) {
  using Links = std::conditional_t<std::is_same_v<Matrix, DenseArray>, DenseLinks, GraphLinks>;
  Descended found;
  found.labels = labels_without_empty_clusters(objects.degree.size(), options.clusters, rng);
  Links links(similarities, found.labels, options.clusters);
  CutDescent descent(objects, links, cost, found.labels, options.clusters, least);
  while (!found.converged && found.sweeps < options.max_sweeps) {
    found.converged = descent.sweep(rng, control) == 0;
    ++found.sweeps;
  }
  found.cost = cost.cost();
  return found;
}

Descended one_restart(const Similarities& similarities, const ObjectSums& objects,
                      const CutSearchOptions& options, std::uint64_t restart,
                      const Control& control) {
  const Rng rng(options.seed, restart);
  // The normalized cut is a ratio; the other costs are sums of similarities.
  const double least =
      kLeastGain * (options.cost == CutCost::normalized_cut ? 1.0 : objects.largest);
  const auto with = [&](auto cost) {
    return std::visit(
        [&](const auto& x) {
          return descend(x, objects, std::move(cost), least, options, rng, control);
        },
        similarities);
  };
  switch (options.cost) {
    case CutCost::min_cut:
      return with(ClusterwiseCost<MinCutTerm>(options.clusters));
    case CutCost::ratio_association:
      return with(ClusterwiseCost<RatioAssociationTerm>(options.clusters));
    case CutCost::ratio_cut:
      return with(ClusterwiseCost<RatioCutTerm>(options.clusters));
    case CutCost::normalized_cut:
      return with(ClusterwiseCost<NormalizedCutTerm>(options.clusters));
    case CutCost::adaptive_ratio_cut:
      break;
  }
  return with(AdaptiveRatioCost(options.clusters, options.p));
}

}  // namespace

CutCost cut_cost_named(std::string_view name) {
  std::string allowed;
  for (const auto& [word, cost] : kNames) {
    if (word == name) {
      return cost;
    }
    allowed += (allowed.empty() ? "" : ", ") + std::string(word);
  }
  refuse("unknown_word", "", "cost: found '{}'; allowed: {}", name, allowed);
}

CutSearchResult cut_search(const Similarities& similarities, const CutSearchOptions& options,
                           const Control& control) {
  check_similarities(similarities, "cut search");
  check_options(options, objects(similarities));
  ThreadTeam team(options.threads);
  const ObjectSums sums = object_sums(similarities, team);
  if (options.clusters == 1) {
    return one_cluster(sums, options);
  }
  if (options.cost == CutCost::normalized_cut) {
    check_degrees(sums.degree);
  } else if (options.cost == CutCost::adaptive_ratio_cut) {
    check_cuts(similarities);
  }

  const auto restarts = static_cast<std::size_t>(options.restarts);
  WorkMeter meter(control, "search", restarts);
  std::mutex mutex;
  Descended best;
  std::size_t winner = restarts;
  CutSearchResult result;
  result.costs.resize(restarts);
  team.for_each(restarts, [&](std::size_t r, int) {
    Descended found = one_restart(similarities, sums, options, r, control);
    result.costs[r] = found.cost;
    meter.add();
    const std::scoped_lock lock(mutex);
    if (winner == restarts || found.cost < best.cost || (found.cost == best.cost && r < winner)) {
      winner = r;
      best = std::move(found);
    }
  });
  result.labels = by_decreasing_size(best.labels).labels;
  result.cost = best.cost;
  result.sweeps = best.sweeps;
  result.converged = best.converged;
  return result;
}

double cut_cost(const Similarities& similarities, std::span<const std::int32_t> labels,
                CutCost cost, double p) {
  check_similarities(similarities, "cut cost");
  const CutCosts costs(similarities, cluster_ids(labels, objects(similarities)));
  switch (cost) {
    case CutCost::min_cut:
      return costs.min_cut();
    case CutCost::ratio_association:
      return costs.ratio_association();
    case CutCost::ratio_cut:
      return costs.ratio_cut();
    case CutCost::normalized_cut:
      return costs.normalized_cut();
    case CutCost::adaptive_ratio_cut:
      break;
  }
  return costs.adaptive_ratio_cut(p);
}

CorrelationCost correlation_cost(const Similarities& similarities,
                                 std::span<const std::int32_t> labels, double threshold) {
  check_similarities(similarities, "correlation cost");
  const std::size_t n = objects(similarities);
  const std::vector<ClusterId> clusters = cluster_ids(labels, n);
  const auto penalty = [](bool together, double x) { return std::max(together ? -x : x, 0.0); };
  double cost = 0;
  double of_diagonal = 0;
  double together_stored = 0;
  double apart_stored = 0;
  double diagonal_stored = 0;
  for_each_weight(similarities, [&](std::size_t i, std::size_t j, double value) {
    const bool together = labels[i] == labels[j];
    const double paid = penalty(together, value - threshold);
    cost += paid;
    (together ? together_stored : apart_stored) += 1;
    if (i == j) {
      of_diagonal += paid;
      diagonal_stored += 1;
    }
  });

  const auto count = static_cast<double>(n);
  double together = 0;
  for (const std::size_t size : by_decreasing_size(clusters).sizes) {
    together += static_cast<double>(size) * static_cast<double>(size);
  }
  cost += (together - together_stored) * penalty(true, -threshold);
  cost += (count * count - together - apart_stored) * penalty(false, -threshold);
  of_diagonal += (count - diagonal_stored) * penalty(true, -threshold);
  return {cost, (cost - of_diagonal) / 2};
}

}  // namespace shiftcut::methods
