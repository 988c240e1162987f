#include "methods/dominant_sets/warm_start.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "methods/dominant_sets/dominant_set.hpp"
#include "methods/similarity_cases.hpp"

namespace shiftcut::methods {
namespace {

struct WarmSetting {
  ThreadTeam team{1};
  Control control;
  Workers workers{team, control};
};

using Members = std::vector<std::uint32_t>;

// The objects above the threshold.
Members members_of(const SimilarityPart& part, const std::vector<double>& x) {
  const double most = *std::max_element(x.begin(), x.end());
  Members members;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (x[i] > 1e-5 * most) {
      members.push_back(part.object(i));
    }
  }
  return members;
}

// Plain replicator steps from the barycentre to convergence. None if they do not converge soon, or
// not to a maximum, because an object that died out would now do better than the mean.
std::optional<Members> slow_set(const SimilarityPart& part, const Workers& workers) {
  const Population end = replicate(part, {}, barycentre(part.size()), {1e-14, 100000}, workers);
  std::vector<double> payoff(part.size());
  const double f = payoffs(part, {}, end.x, payoff, workers.team);
  if (!end.converged || *std::max_element(payoff.begin(), payoff.end()) > f * (1 + 1e-9)) {
    return std::nullopt;
  }
  return members_of(part, end.x);
}

TEST(warm_start, rough_steps_lead_to_the_set_of_the_plain_dynamics) {
  WarmSetting setting;
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 4 * kKinds; ++seed) {
    const std::size_t n = 150;
    const DenseArray a = similarities_of_kind(seed % kKinds, n, seed);
    WarmStart warm_start(a, {}, setting.team);
    const auto near = warm_start.run({.few = 5, .max_steps = 10000}, setting.workers);
    if (!near) {
      continue;
    }
    EXPECT_NEAR(std::accumulate(near->x.begin(), near->x.end(), 0.0), 1, 1e-12);
    const SimilarityPart part(a);
    const auto slow = slow_set(part, setting.workers);
    if (slow) {
      ++compared;
      const Population end = replicate(part, {}, near->x, {1e-14, 100000}, setting.workers);
      EXPECT_EQ(members_of(part, end.x), *slow) << "seed " << seed;
    }
  }
  EXPECT_GE(compared, 2 * kKinds);
}

TEST(warm_start, a_peel_with_all_shortcuts_finds_the_sets_of_the_plain_dynamics) {
  WarmSetting setting;
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 3 * kKinds; ++seed) {
    const DenseArray a = similarities_of_kind(seed % kKinds, 600, seed);
    const Peeled peeled =
        peel(a, {}, {.tolerance = 1e-14, .max_steps = 100000}, 3, setting.workers);
    SimilarityPart rest(a);
    for (const DominantSet& set : peeled.sets) {
      if (const auto slow = slow_set(rest, setting.workers)) {
        ++compared;
        EXPECT_EQ(set.members, *slow) << "seed " << seed;
      }
      Members positions;
      for (std::uint32_t i = 0; i < rest.size(); ++i) {
        if (std::binary_search(set.members.begin(), set.members.end(), rest.object(i))) {
          positions.push_back(i);
        }
      }
      rest = rest.without(positions);
    }
  }
  EXPECT_GE(compared, 3 * kKinds);
}

TEST(warm_start, objects_taken_away_do_not_count) {
  WarmSetting setting;
  const DenseArray a = similarities_of_kind(1, 120, 9);
  WarmStart warm_start(a, {}, setting.team);
  SimilarityPart rest(a);
  for (int round = 0; round < 5; ++round) {
    Members odd;
    for (std::uint32_t i = 1; i < rest.size(); i += 2 + static_cast<std::uint32_t>(round) * 10) {
      odd.push_back(i);
    }
    warm_start.remove(odd, setting.team);
    rest = rest.without(odd);
    ASSERT_EQ(warm_start.size(), rest.size());
    const auto near = warm_start.run({.few = 1, .max_steps = 5}, setting.workers);
    const Population exact =
        replicate(rest, {}, barycentre(rest.size()), {1e-300, 5}, setting.workers);
    ASSERT_TRUE(near);
    EXPECT_THAT(near->x, testing::Pointwise(testing::DoubleNear(1e-6), exact.x));
  }
}

TEST(warm_start, a_shift_is_part_of_the_payoffs) {
  WarmSetting setting;
  const DenseArray a = raised(random_similarities(80, 4, 1.0), 100);
  const Lift lift{-100, 100};
  const auto near =
      WarmStart(a, lift, setting.team).run({.few = 1, .max_steps = 5}, setting.workers);
  const Population exact =
      replicate(SimilarityPart(a), lift, barycentre(80), {1e-300, 5}, setting.workers);
  ASSERT_TRUE(near);
  EXPECT_THAT(near->x, testing::Pointwise(testing::DoubleNear(1e-6), exact.x));
}

TEST(warm_start, where_floats_would_not_do_there_is_none) {
  WarmSetting setting;
  const auto run = [&](const DenseArray& a) {
    return WarmStart(a, {}, setting.team).run({}, setting.workers);
  };
  EXPECT_FALSE(run(equal_cliques(3, 4)));
  EXPECT_FALSE(run(raised(random_similarities(50, 1, 1.0), 1e6)));
  EXPECT_FALSE(run(scaled(equal_cliques(3, 4), 0)));
}

}  // namespace
}  // namespace shiftcut::methods
