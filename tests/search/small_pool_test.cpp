#include "search/small_pool.hpp"

#include <gtest/gtest.h>

#include "support/small_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

SmallAnswer descended(const SmallMatrix& small, const plain::Matrix& s, std::size_t slots,
                      Rng& rng) {
  SmallDescent descent(small, slots, tolerance_of(s));
  descent.begin(random_labels(s.size(), slots, rng));
  descent.run(rng);
  return {descent.cost(), descent.labels()};
}

TEST(small_pool, improves_an_answer_the_same_way_on_any_number_of_threads) {
  Rng rng(1);
  NoLimit limit;
  for (int round = 0; round < 60; ++round) {
    const plain::Matrix s = random_matrix(1 + rng.below(40), round % 3 == 0, rng);
    const SmallMatrix small = small_of(s);
    const std::size_t slots = 1 + rng.below(6);
    const SmallAnswer start = descended(small, s, slots, rng);
    const PoolOptions options{1 + rng.below(6), rng.below(10)};
    const std::uint64_t seed = rng.next();
    SmallAnswer first;
    for (const int threads : {1, 2, 7}) {
      ThreadTeam team(threads);
      Rng own(seed);
      SmallPool pool(small, slots, tolerance_of(s), {own, team, limit.check});
      SmallAnswer found = start;
      for (int time = 0; time < 3; ++time) {
        const double before = found.cost;
        found = pool.improve(found, options);
        EXPECT_LE(found.cost, before);
      }
      EXPECT_NEAR(found.cost, plain::cost(s, found.labels), cost_rounding_of(s));
      EXPECT_LE(plain::best_gain(s, found.labels, slots), 4 * rounding_of(s));
      if (threads == 1) {
        first = found;
      }
      EXPECT_EQ(found.labels, first.labels) << threads << " threads";
      EXPECT_EQ(found.cost, first.cost) << threads << " threads";
    }
  }
}

// Two clusters of a ring in which who is near is alike: most descents from random labels end apart.
TEST(small_pool, finds_what_restarts_alone_do_not) {
  constexpr std::size_t kObjects = 120;
  Rng rng(71);
  NoLimit limit;
  ThreadTeam team(2);
  int lower = 0;
  int higher = 0;
  for (int round = 0; round < 20; ++round) {
    plain::Matrix s(kObjects, std::vector<double>(kObjects));
    for (std::size_t i = 0; i < kObjects; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const bool is_near = i - j < 6 || i - j > kObjects - 6;
        s[i][j] = s[j][i] = (is_near ? rng.uniform() : 0.0) - 0.04;
      }
    }
    const SmallMatrix small = small_of(s);
    const SmallAnswer start = descended(small, s, 2, rng);
    SmallPool pool(small, 2, tolerance_of(s), {rng, team, limit.check});
    const double combined = pool.improve(start, {12, 20}).cost;
    SmallDescent restarted(small, 2, tolerance_of(s));
    restarted.begin(start.labels);
    restarted.restart(60, {rng, team, limit.check});
    lower += combined < restarted.cost() - cost_rounding_of(s) ? 1 : 0;
    higher += combined > restarted.cost() + cost_rounding_of(s) ? 1 : 0;
  }
  EXPECT_GT(lower, 3 * higher) << lower << " lower, " << higher << " higher";
}

TEST(small_pool, stops_when_told) {
  Rng rng(8);
  ThreadTeam team(2);
  const plain::Matrix s = random_matrix(30, false, rng);
  const SmallMatrix small = small_of(s);
  Stopped stopped;
  SmallPool pool(small, 4, tolerance_of(s), {rng, team, stopped.check});
  const SmallAnswer start = descended(small, s, 4, rng);
  EXPECT_EQ(pool.improve(start, {100, std::size_t{1} << 40}).labels, start.labels);
}

}  // namespace
}  // namespace shiftcut
