#include "multilevel/small_matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/small_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

// Calls with random matrices, the number of slots and a descent on them.
template <class Use>
void for_many(std::uint64_t seed, const Use& use) {
  Rng rng(seed);
  for (int round = 0; round < 60; ++round) {
    const plain::Matrix s = random_matrix(1 + rng.below(40), round % 3 == 0, rng);
    const SmallMatrix small = small_of(s);
    const std::size_t slots = 1 + rng.below(6);
    SmallDescent descent(small, slots, tolerance_of(s));
    use(s, small, slots, descent, rng);
  }
}

void expect_cost(const plain::Matrix& s, const SmallDescent& descent, std::size_t slots) {
  ASSERT_EQ(descent.labels().size(), s.size());
  for (const ClusterId k : descent.labels()) {
    ASSERT_LT(k, slots);
  }
  EXPECT_NEAR(descent.cost(), plain::cost(s, descent.labels()), cost_rounding_of(s));
}

TEST(small_matrix, keeps_the_diagonal_apart) {
  Rng rng(1);
  const plain::Matrix s = random_matrix(6, false, rng);
  const SmallMatrix small = small_of(s);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(small.row(i)[i], 0);
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_EQ(entry(small, i, j), static_cast<double>(static_cast<float>(s[i][j])));
    }
  }
}

TEST(small_matrix, of_a_level_is_that_of_its_problem) {
  ThreadTeam team(1);
  Rng rng(2);
  std::vector<ShiftOptions> shifts = some_shifts();
  shifts.push_back({ShiftKind::degree, 0.7, 0, {}});
  for (const ShiftOptions& shift : shifts) {
    const Input input = graph(30, 5, shift.kind != ShiftKind::degree, false, rng);
    const GraphProblem problem(std::get<SparseMatrix>(input.values), shift);
    const plain::Matrix s = plain::shifted_matrix(problem);
    const SparseLevel level(problem);
    const SmallMatrix small = small_matrix(level);
    ASSERT_EQ(small.n, 30U);
    for (std::size_t i = 0; i < 30; ++i) {
      for (std::size_t j = 0; j < 30; ++j) {
        EXPECT_NEAR(entry(small, i, j), s[i][j], 0.1 * rounding_of(s));
      }
    }
    // Of a contracted one: sums over the pairs of two groups.
    std::vector<ClusterId> groups = random_labels(30, 7, rng);
    const std::size_t count = compact_labels(groups);
    const SmallMatrix coarse = small_matrix(contract(level, groups, count, team));
    plain::Matrix expected(count, std::vector<double>(count, 0.0));
    for (std::size_t i = 0; i < 30; ++i) {
      for (std::size_t j = 0; j < 30; ++j) {
        expected[groups[i]][groups[j]] += s[i][j];
      }
    }
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) {
        EXPECT_NEAR(entry(coarse, a, b), expected[a][b], rounding_of(s));
      }
    }
  }
}

TEST(small_matrix, sums_over_groups_are_the_plain_ones) {
  Rng rng(3);
  for (int round = 0; round < 20; ++round) {
    const std::size_t n = 1 + rng.below(30);
    const plain::Matrix s = random_matrix(n, round % 2 == 0, rng);
    const SmallMatrix small = small_of(s);
    const std::size_t count = 1 + rng.below(6);
    const std::vector<ClusterId> groups = random_labels(n, count, rng);
    const std::vector<float> sums = group_sums(small, groups, count);
    const SmallMatrix between = between_groups(small, sums, groups, count);
    plain::Matrix to_objects(count, std::vector<double>(n, 0.0));
    plain::Matrix to_groups(count, std::vector<double>(count, 0.0));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        to_objects[groups[i]][j] += i == j ? 0.0 : s[i][j];
        to_groups[groups[i]][groups[j]] += s[i][j];
      }
    }
    ASSERT_EQ(sums.size(), count * n);
    ASSERT_EQ(between.n, count);
    for (std::size_t g = 0; g < count; ++g) {
      for (std::size_t j = 0; j < n; ++j) {
        EXPECT_NEAR(static_cast<double>(sums[g * n + j]), to_objects[g][j], rounding_of(s));
      }
      for (std::size_t h = 0; h < count; ++h) {
        EXPECT_NEAR(entry(between, g, h), to_groups[g][h], cost_rounding_of(s));
      }
    }
  }
}

TEST(small_matrix, a_descent_ends_where_no_single_move_helps) {
  for_many(4, [](const plain::Matrix& s, const SmallMatrix&, std::size_t slots,
                 SmallDescent& descent, Rng& rng) {
    const std::vector<ClusterId> start = random_labels(s.size(), slots, rng);
    descent.begin(start);
    EXPECT_EQ(descent.labels(), start);
    expect_cost(s, descent, slots);
    const double before = descent.cost();
    descent.run(rng);
    expect_cost(s, descent, slots);
    EXPECT_LE(descent.cost(), before + cost_rounding_of(s));
    EXPECT_LE(plain::best_gain(s, descent.labels(), slots), 4 * rounding_of(s));
  });
}

TEST(small_matrix, groups_begin_where_their_objects_would) {
  for_many(5, [](const plain::Matrix& s, const SmallMatrix& small, std::size_t slots,
                 SmallDescent& descent, Rng& rng) {
    const std::size_t count = 1 + rng.below(5);
    const std::vector<ClusterId> groups = random_labels(s.size(), count, rng);
    const std::vector<ClusterId> labels = random_labels(count, slots, rng);
    descent.begin(groups, labels, group_sums(small, groups, count));
    for (std::size_t i = 0; i < s.size(); ++i) {
      EXPECT_EQ(descent.labels()[i], labels[groups[i]]);
    }
    expect_cost(s, descent, slots);
    descent.run(rng);
    expect_cost(s, descent, slots);
    EXPECT_LE(plain::best_gain(s, descent.labels(), slots), 4 * rounding_of(s));
  });
}

TEST(small_matrix, improving_and_restarting_never_raise_the_cost) {
  for_many(6, [](const plain::Matrix& s, const SmallMatrix&, std::size_t slots,
                 SmallDescent& descent, Rng& rng) {
    ThreadTeam team(1);
    NoLimit limit;
    descent.begin(random_labels(s.size(), slots, rng));
    descent.run(rng);
    double lowest = descent.cost();
    for (int round = 0; round < 10; ++round) {
      if (round % 2 == 0) {
        descent.perturb(5, {rng, team, limit.check});
      } else {
        descent.restart(3, {rng, team, limit.check});
      }
      EXPECT_LE(descent.cost(), lowest + cost_rounding_of(s));
      lowest = descent.cost();
      expect_cost(s, descent, slots);
      EXPECT_LE(plain::best_gain(s, descent.labels(), slots), 4 * rounding_of(s));
    }
  });
}

TEST(small_matrix, finds_the_optimum_of_few_objects) {
  Rng rng(7);
  ThreadTeam team(1);
  NoLimit limit;
  for (int round = 0; round < 20; ++round) {
    const plain::Matrix s = random_matrix(2 + rng.below(6), round % 2 == 0, rng);
    const SmallMatrix small = small_of(s);
    SmallDescent descent(small, 3, tolerance_of(s));
    descent.begin(random_labels(s.size(), 3, rng));
    descent.run(rng);
    descent.restart(50, {rng, team, limit.check});
    EXPECT_NEAR(descent.cost(), plain::lowest_cost(s, 3), cost_rounding_of(s));
  }
}

TEST(small_matrix, stops_when_told) {
  Rng rng(8);
  const plain::Matrix s = random_matrix(30, false, rng);
  const SmallMatrix small = small_of(s);
  ThreadTeam team(1);
  Stopped stopped;
  SmallDescent descent(small, 4, tolerance_of(s));
  const std::vector<ClusterId> start = random_labels(30, 4, rng);
  descent.begin(start);
  descent.perturb(1 << 30, {rng, team, stopped.check});
  descent.restart(1 << 30, {rng, team, stopped.check});
  EXPECT_EQ(descent.labels(), start);
}

}  // namespace
}  // namespace shiftcut
