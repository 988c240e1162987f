#include "strength/path_rule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/kernels/elementary.hpp"
#include "strength/tuning.hpp"

namespace shiftcut {

double conductance_criterion(const SparseLevel& level, std::span<const ClusterId> labels,
                             std::size_t clusters) {
  const std::size_t slots = *std::max_element(labels.begin(), labels.end()) + std::size_t{1};
  std::vector<double> volume(slots, 0.0);
  std::vector<double> leaving(slots, 0.0);
  double all = 0;
  for (ObjectId v = 0; v < level.size(); ++v) {
    volume[labels[v]] += level.nodes().volume[v].degree;
    all += level.nodes().volume[v].degree;
    level.for_each_edge(v, [&](ObjectId u, double weight) {
      leaving[labels[v]] += labels[u] == labels[v] ? 0.0 : weight;
    });
  }
  double log_conductance = 0;
  double same = 0;  // chance that two draws by volume fall into one cluster
  double found = 0;
  for (std::size_t k = 0; k < slots; ++k) {
    if (volume[k] > 0) {
      found += 1;
      log_conductance += portable_log(leaving[k] / volume[k] + kLeastConductance);
      same += volume[k] / all * (volume[k] / all);
    }
  }
  if (found < 2 || clusters < 2) {
    return std::numeric_limits<double>::infinity();
  }
  const auto asked = static_cast<double>(clusters);
  const double evenness = (1 - same) / (1 - 1 / asked);
  const double missing = std::max(0.0, asked - found) / asked;
  return portable_exp(log_conductance / found) / (evenness * evenness) *
         (1 + kMissingWeight * missing);
}

double surprise(const SparseLevel& level, std::span<const ClusterId> labels) {
  const std::size_t slots = *std::max_element(labels.begin(), labels.end()) + std::size_t{1};
  std::vector<double> volume(slots, 0.0);
  double within = 0;
  double all = 0;
  for (ObjectId v = 0; v < level.size(); ++v) {
    volume[labels[v]] += level.nodes().volume[v].degree;
    all += level.nodes().volume[v].degree;
    within += level.nodes().self[v];
    level.for_each_edge(
        v, [&](ObjectId u, double weight) { within += labels[u] == labels[v] ? weight : 0.0; });
  }
  double chance = 0;
  for (const double part : volume) {
    chance += all > 0 ? part / all * (part / all) : 0.0;
  }
  const double share = all > 0 ? std::min(1.0, within / all) : 0.0;
  if (!(chance > 0) || share <= chance) {
    return 0;
  }
  const double outside = share < 1 ? (1 - share) * portable_log((1 - share) / (1 - chance)) : 0.0;
  return share * portable_log(share / chance) + outside;
}

double net_surprise(const SparseLevel& level, std::span<const ClusterId> labels, double edges) {
  const std::size_t slots = *std::max_element(labels.begin(), labels.end()) + std::size_t{1};
  std::vector<double> sizes(slots, 0.0);
  double objects = 0;
  for (ObjectId v = 0; v < level.size(); ++v) {
    sizes[labels[v]] += level.nodes().volume[v].size;
    objects += level.nodes().volume[v].size;
  }
  double entropy = 0;  // of all labels together
  for (const double size : sizes) {
    entropy -= size > 0 ? size * portable_log(size / objects) : 0.0;
  }
  return edges * surprise(level, labels) - kLabelCost * entropy;
}

double Plateau::score(double share) const {
  const double squared = share * share;
  return steps * static_cast<double>(clusters) * squared * squared;
}

namespace {

// 1 for the same number, 0 from a tenth more or fewer on.
double nearness(std::size_t clusters, std::size_t other) {
  const auto k = static_cast<double>(clusters);
  return std::max(0.0, 1 - std::abs(static_cast<double>(other) - k) / (kNearNumber * k));
}

// What the points from `at` on, in steps of `by`, add to a plateau.
double steps_beyond(const std::vector<PathPoint>& points, std::size_t clusters, std::size_t at,
                    std::size_t by) {
  double steps = 0;
  for (; at < points.size(); at += by) {  // 0 - 1 wraps around
    const double near = nearness(clusters, points[at].clusters);
    if (near == 0) {
      break;
    }
    steps += near;
  }
  return steps;
}

}  // namespace

std::vector<Plateau> plateaus(const std::vector<PathPoint>& points, double objects) {
  constexpr auto kBack = static_cast<std::size_t>(-1);
  std::vector<Plateau> all;
  for (std::size_t first = 0; first < points.size();) {
    std::size_t last = first;
    while (last + 1 < points.size() && points[last + 1].clusters == points[first].clusters) {
      ++last;
    }
    const std::size_t clusters = points[first].clusters;
    const double steps = static_cast<double>(last - first) +
                         steps_beyond(points, clusters, first - 1, kBack) +
                         steps_beyond(points, clusters, last + 1, 1);
    if (clusters >= 2 && 2 * static_cast<double>(clusters) <= objects && steps > 0) {
      all.push_back(
          {first, last, clusters, steps, steps * std::sqrt(static_cast<double>(clusters))});
    }
    first = last + 1;
  }
  std::stable_sort(all.begin(), all.end(), [](const Plateau& a, const Plateau& b) {
    return a.is_whole() != b.is_whole() ? a.is_whole() : a.length > b.length;
  });
  std::vector<Plateau> distinct;
  for (const Plateau& plateau : all) {
    if (std::ranges::find(distinct, plateau.clusters, &Plateau::clusters) == distinct.end()) {
      distinct.push_back(plateau);
    }
  }
  return distinct;
}

std::vector<Plateau> apart(const std::vector<Plateau>& plateaus, std::size_t count) {
  std::vector<Plateau> chosen;
  for (const Plateau& plateau : plateaus) {
    const bool is_near = std::ranges::any_of(chosen, [&](const Plateau& longer) {
      return nearness(longer.clusters, plateau.clusters) > 0;
    });
    if (chosen.size() < count && !is_near) {
      chosen.push_back(plateau);
    }
  }
  return chosen;
}

std::size_t nearest_strength(const std::vector<PathPoint>& points, double strength) {
  const auto away = [&](const PathPoint& point) {
    return std::abs(portable_log(point.strength / strength));
  };
  return static_cast<std::size_t>(std::ranges::min_element(points, {}, away) - points.begin());
}

}  // namespace shiftcut
