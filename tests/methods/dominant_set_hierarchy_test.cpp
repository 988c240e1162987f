#include "shiftcut/methods/dominant_sets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <stdexcept>

#include "methods/dominant_sets/dominant_set.hpp"
#include "methods/similarity_cases.hpp"

namespace shiftcut::methods {
namespace {

using testing::Each;
using testing::ElementsAre;

double bound_of(const Similarities& similarities) {
  ThreadTeam team(1);
  const Control control;
  return eigenvalue_bound(SimilarityPart(similarities), {}, {team, control});
}

TEST(dominant_set_hierarchy, the_worked_example_falls_apart_below_its_threshold) {
  for (const Dynamics dynamics : {Dynamics::replicator, Dynamics::infection}) {
    DominantSetHierarchyOptions options;
    options.search.dynamics = dynamics;
    options.search.max_steps = 1000000;  // the replicator is slow near the threshold
    options.factor = 0.99;
    options.levels = 40;
    const auto levels = dominant_set_hierarchy(worked_matrix(), options);
    ASSERT_EQ(levels.size(), 40);
    // The largest eigenvalue, and a thousandth of it at the most.
    EXPECT_GE(levels[0].alpha, 1.25 + std::sqrt(.5625 + .06));
    EXPECT_LE(levels[0].alpha, 1.0011 * (1.25 + std::sqrt(.5625 + .06)));
    for (const DominantSetLevel& level : levels) {
      if (level.alpha >= 1.7) {
        EXPECT_THAT(level.labels, Each(0)) << level.alpha;
      } else {
        EXPECT_THAT(level.labels, ElementsAre(0, 0, 0, 1, 1)) << level.alpha;
      }
    }
    EXPECT_EQ(levels.back().alpha, 0);
  }
}

TEST(dominant_set_hierarchy, the_bound_is_close_above_the_eigenvalue) {
  // Of all ones without the diagonal: n - 1; of a path of three: sqrt(2); of a star's: sqrt(n - 1).
  EXPECT_NEAR(bound_of(equal_cliques(1, 30)), 29, 1e-9);
  const DenseArray path =
      symmetric(3, [](std::size_t i, std::size_t j) { return i - j == 1 ? 1.0 : 0.0; });
  EXPECT_GE(bound_of(path), std::sqrt(2.0));
  EXPECT_LE(bound_of(path), 1.002 * std::sqrt(2.0));
  const DenseArray star =
      symmetric(10, [](std::size_t, std::size_t j) { return j == 0 ? 1.0 : 0.0; });
  EXPECT_GE(bound_of(as_graph(star)), 3);
  EXPECT_LE(bound_of(as_graph(star)), 3.01);
  EXPECT_EQ(bound_of(DenseArray::own(std::vector<double>(9), 3, 3)), 0);
}

TEST(dominant_set_hierarchy, each_level_divides_the_one_before) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const DenseArray a = random_similarities(50, seed, seed % 2 == 0 ? 1.0 : 0.3);
    for (const Similarities& s : {Similarities(a), Similarities(as_graph(a))}) {
      const auto levels = dominant_set_hierarchy(s);
      EXPECT_THAT(levels[0].labels, Each(0));
      for (std::size_t l = 1; l < levels.size(); ++l) {
        EXPECT_LT(levels[l].alpha, levels[l - 1].alpha);
        EXPECT_GE(levels[l].clusters, levels[l - 1].clusters);
        std::map<std::int32_t, std::int32_t> parent;
        for (std::size_t i = 0; i < 50; ++i) {
          const auto [known, is_new] = parent.emplace(levels[l].labels[i], levels[l - 1].labels[i]);
          EXPECT_EQ(known->second, levels[l - 1].labels[i]);
          EXPECT_EQ(levels[l].labels[i] < static_cast<std::int32_t>(levels[l].clusters), true);
        }
        EXPECT_EQ(parent.size(), levels[l].clusters);
      }
    }
  }
}

TEST(dominant_set_hierarchy, blocks_appear_and_it_stops_when_there_are_enough) {
  const DenseArray a = blocks({10, 10, 10}, 1);
  DominantSetHierarchyOptions options;
  options.enough = 3;
  const auto levels = dominant_set_hierarchy(a, options);
  EXPECT_EQ(levels.back().clusters, 3);
  EXPECT_GT(levels.back().alpha, 0);
  for (std::size_t i = 0; i < 30; ++i) {
    EXPECT_EQ(levels.back().labels[i], static_cast<std::int32_t>(i / 10));
  }
}

TEST(dominant_set_hierarchy, threads_change_nothing) {
  const DenseArray a = random_similarities(400, 2, 1.0);
  DominantSetHierarchyOptions options;
  options.levels = 6;
  const auto one = dominant_set_hierarchy(a, options);
  for (const int threads : {2, 7}) {
    options.threads = threads;
    const auto other = dominant_set_hierarchy(a, options);
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t l = 0; l < one.size(); ++l) {
      EXPECT_EQ(one[l].alpha, other[l].alpha);
      EXPECT_EQ(one[l].labels, other[l].labels);
    }
  }
}

TEST(dominant_set_hierarchy, objects_similar_to_nobody_end_alone) {
  for (const std::size_t n : {1, 3}) {
    const auto levels = dominant_set_hierarchy(DenseArray::own(std::vector<double>(n * n), n, n));
    EXPECT_EQ(levels.back().clusters, n);
  }
}

TEST(dominant_set_hierarchy, what_is_not_allowed_is_named) {
  const auto message_of = [](const DominantSetHierarchyOptions& options) {
    try {
      dominant_set_hierarchy(worked_matrix(), options);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  DominantSetHierarchyOptions options;
  options.factor = 1;
  EXPECT_EQ(message_of(options),
            "dominant set hierarchy: found the factor 1; allowed: above 0, below 1");
  options = {};
  options.levels = 1;
  EXPECT_EQ(message_of(options), "dominant set hierarchy: found 1 levels; allowed: 2 or more");
}

}  // namespace
}  // namespace shiftcut::methods
