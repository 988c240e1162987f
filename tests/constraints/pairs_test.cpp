#include "constraints/pairs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "shiftcut/data.hpp"

namespace shiftcut {
namespace {

TEST(satisfied_pairs, are_those_a_grouping_agrees_with) {
  const std::vector<ClusterId> labels = {0, 0, 1, 1};
  const LinkOptions pairs{{{0, 1}, {1, 2}}, {{0, 3}, {2, 3}}};
  EXPECT_THAT(satisfied_pairs(pairs, labels), testing::ElementsAre(true, false, true, false));
  EXPECT_TRUE(satisfied_pairs({}, labels).empty());
}

TEST(satisfied_pairs, one_more_of_one_that_differ_is_not_sure) {
  EXPECT_EQ(significantly_more({false, true}, {true, true}), 0);
  EXPECT_DOUBLE_EQ(significantly_more({false, false, false}, {true, true, true}),
                   3 - std::sqrt(3.0));
  EXPECT_LT(significantly_more({false, true, false}, {true, false, true}), 0);
  EXPECT_EQ(significantly_more({true, false}, {true, false}), 0);
}

TEST(evidence, is_the_weight_of_an_uncertain_pair_in_the_given_unit) {
  const LinkOptions pairs{{{0, 1}, {1, 2, 0.5}}, {{0, 3, 2}, {2, 3}}};
  const std::vector<PairEvidence> evidence = evidence_of(pairs, 4);
  ASSERT_EQ(evidence.size(), 2U);
  EXPECT_EQ(evidence[0].a, 1U);
  EXPECT_EQ(evidence[0].b, 2U);
  EXPECT_EQ(evidence[0].value, 2);
  EXPECT_EQ(evidence[1].value, -8);
}

// Row 4 has no terms, row 3 one with itself alone.
PairTerms some_terms(std::vector<double>& dense) {
  dense = {1, 2, 0, 0, 0, 2, 0, -3, 0, 0, 0, -3, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0};
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < 5; ++i) {
    for (std::uint32_t j = 0; j < 5; ++j) {
      if (dense[i * 5 + j] != 0) {
        entries.push_back({i, j, dense[i * 5 + j]});
      }
    }
  }
  return PairTerms(sparse_from_entries(std::move(entries), 5, 5));
}

TEST(pair_terms, are_those_of_the_matrix) {
  std::vector<double> dense;
  const PairTerms terms = some_terms(dense);
  EXPECT_FALSE(terms.empty());
  for (ObjectId i = 0; i < 5; ++i) {
    std::vector<double> seen(5, 0.0);
    terms.for_each(i, [&](ObjectId j, double value) { seen[j] += value; });
    bool is_touched = false;
    for (ObjectId j = 0; j < 5; ++j) {
      EXPECT_EQ(terms.between(i, j), dense[i * 5 + j]);
      EXPECT_EQ(seen[j], i == j ? 0 : dense[i * 5 + j]);
      is_touched = is_touched || dense[i * 5 + j] != 0;
    }
    EXPECT_EQ(terms.touch(i), is_touched) << i;
  }
}

TEST(pair_terms, within_clusters_are_summed_over_ordered_pairs_and_the_diagonal) {
  std::vector<double> dense;
  const PairTerms terms = some_terms(dense);
  for (const std::vector<ClusterId>& labels :
       {std::vector<ClusterId>{0, 0, 0, 0, 0}, {0, 1, 2, 3, 4}, {0, 0, 1, 1, 0}, {1, 0, 0, 1, 2}}) {
    double expected = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = 0; j < 5; ++j) {
        expected += labels[i] == labels[j] ? dense[i * 5 + j] : 0;
      }
    }
    EXPECT_EQ(terms.within(labels), expected);
  }
}

TEST(pair_terms, of_nothing_are_nothing) {
  const PairTerms none;
  EXPECT_TRUE(none.empty());
  EXPECT_FALSE(none.touch(3));
  EXPECT_EQ(none.between(3, 4), 0);
  EXPECT_EQ(none.within(std::vector<ClusterId>{0, 0}), 0);
  none.for_each(3, [](ObjectId, double) { FAIL(); });
}

}  // namespace
}  // namespace shiftcut
