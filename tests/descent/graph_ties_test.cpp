// Ties on graphs with so many clusters that they are not simply all tried.
#include <gtest/gtest.h>

#include "descent/descend.hpp"
#include "support/plain.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace testing_support;

void expect_the_labels_of_the_plain_loop(const std::vector<ShiftOptions>& shifts,
                                         std::uint64_t seed) {
  ThreadTeam team(1);
  Rng rng(seed);
  for (int round = 0; round < 4; ++round) {
    for (const ShiftOptions& shift : shifts) {
      for (const bool whole : {false, true}) {
        for (const bool negative : {false, true}) {
          const std::size_t n = 160 + rng.below(60);
          const std::size_t clusters = 65 + rng.below(80);
          const NamedInput data{"graph", graph(n, 3, negative, whole, rng), {}};
          const MadeProblem made = problem_of(data, shift, team);
          std::vector<ClusterId> labels = random_labels(n, clusters, rng);
          std::vector<ClusterId> expected = labels;
          Rng fast(seed, n);
          Rng slow(seed, n);
          const Control control;
          StopCheck stop(control, Clock::now(), 0);
          descend(made.problem, labels, clusters, {fast, team, stop});
          plain::descend(plain::shifted_matrix(made.problem), expected, clusters, slow);
          EXPECT_EQ(labels, expected) << shift_name(shift.kind) << ", K = " << clusters
                                      << ", whole " << whole << ", negative " << negative;
        }
      }
    }
  }
}

TEST(graph_with_many_clusters, gives_the_labels_of_the_plain_loop_under_the_adaptive_shift) {
  expect_the_labels_of_the_plain_loop({some_shifts()[0], some_shifts()[1], some_shifts()[2]}, 1);
}

// Without degrees in the shift, clusters of one size tie: the lowest number wins.
TEST(graph_with_many_clusters, gives_the_labels_of_the_plain_loop_under_the_other_shifts) {
  expect_the_labels_of_the_plain_loop({some_shifts()[3], some_shifts()[4], some_shifts()[5]}, 2);
}

}  // namespace
}  // namespace shiftcut
