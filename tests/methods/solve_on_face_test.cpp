#include "methods/dominant_sets/dynamics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "methods/similarity_cases.hpp"

namespace shiftcut::methods {
namespace {

struct Setting {
  ThreadTeam team{1};
  Control control;
  Workers workers{team, control};
};

TEST(settle, a_run_cut_short_is_ended_where_the_plain_dynamics_ends) {
  Setting setting;
  std::size_t settled = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const DenseArray a = similarities_of_kind(seed % kKinds, 40, seed);
    const SimilarityPart part(a);
    for (const Lift lift : {Lift{}, Lift{.5, -.5}}) {
      // Some steps, for the survivors; a longer run of these is what must come out.
      std::vector<double> x = replicate(part, lift, barycentre(40), {1e-9, 100}, setting.workers).x;
      const Population slow = replicate(part, lift, x, {1e-14, 300000}, setting.workers);
      const std::vector<double> before = x;
      if (!solve_on_face(part, lift, 1e-5, x, setting.workers)) {
        EXPECT_EQ(x, before);
        continue;
      }
      ++settled;
      EXPECT_NEAR(std::accumulate(x.begin(), x.end(), 0.0), 1, 1e-12);
      EXPECT_GE(*std::min_element(x.begin(), x.end()), 0);
      for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_NEAR(x[i], slow.x[i], 1e-5) << "seed " << seed << ", object " << i;
      }
    }
  }
  EXPECT_GE(settled, 40);
}

TEST(settle, nobody_on_the_face_would_come_back) {
  Setting setting;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    // Concave on the whole simplex: the diagonal outweighs the rest.
    const DenseArray a = random_similarities(60, seed, 1.0);
    const SimilarityPart part(a);
    const Lift lift{20, -20};
    std::vector<double> x = barycentre(60);
    ASSERT_TRUE(solve_on_face(part, lift, 1e-5, x, setting.workers));
    std::vector<double> payoff(60);
    const double f = payoffs(part, lift, x, payoff, setting.team);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_LE(payoff[i], f * (1 + 1e-10));
      EXPECT_TRUE(x[i] == 0 || payoff[i] > f * (1 - 1e-10));
    }
  }
}

TEST(settle, where_f_has_several_maxima_x_stays) {
  Setting setting;
  const DenseArray a = equal_cliques(2, 3);
  std::vector<double> x = {.2, .2, .2, .15, .15, .1};
  const std::vector<double> before = x;
  EXPECT_FALSE(solve_on_face(SimilarityPart(a), {}, 1e-5, x, setting.workers));
  EXPECT_EQ(x, before);
}

TEST(settle, a_single_object_is_at_its_maximum) {
  Setting setting;
  std::vector<double> x = {0, 1, 0, 0, 0};
  EXPECT_TRUE(solve_on_face(SimilarityPart(worked_matrix()), {}, 1e-5, x, setting.workers));
  EXPECT_THAT(x, testing::ElementsAre(0, 1, 0, 0, 0));
}

}  // namespace
}  // namespace shiftcut::methods
