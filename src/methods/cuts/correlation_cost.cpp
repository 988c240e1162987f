#include <algorithm>

#include "core/partition.hpp"
#include "methods/cluster_ids.hpp"
#include "methods/operations.hpp"
#include "metrics/cut_costs.hpp"
#include "shiftcut/methods/correlation.hpp"

namespace shiftcut::methods {

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
