#include "methods/cuts/cut_costs.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "shiftcut/methods/cut_search.hpp"
#include "support/random_similarities.hpp"

namespace shiftcut::methods {
namespace {

// Every move of random groupings: changes() against the difference of the definition's costs, and
// the sums after move() against sums computed from scratch.
template <class Constraints, class Matrix>
void compare_moves(const Similarities& similarities, CutCost kind, double p, auto cost,
                   const Labels& labels, std::size_t clusters) {
  ThreadTeam team(1);
  const std::size_t n = labels.size();
  const ObjectSums objects = object_sums(similarities, team);
  std::vector<ClusterId> ids(labels.begin(), labels.end());
  Constraints links(std::get<Matrix>(similarities), ids, clusters);
  std::vector<double> row(clusters);
  const auto mover = [&](ObjectId o) {
    links.read(o, row);
    row[ids[o]] -= objects.self[o];
    return Mover{row, objects.self[o], objects.degree[o]};
  };
  cost.begin();
  for (ObjectId o = 0; o < n; ++o) {
    cost.add(ids[o], mover(o));
  }
  cost.end();
  const double before = cut_cost(similarities, labels, kind, p);
  ASSERT_NEAR(cost.cost(), before, 1e-10);
  std::vector<double> changes(clusters);
  for (ObjectId o = 0; o < n; ++o) {
    const ClusterId from = ids[o];
    if (cost.size(from) == 1) {
      continue;
    }
    cost.changes(from, mover(o), changes);
    ASSERT_EQ(changes[from], 0);
    for (ClusterId to = 0; to < clusters; ++to) {
      Labels moved = labels;
      moved[o] = static_cast<std::int32_t>(to);
      const double after = cut_cost(similarities, moved, kind, p);
      ASSERT_NEAR(changes[to], after - before, 1e-10);
      if (to != from) {
        auto gone = cost;
        gone.move(from, to, mover(o));
        ASSERT_NEAR(gone.cost(), after, 1e-10);
        ASSERT_EQ(gone.size(from), cost.size(from) - 1);
        ASSERT_EQ(gone.size(to), cost.size(to) + 1);
      }
    }
  }
}

void compare_both_forms(CutCost kind, double low, double p, const auto& make_cost) {
  Rng rng(static_cast<std::uint64_t>(kind), 7);
  for (int round = 0; round < 30; ++round) {
    const std::size_t n = 4 + rng.below(8);
    const std::size_t clusters = 1 + rng.below(4);
    const std::vector<double> x = random_symmetric(n, low, rng);
    Labels labels(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t any = rng.below(static_cast<std::uint32_t>(clusters));
      labels[i] = static_cast<std::int32_t>(i < clusters ? i : any);
    }
    compare_moves<DenseLinks, DenseArray>(dense(x, n), kind, p, make_cost(clusters), labels,
                                          clusters);
    compare_moves<GraphLinks, SparseMatrix>(graph(x, n), kind, p, make_cost(clusters), labels,
                                            clusters);
  }
}

TEST(move_costs, of_the_min_cut_change_by_the_difference_of_costs) {
  compare_both_forms(CutCost::min_cut, -0.5, 0,
                     [](std::size_t k) { return ClusterwiseCost<MinCutTerm>(k); });
}

TEST(move_costs, of_the_ratio_association_change_by_the_difference_of_costs) {
  compare_both_forms(CutCost::ratio_association, -0.5, 0,
                     [](std::size_t k) { return ClusterwiseCost<RatioAssociationTerm>(k); });
}

TEST(move_costs, of_the_ratio_cut_change_by_the_difference_of_costs) {
  compare_both_forms(CutCost::ratio_cut, -0.5, 0,
                     [](std::size_t k) { return ClusterwiseCost<RatioCutTerm>(k); });
}

TEST(move_costs, of_the_normalized_cut_change_by_the_difference_of_costs) {
  compare_both_forms(CutCost::normalized_cut, 0.1, 0,
                     [](std::size_t k) { return ClusterwiseCost<NormalizedCutTerm>(k); });
}

TEST(move_costs, of_the_adaptive_ratio_cut_change_by_the_difference_of_costs) {
  for (const double p : {1.001, 1.2, 1.5, 2.0, 5.0}) {
    compare_both_forms(CutCost::adaptive_ratio_cut, 0, p,
                       [p](std::size_t k) { return AdaptiveRatioCost(k, p); });
  }
}

// The terms of a cluster of 1e8 objects are 1e8 times the change, which as a difference of two
// terms would have only 8 digits.
TEST(move_costs, keep_their_digits_in_large_clusters) {
  const ClusterSums large{1e8, 3e8, 7e8};
  const ClusterSums by{1, 2.5, 4.25};
  const long double size = 1e8L;
  EXPECT_NEAR(RatioCutTerm::change(large, by), static_cast<double>((1.75L - 4) / (size + 1)),
              1e-22);
  EXPECT_NEAR(RatioAssociationTerm::change(large, by), static_cast<double>((3 - 2.5L) / (size + 1)),
              1e-22);
}

}  // namespace
}  // namespace shiftcut::methods
