#include "shiftcut/describe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "shiftcut/shiftcut.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace testing_support;
using Measure = ColumnContrast::Measure;

Input table(std::vector<double> values, std::size_t columns) {
  const std::size_t n = values.size() / columns;
  return features(std::move(values), n, columns);
}

const ColumnContrast& column(const ClusterDescription& cluster, std::size_t number) {
  const auto found = std::ranges::find(cluster.columns, number, &ColumnContrast::column);
  EXPECT_NE(found, cluster.columns.end());
  return *found;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Worked by hand: medians 2 and 11, deviations within clusters 1 0 1 1 0 1 -> median 1.
TEST(describe, compares_medians_in_units_of_the_spread_within_clusters) {
  const Input input = table({1, 2, 3, 10, 11, 12}, 1);
  const std::vector<std::int32_t> labels{0, 0, 0, 1, 1, 1};
  const auto clusters = describe_clusters(input, labels);
  ASSERT_EQ(clusters.size(), 2U);
  const ColumnContrast& first = column(clusters[0], 0);
  EXPECT_EQ(first.measure, Measure::median);
  EXPECT_DOUBLE_EQ(first.inside, 2);
  EXPECT_DOUBLE_EQ(first.outside, 11);
  EXPECT_DOUBLE_EQ(first.effect, -9 / 1.4826);
  EXPECT_DOUBLE_EQ(column(clusters[1], 0).effect, 9 / 1.4826);
}

// Cohen's h of 3/4 and 1/4 is pi/3.
TEST(describe, compares_columns_of_0_and_1_by_shares) {
  const Input input = table({1, 1, 1, 0, 0, 0, 0, 1}, 1);
  const std::vector<std::int32_t> labels{0, 0, 0, 0, 1, 1, 1, 1};
  const ColumnContrast contrast = column(describe_clusters(input, labels)[0], 0);
  EXPECT_EQ(contrast.measure, Measure::share);
  EXPECT_DOUBLE_EQ(contrast.inside, 0.75);
  EXPECT_DOUBLE_EQ(contrast.outside, 0.25);
  EXPECT_NEAR(contrast.effect, std::acos(-1.0) / 3, 1e-12);
  EXPECT_NEAR(contrast.lift.value_or(0), (3.5 / 5) / (1.5 / 5), 1e-12);
}

TEST(describe, uses_means_where_most_numbers_of_a_cluster_are_equal) {
  const Input input = table({0, 0, 0, 0, 6, 0, 0, 0, 0, 1}, 1);
  const std::vector<std::int32_t> labels{0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
  const ColumnContrast contrast = column(describe_clusters(input, labels)[0], 0);
  EXPECT_EQ(contrast.measure, Measure::mean);
  EXPECT_DOUBLE_EQ(contrast.inside, 1.2);
  EXPECT_DOUBLE_EQ(contrast.outside, 0.2);
  const double squares = 4 * 1.44 + 4.8 * 4.8 + 4 * 0.04 + 0.64;
  EXPECT_NEAR(contrast.effect, 1 / std::sqrt(squares / 10), 1e-12);
}

TEST(describe, gives_columns_that_are_constant_in_every_cluster_the_largest_effect) {
  const Input input = table({3, 7, 3, 7, 4, 7, 4, 7}, 2);
  const auto clusters = describe_clusters(input, std::vector<std::int32_t>{0, 0, 1, 1});
  ASSERT_EQ(clusters[0].columns.size(), 1U);  // the other says nothing
  EXPECT_EQ(clusters[0].columns[0].column, 0U);
  EXPECT_EQ(clusters[0].columns[0].effect, -100);
}

// Against a plain computation of every number, over clusters of any size.
TEST(describe, matches_a_plain_computation_of_the_medians) {
  Rng rng(5);
  for (int round = 0; round < 20; ++round) {
    const std::size_t n = 5 + rng.below(60);
    const std::size_t d = 1 + rng.below(4);
    const std::size_t k = 2 + rng.below(4);
    std::vector<double> values(n * d);
    for (double& value : values) {
      value = std::floor(20 * rng.uniform());  // with ties
    }
    std::vector<std::int32_t> labels(n);
    for (std::size_t i = 0; i < n; ++i) {
      labels[i] = i < k ? static_cast<std::int32_t>(i)
                        : static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(k))) -
                              (rng.below(9) == 0 ? 1 : 0);
    }
    DescribeOptions options;
    options.columns = d;
    const auto clusters = describe_clusters(table(values, d), labels, options);
    ASSERT_EQ(clusters.size(), k);
    for (const ClusterDescription& cluster : clusters) {
      for (const ColumnContrast& contrast : cluster.columns) {
        if (contrast.measure != Measure::median) {
          continue;
        }
        std::vector<std::vector<double>> of_cluster(k);
        std::vector<double> outside;
        for (std::size_t i = 0; i < n; ++i) {
          if (labels[i] >= 0) {
            of_cluster[static_cast<std::size_t>(labels[i])].push_back(
                values[i * d + contrast.column]);
          }
          if (labels[i] >= 0 && labels[i] != cluster.cluster) {
            outside.push_back(values[i * d + contrast.column]);
          }
        }
        std::vector<double> deviations;
        for (const std::vector<double>& members : of_cluster) {
          for (const double value : members) {
            deviations.push_back(std::abs(value - median(members)));
          }
        }
        std::ranges::sort(deviations);
        const double spread = 1.4826 * deviations[deviations.size() / 2];
        const double inside = median(of_cluster[static_cast<std::size_t>(cluster.cluster)]);
        EXPECT_DOUBLE_EQ(contrast.inside, inside);
        EXPECT_DOUBLE_EQ(contrast.outside, median(outside));
        EXPECT_NEAR(contrast.effect, std::clamp((inside - median(outside)) / spread, -100.0, 100.0),
                    1e-9);
      }
    }
  }
}

// A path a - b - c with weights 2 and 1, {a, b} and {c}.
TEST(describe, measures_cohesion_as_the_share_of_similarity_within_the_cluster) {
  Input input;
  input.shape = Shape::graph;
  input.values = sparse_from_entries({{0, 1, 2}, {1, 0, 2}, {1, 2, 1}, {2, 1, 1}}, 3, 3);
  const auto clusters = describe_clusters(input, std::vector<std::int32_t>{0, 0, 1});
  EXPECT_DOUBLE_EQ(clusters[0].cohesion, 4.0 / 5);
  EXPECT_EQ(clusters[0].nearest, 1);
  EXPECT_DOUBLE_EQ(clusters[1].cohesion, 0);
  EXPECT_EQ(clusters[1].nearest, 0);
  EXPECT_THAT(clusters[0].exemplars, testing::ElementsAre(0));  // b is as near as can be to a
  EXPECT_TRUE(clusters[0].columns.empty());
}

TEST(describe, chooses_the_most_central_object_first_and_then_others_far_from_it) {
  // 0 .. 4 and 20 .. 24 in one cluster: the medians of the halves, after the median of all.
  const Input input = table({0, 1, 2, 3, 4, 5, 20, 21, 22, 23, 24, 90, 91, 92}, 1);
  const std::vector<std::int32_t> labels{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1};
  DescribeOptions options;
  options.exemplars = 2;
  const auto clusters = describe_clusters(input, labels, options);
  EXPECT_THAT(clusters[0].exemplars, testing::ElementsAre(5, 8));
  EXPECT_EQ(clusters[1].exemplars.front(), 12U);
  EXPECT_EQ(clusters[1].nearest, 0);  // no neighbour crosses, but its exemplars are the nearest
}

TEST(describe, names_equal_objects_once) {
  const Input input = table({1, 1, 1, 1, 9, 9, 9, 9}, 1);
  const auto clusters = describe_clusters(input, std::vector<std::int32_t>{0, 0, 0, 0, 1, 1, 1, 1});
  EXPECT_THAT(clusters[0].exemplars, testing::ElementsAre(0));
}

TEST(describe, ranks_words_that_members_have_and_others_have_not) {
  Input input;
  // word 0 is in all rows, 1 in the first two, 2 in the last two, 3 in the first only
  input.values = sparse_from_entries({{0, 0, 1},
                                      {1, 0, 1},
                                      {2, 0, 1},
                                      {3, 0, 1},
                                      {0, 1, .5},
                                      {1, 1, .2},
                                      {2, 2, 1},
                                      {3, 2, 3},
                                      {0, 3, 1}},
                                     4, 4);
  input.column_names = {"the", "cat", "dog", "rare"};
  const auto clusters = describe_clusters(input, std::vector<std::int32_t>{0, 0, 1, 1});
  ASSERT_EQ(clusters[0].columns.size(), 2U);
  EXPECT_EQ(clusters[0].columns[0].name, "cat");
  EXPECT_EQ(clusters[0].columns[1].name, "rare");
  ASSERT_EQ(clusters[1].columns.size(), 1U);
  EXPECT_EQ(clusters[1].columns[0].name, "dog");
  EXPECT_DOUBLE_EQ(clusters[1].columns[0].inside, 1);
}

TEST(describe, does_not_depend_on_the_order_of_rows_or_the_number_of_threads) {
  Rng rng(8);
  const std::size_t n = 1500;  // more members than are compared
  const std::size_t d = 3;
  const std::vector<double> rows = grouped_rows(n, d, 2, rng);
  std::vector<std::int32_t> labels(n);
  for (std::size_t i = 0; i < n; ++i) {
    labels[i] = static_cast<std::int32_t>(i % 2);
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = n - 1; i > 0; --i) {
    std::swap(order[i], order[rng.below(static_cast<std::uint32_t>(i + 1))]);
  }
  std::vector<double> shuffled;
  std::vector<std::int32_t> shuffled_labels;
  for (const std::size_t i : order) {
    shuffled.insert(shuffled.end(), rows.begin() + static_cast<std::ptrdiff_t>(i * d),
                    rows.begin() + static_cast<std::ptrdiff_t>((i + 1) * d));
    shuffled_labels.push_back(labels[i]);
  }
  DescribeOptions one;
  one.threads = 1;
  DescribeOptions three;
  three.threads = 3;
  const auto a = describe_clusters(table(rows, d), labels, one);
  const auto b = describe_clusters(table(shuffled, d), shuffled_labels, three);
  for (std::size_t k = 0; k < 2; ++k) {
    ASSERT_EQ(a[k].exemplars.size(), b[k].exemplars.size());
    for (std::size_t e = 0; e < a[k].exemplars.size(); ++e) {
      EXPECT_EQ(a[k].exemplars[e], order[b[k].exemplars[e]]);
    }
    EXPECT_NEAR(a[k].cohesion, b[k].cohesion, 1e-12);
    ASSERT_EQ(a[k].columns.size(), b[k].columns.size());
    for (std::size_t c = 0; c < a[k].columns.size(); ++c) {
      EXPECT_EQ(a[k].columns[c].effect, b[k].columns[c].effect);
    }
  }
}

TEST(describe, takes_every_kind_of_input) {
  Rng rng(9);
  for (const NamedInput& data : one_of_each(30, 3, rng)) {
    const Result result = run(data.input, {});
    DescribeOptions options;
    options.similarity = data.similarity;
    const auto clusters = describe_clusters(data.input, result.labels, options);
    ASSERT_EQ(clusters.size(), result.clusters_found) << data.name;
    for (const ClusterDescription& cluster : clusters) {
      EXPECT_EQ(cluster.size, result.sizes[static_cast<std::size_t>(cluster.cluster)]);
      EXPECT_FALSE(cluster.exemplars.empty()) << data.name;
      EXPECT_GE(cluster.cohesion, 0);
      EXPECT_LE(cluster.cohesion, 1);
      EXPECT_NE(cluster.nearest, cluster.cluster);
      for (const std::size_t object : cluster.exemplars) {
        EXPECT_EQ(result.labels[object], cluster.cluster) << data.name;
      }
    }
  }
}

TEST(describe, takes_one_object_no_cluster_and_all_in_one_cluster) {
  const Input one = table({3}, 1);
  EXPECT_EQ(describe_clusters(one, std::vector<std::int32_t>{0})[0].exemplars.size(), 1U);
  EXPECT_TRUE(describe_clusters(one, std::vector<std::int32_t>{-1}).empty());
  const Input some = table({3, 4, 9, 8}, 1);
  const auto all = describe_clusters(some, std::vector<std::int32_t>{0, 0, 0, 0});
  EXPECT_TRUE(all[0].columns.empty());
  EXPECT_FALSE(all[0].nearest);
  EXPECT_EQ(describe_clusters(some, std::vector<std::int32_t>{2, 2, 0, -1}).size(), 3U);
  EXPECT_THROW(describe_clusters(some, std::vector<std::int32_t>{0, 0}), std::invalid_argument);
}
// What is said of a cluster, in full.
std::string told(std::span<const ClusterDescription> clusters, const Input& input) {
  return to_json(clusters, input);
}

TEST(describe, needs_no_search_where_a_run_kept_its_neighbours) {
  Rng rng(5);
  std::vector<double> values;
  for (std::size_t i = 0; i < 300; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      values.push_back(6.0 * static_cast<double>(i % 3 == c) + rng.uniform());
    }
  }
  for (const Metric metric : {Metric::euclidean, Metric::cosine, Metric::manhattan}) {
    for (const Weights weights : {Weights::shared, Weights::gaussian}) {
      const Input input = table(values, 3);
      Options options;
      options.similarity.metric = metric;
      options.similarity.weights = weights;
      std::shared_ptr<const NeighborTable> kept;
      const Result result = run(input, options, {}, &kept);
      ASSERT_NE(kept, nullptr);
      const auto searched = describe_clusters(input, options, result, nullptr);
      EXPECT_EQ(told(describe_clusters(input, options, result, kept.get()), input),
                told(searched, input));
      // Other neighbours, all in the same list, are seen: the table given is the one used.
      NeighborTable other = *kept;
      std::ranges::fill(other.ids, 0U);
      EXPECT_NE(told(describe_clusters(input, options, result, &other), input),
                told(searched, input));
    }
  }
}

// Equal rows are one node, whose neighbours are not those of its rows.
TEST(describe, searches_again_where_rows_repeat) {
  std::vector<double> values;
  for (int i = 0; i < 120; ++i) {
    values.insert(values.end(), {static_cast<double>(i % 40), i % 40 < 20 ? 0.0 : 90.0});
  }
  const Input input = table(values, 2);
  std::shared_ptr<const NeighborTable> kept;
  const Result result = run(input, {}, {}, &kept);
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(told(describe_clusters(input, {}, result, kept.get()), input),
            told(describe_clusters(input, {}, result, nullptr), input));
}

}  // namespace
}  // namespace shiftcut
