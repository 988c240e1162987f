#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/rng.hpp"
#include "shiftcut/methods/agglomerative.hpp"

namespace shiftcut::methods {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr Linkage kLinkages[] = {Linkage::single, Linkage::complete, Linkage::average,
                                 Linkage::ward};

DenseArray distances_of(const std::vector<double>& points) {
  const std::size_t n = points.size();
  std::vector<double> d(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      d[i * n + j] = std::abs(points[i] - points[j]);
    }
  }
  return DenseArray::own(std::move(d), n, n);
}

// Symmetric; few distinct values make many ties.
DenseArray random_distances(std::size_t n, std::uint32_t values, Rng& rng) {
  std::vector<double> d(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double value = values == 0 ? rng.uniform() : 1 + rng.below(values);
      d[i * n + j] = d[j * n + i] = value;
    }
  }
  return DenseArray::own(std::move(d), n, n);
}

AgglomerativeTree tree_of(const DenseArray& distances, Linkage linkage, bool squared = false) {
  return reliable_agglomerative(distances, {linkage, squared, 1});
}

std::vector<double> heights(const AgglomerativeTree& tree) {
  const LinkageMatrix matrix = linkage_matrix(tree);
  std::vector<double> found;
  for (std::size_t t = 0; t < matrix.rounds.size(); ++t) {
    found.push_back(matrix.rows[t * 4 + 2]);
  }
  return found;
}

TEST(reliable_agglomerative, heights_are_the_worked_numbers_of_five_points) {
  const DenseArray d = distances_of({0, 1, 3, 7, 12});
  EXPECT_THAT(heights(tree_of(d, Linkage::single)), ElementsAre(1, 2, 4, 5));
  EXPECT_THAT(heights(tree_of(d, Linkage::complete)), ElementsAre(1, 3, 5, 12));
  EXPECT_THAT(heights(tree_of(d, Linkage::average)),
              ElementsAre(1, 2.5, 5, DoubleNear(8.1666667, 1e-6)));
  std::vector<double> increase = heights(tree_of(d, Linkage::ward));
  for (double& height : increase) {
    height = height * height / 2;
  }
  EXPECT_THAT(increase, ElementsAre(DoubleNear(0.5, 1e-6), DoubleNear(4.1666667, 1e-6),
                                    DoubleNear(12.5, 1e-6), DoubleNear(80.0333333, 1e-6)));
}

TEST(reliable_agglomerative, has_three_two_and_one_clusters_after_its_rounds) {
  const AgglomerativeTree tree = tree_of(distances_of({0, 1, 10, 11.5, 30, 32}), Linkage::average);
  std::vector<int> rounds;
  for (const Merge& merge : tree.merges) {
    rounds.push_back(merge.round);
  }
  EXPECT_THAT(rounds, ElementsAre(1, 1, 1, 2, 3));
  EXPECT_THAT(labels_at(tree, 3), ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_THAT(labels_at(tree, 2), ElementsAre(0, 0, 0, 0, 1, 1));
  EXPECT_THAT(labels_at(tree, 1), testing::Each(0));
}

TEST(reliable_agglomerative, ends_the_last_round_with_its_lowest_merges) {
  const AgglomerativeTree tree = tree_of(distances_of({0, 1, 10, 11.5, 30, 32}), Linkage::average);
  EXPECT_THAT(labels_at(tree, 4), ElementsAre(0, 0, 1, 1, 2, 3));
  EXPECT_THAT(labels_at(tree, 5), ElementsAre(0, 0, 1, 2, 3, 4));
  EXPECT_THAT(labels_at(tree, 6), ElementsAre(0, 1, 2, 3, 4, 5));
}

// The rounds by definition, on clusters as lists of objects: linkages as defined, all mutual
// nearest pairs, ties to the lowest first object.
struct Plain {
  const DenseArray& d;
  Linkage linkage;

  [[nodiscard]] double between(const std::vector<std::size_t>& a,
                               const std::vector<std::size_t>& b) const {
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    double sum = 0;
    for (const std::size_t i : a) {
      for (const std::size_t j : b) {
        least = std::min(least, d.at(i, j));
        most = std::max(most, d.at(i, j));
        sum += d.at(i, j);
      }
    }
    return linkage == Linkage::single     ? least
           : linkage == Linkage::complete ? most
                                          : sum / static_cast<double>(a.size() * b.size());
  }

  [[nodiscard]] std::vector<Merge> merges() const {
    std::vector<std::vector<std::size_t>> clusters;
    for (std::size_t i = 0; i < d.rows(); ++i) {
      clusters.push_back({i});
    }
    std::vector<Merge> done;
    for (int round = 1; clusters.size() > 1; ++round) {
      std::vector<std::size_t> nearest(clusters.size());
      for (std::size_t a = 0; a < clusters.size(); ++a) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t b = 0; b < clusters.size(); ++b) {
          if (a != b && between(clusters[a], clusters[b]) < least) {
            least = between(clusters[a], clusters[b]);
            nearest[a] = b;
          }
        }
      }
      std::vector<Merge> now;
      auto next = clusters;
      for (std::size_t a = 0; a < clusters.size(); ++a) {
        const std::size_t b = nearest[a];
        if (a < b && nearest[b] == a) {
          now.push_back({static_cast<std::uint32_t>(clusters[a].front()),
                         static_cast<std::uint32_t>(clusters[b].front()),
                         between(clusters[a], clusters[b]), round});
          next[a].insert(next[a].end(), clusters[b].begin(), clusters[b].end());
          next[b].clear();
        }
      }
      std::stable_sort(now.begin(), now.end(),
                       [](const Merge& x, const Merge& y) { return x.height < y.height; });
      done.insert(done.end(), now.begin(), now.end());
      std::erase_if(next, [](const auto& cluster) { return cluster.empty(); });
      clusters = std::move(next);
    }
    return done;
  }
};

void expect_as_the_definition(const DenseArray& d, Linkage linkage) {
  const std::vector<Merge> expected = Plain{d, linkage}.merges();
  const AgglomerativeTree tree = tree_of(d, linkage);
  ASSERT_EQ(tree.merges.size(), expected.size());
  for (std::size_t t = 0; t < expected.size(); ++t) {
    ASSERT_EQ(tree.merges[t].first, expected[t].first);
    ASSERT_EQ(tree.merges[t].second, expected[t].second);
    ASSERT_EQ(tree.merges[t].round, expected[t].round);
    ASSERT_NEAR(tree.merges[t].height, expected[t].height, 1e-12);
  }
}

// Ties are compared only where cluster distances are exact; averages are rounded.
TEST(reliable_agglomerative, merges_round_by_round_as_the_definition_ties_included) {
  Rng rng(1);
  for (int run = 0; run < 150; ++run) {
    const std::size_t n = 1 + rng.below(run < 140 ? 40 : 100);
    for (const Linkage linkage : {Linkage::single, Linkage::complete, Linkage::average}) {
      const std::uint32_t values = linkage == Linkage::average ? 0 : (run % 3) * 4;
      expect_as_the_definition(random_distances(n, values, rng), linkage);
    }
  }
}

// In every round, all clusters are nearest to the one that merges.
TEST(reliable_agglomerative, merges_as_the_definition_around_a_hub) {
  Rng rng(5);
  const std::size_t n = 80;
  std::vector<double> radius(n);
  for (double& value : radius) {
    value = 1 + rng.uniform();
  }
  std::vector<double> d(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      d[i * n + j] = radius[i] + radius[j];
    }
  }
  const DenseArray distances = DenseArray::own(std::move(d), n, n);
  EXPECT_EQ(tree_of(distances, Linkage::complete).merges.back().round, static_cast<int>(n) - 1);
  for (const Linkage linkage : {Linkage::single, Linkage::complete, Linkage::average}) {
    expect_as_the_definition(distances, linkage);
  }
}

TEST(reliable_agglomerative, is_the_same_for_any_number_of_threads) {
  Rng rng(2);
  for (const Linkage linkage : kLinkages) {
    const DenseArray d = random_distances(150, 0, rng);
    const LinkageMatrix one = linkage_matrix(reliable_agglomerative(d, {linkage, false, 1}));
    for (const int threads : {2, 7}) {
      const LinkageMatrix several =
          linkage_matrix(reliable_agglomerative(d, {linkage, false, threads}));
      EXPECT_EQ(several.rows, one.rows);
      EXPECT_EQ(several.rounds, one.rounds);
    }
  }
}

TEST(reliable_agglomerative, rows_name_clusters_that_are_there_and_their_sizes) {
  Rng rng(3);
  for (const Linkage linkage : kLinkages) {
    const std::size_t n = 60;
    const LinkageMatrix matrix = linkage_matrix(tree_of(random_distances(n, 5, rng), linkage));
    std::vector<double> sizes(n, 1.0);
    std::vector<bool> used(2 * n - 1);
    for (std::size_t t = 0; t + 1 < n; ++t) {
      const auto a = static_cast<std::size_t>(matrix.rows[t * 4]);
      const auto b = static_cast<std::size_t>(matrix.rows[t * 4 + 1]);
      ASSERT_LT(a, b);
      ASSERT_LT(b, n + t);
      ASSERT_FALSE(used[a] || used[b]);
      used[a] = used[b] = true;
      sizes.push_back(sizes[a] + sizes[b]);
      ASSERT_EQ(matrix.rows[t * 4 + 3], sizes.back());
      ASSERT_TRUE(t == 0 || matrix.rows[t * 4 + 2] >= matrix.rows[t * 4 - 2]);
    }
    EXPECT_EQ(sizes.back(), static_cast<double>(n));
  }
}

// Section 11: a constant added to all distances of different objects raises all heights by it and
// leaves the tree unchanged; for Ward's linkage, on squared distances.
TEST(reliable_agglomerative, keeps_the_tree_when_a_constant_is_added) {
  Rng rng(4);
  for (int run = 0; run < 50; ++run) {
    const std::size_t n = 2 + rng.below(30);
    const DenseArray d = random_distances(n, 0, rng);
    std::vector<double> raised(d.f64(), d.f64() + n * n);
    for (double& value : raised) {
      value += 3;
    }
    for (const Linkage linkage : kLinkages) {
      const AgglomerativeTree before = tree_of(d, linkage, true);
      const AgglomerativeTree after = tree_of(DenseArray::own(raised, n, n), linkage, true);
      for (std::size_t t = 0; t + 1 < n; ++t) {
        ASSERT_EQ(after.merges[t].first, before.merges[t].first);
        ASSERT_EQ(after.merges[t].second, before.merges[t].second);
        ASSERT_EQ(after.merges[t].round, before.merges[t].round);
        ASSERT_NEAR(after.merges[t].height, before.merges[t].height + 3, 1e-9);
      }
    }
  }
}

// One merge per round: distances grow, so that all but the first two clusters wait.
TEST(reliable_agglomerative, takes_as_many_rounds_as_merges_where_it_must) {
  std::vector<double> points;
  for (int i = 0; i < 40; ++i) {
    points.push_back(std::ldexp(1.0, i));
  }
  EXPECT_EQ(tree_of(distances_of(points), Linkage::single).merges.back().round, 39);
}

TEST(reliable_agglomerative, takes_one_object_and_equal_ones) {
  const AgglomerativeTree one = tree_of(distances_of({5}), Linkage::ward);
  EXPECT_TRUE(one.merges.empty());
  EXPECT_TRUE(linkage_matrix(one).rows.empty());
  EXPECT_THAT(labels_at(one, 1), ElementsAre(0));
  for (const Linkage linkage : kLinkages) {
    EXPECT_THAT(heights(tree_of(distances_of({2, 2, 2, 2}), linkage)), ElementsAre(0, 0, 0));
  }
}

template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(reliable_agglomerative, refuses_what_it_cannot_merge) {
  const auto message_of = [](std::vector<double> d, std::size_t rows, std::size_t columns) {
    return refusal([&] { (void)tree_of(DenseArray::own(d, rows, columns), Linkage::single); });
  };
  EXPECT_EQ(message_of({0, -1, -1, 0}, 2, 2),
            "distances: found -1 between objects 0 and 1; allowed: 0 to 1e+150");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(message_of({0, nan, nan, 0}, 2, 2), HasSubstr("found nan"));
  EXPECT_THAT(message_of({0, 1e200, 1e200, 0}, 2, 2), HasSubstr("found 1e+200"));
  EXPECT_THAT(message_of({0, 1}, 1, 2), HasSubstr("found 1 x 2"));
  EXPECT_THAT(refusal([] { (void)labels_at(tree_of(distances_of({1, 2}), Linkage::ward), 3); }),
              HasSubstr("found 3; allowed: 1 to 2"));
  EXPECT_THAT(refusal([] { (void)linkage_named("centroid"); }), HasSubstr("not reducible"));
  EXPECT_THAT(refusal([] { (void)linkage_named("median"); }), HasSubstr("not reducible"));
  EXPECT_EQ(refusal([] { (void)linkage_named("nearest"); }),
            "linkage: found 'nearest'; allowed: single, complete, average, ward");
}

TEST(reliable_agglomerative, stops_when_asked_and_reports_progress) {
  std::atomic<bool> stop = false;
  std::vector<std::uint64_t> done;
  Control control;
  control.stop = &stop;
  control.progress = [&](const Progress& progress) { done.push_back(progress.done); };
  const DenseArray d = distances_of({0, 1, 10, 11.5, 30, 32});
  (void)reliable_agglomerative(d, {Linkage::average, false, 1}, control);
  EXPECT_THAT(done, ElementsAre(3, 4, 5));
  stop = true;
  EXPECT_THROW((void)reliable_agglomerative(d, {Linkage::average, false, 1}, control), Interrupted);
}

}  // namespace
}  // namespace shiftcut::methods
