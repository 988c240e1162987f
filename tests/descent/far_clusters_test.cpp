#include "descent/far_clusters.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "core/rng.hpp"

namespace shiftcut {
namespace {

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
  far.for_best_of_each_size([&](ClusterId k) { return clusters[k].skipped; },
                            [&](ClusterId k, double size, double degrees) {
                              EXPECT_GT(size, last_size) << "one look a size";
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
        const Best expected = by_scan(clusters, per_object, 0.125);
        const Best found = by_size(far, clusters, per_object, 0.125);
        ASSERT_EQ(found.cluster, expected.cluster);
        ASSERT_EQ(found.affinity, expected.affinity);
      }
    }
  }
}

TEST(far_clusters, show_nothing_where_all_are_ruled_out) {
  FarClusters far;
  far.insert(0, 2, 1.5);
  far.insert(1, 3, 0.5);
  int shown = 0;
  far.for_best_of_each_size([](ClusterId) { return true; },
                            [&](ClusterId, double, double) { ++shown; });
  EXPECT_EQ(shown, 0);
  far.erase(0, 2, 1.5);
  far.erase(1, 3, 0.5);
  far.for_best_of_each_size([](ClusterId) { return false; },
                            [&](ClusterId, double, double) { ++shown; });
  EXPECT_EQ(shown, 0);
}

}  // namespace
}  // namespace shiftcut
