#include "descent/graph_state.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "core/rng.hpp"
#include "descent/descend.hpp"
#include "support/plain.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace testing_support;

struct Cluster {
  double size = 0;
  double degrees = 0;
  bool skipped = false;
};

struct Best {
  ClusterId cluster = kNoCluster;
  double affinity = -std::numeric_limits<double>::infinity();

  void look_at(ClusterId k, double a) {
    if (a > affinity || (a == affinity && k < cluster)) {
      cluster = k;
      affinity = a;
    }
  }
};

Best by_scan(const std::vector<Cluster>& clusters, double per_object, double per_degree) {
  Best best;
  for (ClusterId k = 0; k < clusters.size(); ++k) {
    if (!clusters[k].skipped) {
      best.look_at(k, -clusters[k].size * per_object - per_degree * clusters[k].degrees);
    }
  }
  return best;
}

Best by_size(const FarClusters& far, const std::vector<Cluster>& clusters, double per_object,
             double per_degree) {
  Best best;
  double last_size = -1;
  far.for_best_of_each_size([&](ClusterId k) { return clusters[k].skipped; }, per_degree, 0,
                            [&](ClusterId k, double size, double degrees) {
                              EXPECT_GT(size, last_size) << "one look per size";
                              EXPECT_EQ(size, clusters[k].size);
                              EXPECT_EQ(degrees, clusters[k].degrees);
                              last_size = size;
                              best.look_at(k, -size * per_object - per_degree * degrees);
                            });
  return best;
}

TEST(far_clusters, have_the_best_cluster_that_a_scan_of_all_finds) {
  Rng rng(1);
  for (int round = 0; round < 60; ++round) {
    std::vector<Cluster> clusters(1 + rng.below(40));
    FarClusters far;
    const auto draw = [&](Cluster& c) {
      c.size = rng.below(5);
      c.degrees = c.size == 0 ? 0.0 : static_cast<double>(rng.below(12)) - 3;
    };
    for (ClusterId k = 0; k < clusters.size(); ++k) {
      draw(clusters[k]);
      far.insert(k, clusters[k].size, clusters[k].degrees);
    }
    for (int change = 0; change < 60; ++change) {
      const ClusterId k = rng.below(static_cast<std::uint32_t>(clusters.size()));
      far.erase(k, clusters[k].size, clusters[k].degrees);
      draw(clusters[k]);
      far.insert(k, clusters[k].size, clusters[k].degrees);
      for (Cluster& c : clusters) {
        c.skipped = rng.below(3) == 0;
      }
      for (const double per_object : {-0.5, 0.0, 0.25, 1.0}) {
        for (const double per_degree : {0.125, 0.0, -0.25}) {
          const Best expected = by_scan(clusters, per_object, per_degree);
          const Best found = by_size(far, clusters, per_object, per_degree);
          ASSERT_EQ(found.cluster, expected.cluster);
          ASSERT_EQ(found.affinity, expected.affinity);
        }
      }
    }
  }
}

TEST(far_clusters, show_nothing_where_all_are_ruled_out) {
  FarClusters far;
  far.insert(0, 2, 1.5);
  far.insert(1, 3, 0.5);
  int shown = 0;
  far.for_best_of_each_size([](ClusterId) { return true; }, 1, 0,
                            [&](ClusterId, double, double) { ++shown; });
  EXPECT_EQ(shown, 0);
  far.erase(0, 2, 1.5);
  far.erase(1, 3, 0.5);
  far.for_best_of_each_size([](ClusterId) { return false; }, 1, 0,
                            [&](ClusterId, double, double) { ++shown; });
  EXPECT_EQ(shown, 0);
}

// Graphs with so many clusters that FarClusters is used.
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
          if (shift.kind == ShiftKind::degree && with_degree({}, data).empty()) {
            continue;
          }
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

TEST(graph_state, with_many_clusters_gives_the_labels_of_the_plain_loop_under_the_adaptive_shift) {
  expect_the_labels_of_the_plain_loop({some_shifts()[0], some_shifts()[1], some_shifts()[2]}, 1);
}

// Without degrees in the shift, clusters of one size tie: the lowest number wins.
TEST(graph_state, with_many_clusters_gives_the_labels_of_the_plain_loop_under_other_shifts) {
  expect_the_labels_of_the_plain_loop({some_shifts()[3], some_shifts()[4], some_shifts()[5]}, 2);
}

// Objects without edges attract and repel nothing; those of negative degree prefer large degrees.
TEST(graph_state, with_many_clusters_gives_the_labels_of_the_plain_loop_under_the_degree_shift) {
  expect_the_labels_of_the_plain_loop({{ShiftKind::degree, 1, 0, {}},
                                       {ShiftKind::degree, 0.3, 0, {}},
                                       {ShiftKind::degree, 3, 0, {}}},
                                      3);
}

}  // namespace
}  // namespace shiftcut
