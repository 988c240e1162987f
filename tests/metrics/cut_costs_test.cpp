#include "metrics/cut_costs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/rng.hpp"

namespace shiftcut {
namespace {

using Weights = std::variant<DenseArray, SparseMatrix>;
using Labels = std::vector<ClusterId>;

const std::vector<double> kFour = {0, 3, 1, 0, 3, 0, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0};

Weights four_plus(double constant) {
  std::vector<double> w = kFour;
  for (double& value : w) {
    value += constant;
  }
  return DenseArray::own(w, 4, 4);
}

TEST(cut_costs, are_the_worked_numbers_of_four_nodes) {
  const CutCosts costs(four_plus(0), Labels{0, 0, 1, 1});
  EXPECT_NEAR(costs.ratio_cut(), 2, 1e-12);
  EXPECT_NEAR(costs.normalized_cut(), 0.5833333, 1e-6);
  EXPECT_NEAR(costs.ratio_association(), -5, 1e-12);
  EXPECT_NEAR(costs.adaptive_ratio_cut(2), 2, 1e-12);
  EXPECT_NEAR(costs.adaptive_ratio_cut(1.5), 1.4142136, 1e-6);
  EXPECT_NEAR(costs.adaptive_ratio_cut(1.2), 1.1486984, 1e-6);
}

TEST(cut_costs, are_the_worked_numbers_with_one_added_to_every_weight) {
  const CutCosts costs(four_plus(1), Labels{0, 0, 1, 1});
  EXPECT_NEAR(costs.ratio_cut(), 6, 1e-12);
  EXPECT_NEAR(costs.normalized_cut(), 0.8035714, 1e-6);
  EXPECT_NEAR(costs.ratio_association(), -9, 1e-12);
  EXPECT_NEAR(costs.adaptive_ratio_cut(2), 6, 1e-12);
  EXPECT_NEAR(costs.adaptive_ratio_cut(1.5), 4.2426407, 1e-6);
  EXPECT_NEAR(costs.adaptive_ratio_cut(1.2), 3.4460951, 1e-6);
}

TEST(cut_costs, follow_the_shift_as_the_formulas_say) {
  Rng rng(1);
  for (int round = 0; round < 50; ++round) {
    const std::size_t n = 4 + rng.below(8);
    std::vector<double> x(n * n);
    std::vector<Entry> entries;
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0; j <= i; ++j) {
        x[i * n + j] = x[j * n + i] = rng.uniform();
      }
    }
    Labels labels(n);
    const ClusterId clusters = 2 + rng.below(2);
    for (std::uint32_t i = 0; i < n; ++i) {
      labels[i] = i < clusters ? i : rng.below(clusters);
    }
    std::vector<double> raised = x;
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0; j < n; ++j) {
        raised[i * n + j] += 0.7;
        entries.push_back({i, j, x[i * n + j]});
      }
    }
    const CutCosts before(DenseArray::own(x, n, n), labels);
    const CutCosts after(DenseArray::own(raised, n, n), labels);
    const auto count = static_cast<double>(n);
    EXPECT_NEAR(after.ratio_association() - before.ratio_association(), -0.7 * count, 1e-9);
    EXPECT_NEAR(after.ratio_cut() - before.ratio_cut(), 0.7 * count * (clusters - 1), 1e-9);
    EXPECT_NEAR(before.adaptive_ratio_cut(2), before.ratio_cut(), 1e-9);
    const CutCosts sparse(sparse_from_entries(entries, n, n), labels);
    EXPECT_NEAR(sparse.normalized_cut(), before.normalized_cut(), 1e-12);
    EXPECT_NEAR(sparse.min_cut(), before.min_cut(), 1e-12);
  }
}

// As p falls to 1 the weight of a cut becomes that of Cheeger, 1 / the smaller size.
TEST(cut_costs, stay_finite_for_p_near_one) {
  const CutCosts costs(four_plus(0), Labels{0, 1, 1, 1});
  EXPECT_NEAR(costs.adaptive_ratio_cut(1.0001), 4, 1e-3);
}

template <class Term>
void check_change(const ClusterSums& k, const ClusterSums& by) {
  ClusterSums after = k;
  after += by;
  EXPECT_NEAR(Term::change(k, by), Term::of(after) - Term::of(k), 1e-12);
}

TEST(cut_terms, change_by_the_difference_of_the_terms) {
  Rng rng(2);
  for (int round = 0; round < 100; ++round) {
    const double within = rng.uniform();
    const ClusterSums k{1.0 + rng.below(5), within, within + 0.1 + rng.uniform()};
    const double more = rng.uniform();
    const ClusterSums by{1.0 + rng.below(3), more, more + rng.uniform()};
    check_change<MinCutTerm>(k, by);
    check_change<RatioAssociationTerm>(k, by);
    check_change<RatioCutTerm>(k, by);
    check_change<NormalizedCutTerm>(k, by);
  }
}

TEST(cut_terms, sums_begin_with_nothing_and_add_up) {
  ClusterSums all;
  all += {1, 2, 4};
  all += {2, 3, 5};
  EXPECT_EQ(all.size, 3);
  EXPECT_EQ(all.within, 5);
  EXPECT_EQ(all.volume, 9);
}

TEST(cut_costs, refuse_empty_clusters_no_volume_and_a_p_of_one) {
  EXPECT_THROW(CutCosts(four_plus(0), Labels{0, 0, 2, 2}), std::invalid_argument);
  const Weights nothing = DenseArray::own(std::vector<double>(4, 0.0), 2, 2);
  const CutCosts costs(nothing, Labels{0, 1});
  EXPECT_THROW((void)costs.normalized_cut(), std::invalid_argument);
  EXPECT_THROW((void)costs.adaptive_ratio_cut(1), std::invalid_argument);
}

}  // namespace
}  // namespace shiftcut
