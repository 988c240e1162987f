#include "shiftcut/methods/dominant_sets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "methods/similarity_cases.hpp"

namespace shiftcut::methods {
namespace {

using testing::Each;
using testing::ElementsAre;

DominantSetTrajectoriesOptions wanting(std::size_t clusters) {
  DominantSetTrajectoriesOptions options;
  options.clusters = clusters;
  return options;
}

TEST(dominant_set_trajectories, the_worked_example_is_cut_once) {
  const auto result = dominant_set_trajectories(worked_matrix(), wanting(2));
  EXPECT_THAT(result.labels, ElementsAre(0, 0, 0, 1, 1));
  EXPECT_EQ(result.clusters, 2);
  EXPECT_EQ(result.cuts, 1);
  EXPECT_EQ(result.dissolved, 0);
  EXPECT_DOUBLE_EQ(result.shift, 0.1);
}

TEST(dominant_set_trajectories, blocks_are_found_before_the_dynamics_rests) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const DenseArray a = blocks({8, 12, 9, 11}, seed);
    for (const Similarities& s : {Similarities(a), Similarities(as_graph(a))}) {
      const auto result = dominant_set_trajectories(s, wanting(4));
      EXPECT_EQ(result.clusters, 4);
      std::size_t at = 0;
      std::int32_t label = 0;
      for (const std::size_t size : {8, 12, 9, 11}) {
        EXPECT_THAT(std::vector(result.labels.begin() + at, result.labels.begin() + at + size),
                    Each(label));
        at += size;
        ++label;
      }
    }
  }
}

TEST(dominant_set_trajectories, equal_clusters_that_nothing_joins_are_told_apart) {
  const auto result = dominant_set_trajectories(equal_cliques(3, 4), wanting(3));
  EXPECT_THAT(result.labels, ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2));
}

TEST(dominant_set_trajectories, tiny_clusters_are_dissolved_where_they_are_most_alike) {
  // Two blocks and one object far from both, a little nearer to the second.
  const DenseArray two = blocks({10, 10}, 3);
  const DenseArray a = symmetric(21, [&](std::size_t i, std::size_t j) {
    return i < 20 ? two.at(i, j) : j < 10 ? 0.01 : 0.02;
  });
  auto options = wanting(2);
  options.steps = 1;  // sorts by the sum of similarities: the far object is cut off first
  const auto result = dominant_set_trajectories(a, options);
  EXPECT_EQ(result.clusters, 2);
  EXPECT_EQ(result.cuts, 2);
  EXPECT_EQ(result.dissolved, 1);
  EXPECT_EQ(result.labels[20], result.labels[15]);
  EXPECT_NE(result.labels[20], result.labels[5]);
}

TEST(dominant_set_trajectories, every_object_has_a_valid_cluster_or_is_similar_to_none) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const DenseArray a = random_similarities(40, seed, seed % 2 == 0 ? 1.0 : 0.1);
    auto options = wanting(1 + seed % 6);
    options.min_size = 1 + seed % 4;
    const auto result = dominant_set_trajectories(a, options);
    std::vector<std::size_t> sizes(result.clusters, 0);
    for (std::size_t i = 0; i < 40; ++i) {
      if (result.labels[i] >= 0) {
        ++sizes.at(static_cast<std::size_t>(result.labels[i]));
      }
    }
    EXPECT_THAT(sizes, Each(testing::Ge(options.min_size)));
    EXPECT_LE(result.clusters, options.clusters);
    EXPECT_GE(result.clusters, 1);
  }
}

TEST(dominant_set_trajectories, threads_change_nothing) {
  const DenseArray a = random_similarities(500, 5, 1.0);
  auto options = wanting(5);
  const auto one = dominant_set_trajectories(a, options);
  for (const int threads : {2, 7}) {
    options.threads = threads;
    EXPECT_EQ(dominant_set_trajectories(a, options).labels, one.labels);
  }
}

TEST(dominant_set_trajectories, what_cannot_be_cut_stays_together) {
  const auto zero = DenseArray::own(std::vector<double>(16), 4, 4);
  EXPECT_THAT(dominant_set_trajectories(zero, wanting(2)).labels, Each(0));
  const auto same = DenseArray::own(std::vector<double>(16, 1.0), 4, 4);
  EXPECT_THAT(dominant_set_trajectories(same, wanting(2)).labels, Each(0));
  const auto one = DenseArray::own(std::vector<double>(1), 1, 1);
  EXPECT_THAT(dominant_set_trajectories(one, wanting(1)).labels, ElementsAre(0));
}

TEST(dominant_set_trajectories, what_is_not_allowed_is_named) {
  const auto message_of = [](const DominantSetTrajectoriesOptions& options) {
    try {
      dominant_set_trajectories(worked_matrix(), options);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message_of(wanting(0)),
            "dominant set trajectories: found 0 clusters requested; allowed: 1 to 5, the number of "
            "objects");
  EXPECT_NE(message_of(wanting(6)), "");
  auto options = wanting(2);
  options.steps = 0;
  EXPECT_EQ(message_of(options), "dominant set trajectories: found 0 steps; allowed: 1 or more");
  options = wanting(2);
  options.shift = 0.5;
  EXPECT_NE(message_of(options), "");
}

}  // namespace
}  // namespace shiftcut::methods
