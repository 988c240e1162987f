#include "methods/dominant_sets/dynamics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "methods/similarity_cases.hpp"

namespace shiftcut::methods {
namespace {

// One run of a dynamics from the barycentre.
template <class Dynamics>
Population run(const Similarities& similarities, const Dynamics& dynamics, const Lift& lift,
               const DynamicsLimits& limits) {
  ThreadTeam team(1);
  const Control control;
  const Workers workers{team, control};
  const SimilarityPart part(similarities);
  return dynamics(part, lift, barycentre(part.size()), limits, workers);
}

double value(const DenseArray& a, const Lift& lift, const std::vector<double>& x) {
  ThreadTeam team(1);
  std::vector<double> payoff(x.size());
  return payoffs(SimilarityPart(a), lift, x, payoff, team);
}

TEST(dynamics, the_first_replicator_step_is_the_worked_one) {
  const DenseArray a = worked_matrix();
  ThreadTeam team(1);
  std::vector<double> payoff(5);
  EXPECT_NEAR(payoffs(SimilarityPart(a), {}, barycentre(5), payoff, team), .328, 1e-12);
  EXPECT_THAT(payoff, testing::Pointwise(testing::DoubleNear(1e-12), {.44, .44, .44, .16, .16}));
  const Population first = run(a, replicate, {}, {1e-10, 1});
  EXPECT_THAT(first.x, testing::Pointwise(testing::DoubleNear(1e-6),
                                          {.2682927, .2682927, .2682927, .0975610, .0975610}));
}

TEST(dynamics, replicator_steps_depend_on_the_lift_as_worked_out) {
  const DenseArray a = worked_matrix();
  const auto steps = [&](const Lift& lift) {
    const Population found = run(a, replicate, lift, {1e-10, 10000});
    EXPECT_TRUE(found.converged);
    EXPECT_NEAR(found.x[0], 1.0 / 3, 1e-6);
    EXPECT_NEAR(found.x[3], 0, 1e-6);
    return found.steps;
  };
  EXPECT_EQ(steps({}), 13);
  EXPECT_EQ(steps({1, 0}), 54);
  EXPECT_EQ(steps({10, 0}), 377);
  EXPECT_EQ(steps({-.1, .1}), 4);
}

TEST(dynamics, infection_steps_are_the_worked_ones) {
  const DenseArray a = worked_matrix();
  const Population first = run(a, infect, {}, {1e-8, 1});
  // Objects 3 and 4 are alike; the first of them goes.
  EXPECT_THAT(first.x, testing::Pointwise(testing::DoubleNear(1e-12), {.25, .25, .25, 0.0, .25}));
  EXPECT_NEAR(value(a, {}, first.x), .4125, 1e-12);
  const Population last = run(a, infect, {}, {1e-8, 100});
  EXPECT_TRUE(last.converged);
  EXPECT_EQ(last.steps, 2);
  EXPECT_THAT(last.x, testing::Pointwise(testing::DoubleNear(1e-12),
                                         {1.0 / 3, 1.0 / 3, 1.0 / 3, 0.0, 0.0}));
}

TEST(dynamics, the_hierarchys_lift_keeps_the_worked_threshold) {
  const DenseArray a = worked_matrix();
  const auto at = [&](double alpha) { return run(a, infect, {alpha, -alpha}, {1e-12, 100000}).x; };
  EXPECT_EQ(at(1.69)[3], 0);
  EXPECT_GT(at(1.71)[3], 1e-4);
  const auto expected = {.2982456, .2982456, .2982456, .0526316, .0526316};
  EXPECT_THAT(at(2), testing::Pointwise(testing::DoubleNear(1e-6), expected));
  EXPECT_THAT(run(a, replicate, {2, -2}, {1e-12, 100000}).x,
              testing::Pointwise(testing::DoubleNear(1e-6), expected));
}

TEST(dynamics, f_never_falls_along_either_dynamics) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const DenseArray a = random_similarities(25, seed, seed % 2 == 0 ? 1.0 : 0.4);
    for (const Lift lift : {Lift{}, Lift{1, -1}}) {
      for (const auto dynamics : {replicate, infect}) {
        double before = value(a, lift, barycentre(25));
        for (std::size_t steps = 1; steps < 60; ++steps) {
          const Population now = run(a, dynamics, lift, {1e-12, steps});
          const double f = value(a, lift, now.x);
          EXPECT_GE(f, before - 1e-13) << "seed " << seed << ", step " << steps;
          EXPECT_NEAR(std::accumulate(now.x.begin(), now.x.end(), 0.0), 1, 1e-7);
          before = f;
        }
      }
    }
  }
}

}  // namespace
}  // namespace shiftcut::methods
