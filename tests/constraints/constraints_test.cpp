#include "constraints/constraints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include <fmt/core.h>

#include "constraints/tuning.hpp"
#include "core/rng.hpp"

namespace shiftcut {
namespace {

std::string name(ObjectId i) { return std::to_string(i); }

std::string complaint(const LinkOptions& given, std::size_t n, std::optional<std::size_t> k = {}) {
  try {
    make_constraints(given, n, k, name);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(constraints, that_must_hold_join_objects_into_nodes) {
  const Constraints constraints = make_constraints({{{3, 1}, {1, 5}, {0, 2}}, {}}, 6, {}, name);
  EXPECT_EQ(constraints.nodes, 3U);
  EXPECT_THAT(constraints.node_of, testing::ElementsAre(0, 1, 0, 1, 2, 1));
  EXPECT_EQ(constraints.conflicts, nullptr);
  EXPECT_EQ(constraints.must, 3U);
}

TEST(constraints, with_a_weight_are_summed_between_nodes) {
  const Constraints constraints =
      make_constraints({{{0, 1}, {1, 2, 0.5}, {0, 2, 0.25}}, {{2, 3, 2}, {0, 1, 1}}}, 4, {}, name);
  EXPECT_EQ(constraints.nodes, 3U);
  EXPECT_EQ(constraints.uncertain, 4U);
  const SparseMatrix& e = constraints.evidence;
  EXPECT_THAT(e.columns, testing::ElementsAre(0, 1, 0, 2, 1));
  EXPECT_THAT(e.values, testing::ElementsAre(-2, 0.75, 0.75, -2, -2));
}

TEST(constraints, that_contradict_are_reported_with_the_shortest_proof) {
  const LinkOptions given{{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 5}, {5, 4}}, {{0, 3}, {0, 4}}};
  EXPECT_EQ(complaint(given, 6),
            "cannot_link: found 0 and 4, which must_link puts together (0 and 5, 5 and 4); "
            "allowed: pairs that can all be satisfied");
  EXPECT_EQ(complaint({{{2, 1}}, {{1, 2}}}, 3),
            "cannot_link: found 1 and 2, which must_link puts together (1 and 2); allowed: pairs "
            "that can all be satisfied");
}

TEST(constraints, name_the_first_pairs_of_a_long_proof_and_count_the_others) {
  LinkOptions given;
  const std::size_t most = constraints_tuning::kMostNamed;
  for (const std::size_t pairs : {most, most + 3}) {
    given.must_link.clear();
    for (std::uint32_t i = 0; i < pairs; ++i) {
      given.must_link.push_back({i, i + 1});
    }
    given.cannot_link = {{0, static_cast<std::uint32_t>(pairs)}};
    const std::string text = complaint(given, pairs + 1);
    EXPECT_THAT(text, testing::HasSubstr("(0 and 1, 1 and 2, "));
    EXPECT_THAT(text, testing::HasSubstr(fmt::format("{} and {}", most - 1, most)));
    EXPECT_EQ(text.find(fmt::format("{} and {},", most, most + 1)), std::string::npos);
    EXPECT_EQ(text.find(" and 3 more pairs)") != std::string::npos, pairs > most) << text;
  }
}

TEST(constraints, name_the_first_of_many_objects_that_no_clusters_are_enough_for) {
  const std::size_t most = constraints_tuning::kMostNamed;
  for (const std::size_t n : {most, most + 2}) {
    LinkOptions given;
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = 0; j < i; ++j) {
        given.cannot_link.push_back({i, j});
      }
    }
    const std::string text = complaint(given, n, n - 1);
    EXPECT_THAT(text, testing::HasSubstr(fmt::format("found {} objects", n)));
    EXPECT_THAT(text, testing::HasSubstr("(0, 1, 2, 3, "));
    EXPECT_EQ(text.find(fmt::format(", {} and 2 more)", most - 1)) != std::string::npos, n > most)
        << text;
    EXPECT_EQ(complaint(given, n, n), "");
  }
}

// Every pair of the proof is needed: without any one of them nothing contradicts.
TEST(constraints, prove_a_contradiction_with_pairs_that_are_all_needed) {
  Rng rng(4);
  int contradictions = 0;
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t n = 4 + rng.below(6);
    LinkOptions given;
    for (std::uint32_t e = 0; e < n; ++e) {
      const std::uint32_t a = rng.below(n);
      const std::uint32_t b = (a + 1 + rng.below(n - 1)) % n;
      (e % 4 == 3 ? given.cannot_link : given.must_link).push_back({a, b});
    }
    const std::string told = complaint(given, n);
    if (told.empty()) {
      continue;
    }
    ++contradictions;
    const auto without = [&](std::vector<ObjectPair> LinkOptions::* pairs, std::size_t i) {
      LinkOptions fewer = given;
      (fewer.*pairs).erase((fewer.*pairs).begin() + static_cast<std::ptrdiff_t>(i));
      return fewer;
    };
    // The shortest proof is not longer than what is left when any one pair is taken away.
    const auto length = [](const std::string& text) { return std::ranges::count(text, ','); };
    for (std::size_t i = 0; i < given.must_link.size(); ++i) {
      const std::string rest = complaint(without(&LinkOptions::must_link, i), n);
      EXPECT_TRUE(rest.empty() || length(rest) >= length(told)) << told << rest;
    }
  }
  EXPECT_GT(contradictions, 30);
}

TEST(constraints, that_need_more_clusters_are_reported_with_the_clique) {
  const LinkOptions given{{{3, 4}}, {{0, 1}, {1, 2}, {0, 2}, {4, 0}, {4, 1}, {3, 2}}};
  EXPECT_EQ(complaint(given, 5, 4), "");
  EXPECT_EQ(complaint(given, 5, 3),
            "cannot_link: found 4 objects of which no two may be together (0, 1, 2, 3), but at "
            "most 3 clusters; allowed: at least that many clusters, or fewer pairs");
  const LinkOptions ring{{}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}};
  EXPECT_EQ(complaint(ring, 5, 2),
            "cannot_link: found pairs among 5 objects (0, 1, 2, 3, 4) that cannot all be kept "
            "apart with 2 clusters; allowed: more clusters, or fewer pairs");
}

TEST(constraints, that_make_no_sense_are_refused) {
  EXPECT_EQ(complaint({{{0, 9}}, {}}, 3), "must_link: found object 9; allowed: 0 to 2");
  EXPECT_EQ(complaint({{}, {{1, 1}}}, 3),
            "cannot_link: found 1 with itself; allowed: two different objects");
  EXPECT_EQ(complaint({{{0, 1, -2}}, {}}, 3),
            "must_link: found the weight -2 for 0 and 1; allowed: a number above 0, or none");
}

TEST(apart, mends_any_labels) {
  Rng rng(7);
  for (int round = 0; round < 300; ++round) {
    const std::uint32_t n = 2 + rng.below(30);
    LinkOptions given;
    for (std::uint32_t e = 0; e < rng.below(2 * n); ++e) {
      const std::uint32_t a = rng.below(n);
      given.cannot_link.push_back({a, (a + 1 + rng.below(n - 1)) % n});
    }
    std::optional<std::size_t> k;
    if (round % 3 != 0) {
      k = 1 + rng.below(5);
    }
    if (given.cannot_link.empty() || !complaint(given, n, k).empty()) {
      continue;
    }
    const Constraints constraints = make_constraints(given, n, k, name);
    std::vector<ClusterId> labels(n);
    for (ClusterId& label : labels) {
      label = rng.below(static_cast<std::uint32_t>(k.value_or(2)));
    }
    const bool held = constraints.conflicts->satisfied_by(labels);
    const std::vector<ClusterId> before = labels;
    constraints.conflicts->repair(labels, k);
    EXPECT_TRUE(constraints.conflicts->satisfied_by(labels));
    EXPECT_TRUE(!held || labels == before);
    for (const ClusterId label : labels) {
      EXPECT_LT(label, k.value_or(n));
    }
  }
}

}  // namespace
}  // namespace shiftcut
