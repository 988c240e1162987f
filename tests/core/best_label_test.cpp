#include "core/kernels/best_label.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "core/rng.hpp"

namespace shiftcut {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

BestLabel plain(const LabelledEdges& edges, std::uint32_t own, double own_penalty, double weight) {
  std::map<std::int64_t, double> weights;
  std::map<std::int64_t, double> against;
  for (std::size_t e = 0; e < edges.count; ++e) {
    weights[edges.labels[e]] += weight != 0 ? weight : edges.weights[e];
    against[edges.labels[e]] = edges.penalties[e];
  }
  BestLabel best{-1, 0, kNone, kNone, weights.contains(own) ? weights[own] : 0.0};
  for (const auto& [label, sum] : weights) {
    const double score = sum - against[label];
    if (label != own && score > best.score) {
      best = {label, sum, score, best.score, best.own_weight};
    } else if (label != own) {
      best.next_score = std::max(best.next_score, score);
    }
  }
  return best.score > best.own_weight - own_penalty
             ? best
             : BestLabel{-1, 0, best.score, kNone, best.own_weight};
}

// Whole numbers: sums are exact in any order, and scores often tie.
TEST(best_label, is_what_a_table_of_sums_finds) {
  Rng rng(1);
  for (int round = 0; round < 20000; ++round) {
    const std::size_t count = rng.below(kMostLabels + 1);
    const std::uint32_t labels = 1 + rng.below(30);
    const double weight = rng.below(2) == 0 ? 0.0 : 2.0;
    LabelledEdges edges{};
    edges.count = count;
    for (std::size_t e = 0; e < count; ++e) {
      const std::uint32_t label = rng.below(labels);
      edges.labels[e] = label;
      edges.weights[e] = static_cast<double>(rng.below(7)) - 2;
      edges.penalties[e] = label % 4;
    }
    const std::uint32_t own = rng.below(labels);
    const double own_penalty = rng.below(4);
    const BestLabel expected = plain(edges, own, own_penalty, weight);
    const BestLabel found = best_label(edges, own, own_penalty, weight);
    ASSERT_EQ(found.label, expected.label) << count << " edges";
    ASSERT_EQ(found.weight, expected.weight);
    ASSERT_EQ(found.score, expected.score);
    ASSERT_EQ(found.next_score, expected.next_score);
    ASSERT_EQ(found.own_weight, expected.own_weight);
  }
}

}  // namespace
}  // namespace shiftcut
