#include "shiftcut/explain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "shiftcut/shiftcut.hpp"
#include "support/plain.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace testing_support;

// In every view: the affinities are the definition's, and the margin what a move would cost.
TEST(explain, tells_the_affinities_and_what_a_move_would_cost) {
  Rng rng(2);
  ThreadTeam team(1);
  for (int round = 0; round < 3; ++round) {
    const std::size_t n = 20 + rng.below(20);
    for (const NamedInput& data : one_of_each(n, 3, rng)) {
      Options options;
      options.similarity = data.similarity;
      options.shift = some_shifts()[rng.below(6)];
      if (round > 0) {
        options.search.clusters = 3;
      }
      const Result result = run(data.input, options);
      const MadeProblem made = problem_of(data, options.shift, team);
      const plain::Matrix s = plain::shifted_matrix(made.problem);
      const std::vector<ClusterId> labels(result.labels.begin(), result.labels.end());
      const double tolerance = 1e-9 * static_cast<double>(n) * (plain::largest_entry(s) + 1);
      for (std::size_t object = 0; object < n; ++object) {
        const Explanation e = explain(data.input, options, result, object);
        const std::vector<double> a =
            plain::affinities(s, labels, object, result.clusters_found + 1);
        EXPECT_EQ(e.own.cluster, result.labels[object]);
        EXPECT_NEAR(e.own.affinity, a[labels[object]], tolerance) << data.name;
        EXPECT_GE(e.margin, -tolerance) << data.name;
        if (!e.next) {
          EXPECT_TRUE(result.clusters_found == 1);
          continue;
        }
        const ClusterId to = e.next->cluster < 0 ? static_cast<ClusterId>(result.clusters_found)
                                                 : static_cast<ClusterId>(e.next->cluster);
        EXPECT_NEAR(2 * e.margin,
                    cost_change(made.problem, labels, static_cast<ObjectId>(object), to), tolerance)
            << data.name;
        for (ClusterId k = 0; k < result.clusters_found; ++k) {
          EXPECT_TRUE(k == labels[object] || a[k] <= e.next->affinity + tolerance) << data.name;
        }
      }
    }
  }
}

TEST(explain, names_the_strongest_ties_first) {
  Rng rng(3);
  const std::size_t n = 60;
  const Input input = features(grouped_rows(n, 3, 3, rng), n, 3);
  Options options;
  options.similarity.kind = Similarity::rbf;
  options.search.clusters = 3;
  const Result result = run(input, options);
  const Explanation e = explain(input, options, result, 7, 4);
  ASSERT_EQ(e.own.ties.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(result.labels[e.own.ties[i].object], result.labels[7]);
    EXPECT_NE(e.own.ties[i].object, 7U);
    EXPECT_TRUE(i == 0 || e.own.ties[i - 1].value >= e.own.ties[i].value);
  }
}

TEST(explain, takes_the_strength_that_was_chosen) {
  Rng rng(4);
  const std::size_t n = 80;
  const Input input = features(grouped_rows(n, 3, 4, rng), n, 3);
  Options options;
  options.search.clusters = 4;
  const Result result = run(input, options);
  ASSERT_FALSE(result.shift_path.empty());
  double within = 0;
  for (std::size_t i = 0; i < n; ++i) {
    within += explain(input, options, result, i).own.affinity;
  }
  // Neighbour graphs have no loops: S_ii is the shift alone.
  double diagonal = 0;
  ThreadTeam team(1);
  Options chosen = options;
  chosen.shift = {ShiftKind::adaptive, result.shift_strength, 0, {}};
  const MadeProblem made = problem_of(input, chosen.similarity, chosen.shift, team);
  for (ObjectId i = 0; i < n; ++i) {
    diagonal += shifted(made.problem, i, i);
  }
  EXPECT_NEAR(-result.cost, within + diagonal, 1e-9 * std::abs(result.cost));
}

TEST(explain, names_the_pairs_that_bind_an_object) {
  Options options;
  options.similarity.kind = Similarity::linear;
  options.similarity.scale = Scale::none;
  options.search.clusters = 2;
  options.links.must_link = {{0, 3}, {3, 4}, {0, 1, 0.5}};
  options.links.cannot_link = {{4, 2}};
  const Input input = features({0, 1, 4, 5, 6}, 5, 1);
  const Result result = run(input, options);
  const Explanation e = explain(input, options, result, 0);
  EXPECT_THAT(e.must_link, testing::ElementsAre(3, 4));
  EXPECT_THAT(e.cannot_link, testing::ElementsAre(2));
  EXPECT_THAT(e.uncertain, testing::ElementsAre(1));
  const std::string text = to_text(e, input);
  EXPECT_THAT(text, testing::HasSubstr("certain to be with: 3, 4\n"));
  EXPECT_THAT(text, testing::HasSubstr("certain not to be with: 2\n"));
  EXPECT_THAT(text, testing::HasSubstr("evidence on it and: 1\n"));
}

TEST(explain, refuses_an_object_that_is_none) {
  const Input input = features({0, 1, 4, 5}, 4, 1);
  const Result result = run(input, {});
  EXPECT_THROW(explain(input, {}, result, 4), std::invalid_argument);
}

TEST(explain, of_a_single_object_has_nothing_to_compare_with) {
  const Input input = features({3}, 1, 1);
  const Result result = run(input, {});
  const Explanation e = explain(input, {}, result, 0);
  EXPECT_FALSE(e.next);
  EXPECT_EQ(to_text(e, input),
            "object 0 is in cluster 0 (1 object)\nits cluster: affinity 0\nthere is no other "
            "cluster it could go to\n");
}

}  // namespace
}  // namespace shiftcut
