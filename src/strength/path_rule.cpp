#include "strength/path_rule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "core/kernels/elementary.hpp"

namespace shiftcut {

namespace {

double pairs(double count) { return count * (count - 1) / 2; }

}  // namespace

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

double agreement(const SparseLevel& level, std::span<const ClusterId> a,
                 std::span<const ClusterId> b) {
  std::map<std::pair<ClusterId, ClusterId>, double> both;
  std::map<ClusterId, double> in_a;
  std::map<ClusterId, double> in_b;
  double n = 0;
  for (ObjectId v = 0; v < level.size(); ++v) {
    const double size = level.nodes().volume[v].size;
    both[{a[v], b[v]}] += size;
    in_a[a[v]] += size;
    in_b[b[v]] += size;
    n += size;
  }
  const auto sum_pairs = [](const auto& counts) {
    double sum = 0;
    for (const auto& entry : counts) {
      sum += pairs(entry.second);
    }
    return sum;
  };
  const double pairs_a = sum_pairs(in_a);
  const double pairs_b = sum_pairs(in_b);
  const double chance = pairs(n) > 0 ? pairs_a * pairs_b / pairs(n) : 0.0;
  const double most = (pairs_a + pairs_b) / 2;
  return most == chance ? 1.0 : (sum_pairs(both) - chance) / (most - chance);
}

std::size_t best_point(const std::vector<PathPoint>& points) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const PathPoint& point : points) {
    lowest = std::min(lowest, point.criterion);
  }
  std::size_t best = 0;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p < points.size(); ++p) {
    const double from_one = std::abs(portable_log(points[p].strength));
    if (points[p].criterion <= kAboutAsGood * lowest && from_one < nearest) {
      best = p;
      nearest = from_one;
    }
  }
  return best;
}

std::optional<std::size_t> plateau(const std::vector<PathPoint>& points, std::size_t objects) {
  std::optional<std::size_t> best;
  double longest = 0;
  for (std::size_t first = 0; first < points.size();) {
    std::size_t last = first;
    while (last + 1 < points.size() && points[last + 1].clusters == points[first].clusters) {
      ++last;
    }
    const auto clusters = static_cast<double>(points[first].clusters);
    const double length = static_cast<double>(last - first) * std::sqrt(clusters);
    const bool is_grouping = clusters >= 2 && 2 * points[first].clusters <= objects;
    if (is_grouping && length > longest) {
      longest = length;
      best = (first + last) / 2;
    }
    first = last + 1;
  }
  return best;
}

}  // namespace shiftcut
