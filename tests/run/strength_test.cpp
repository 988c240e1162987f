// How sure a label is: margins by the definition, and what must hold of strengths and
// probabilities.
#include "run/predict/strength.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>

#include "shiftcut/shiftcut.hpp"
#include "similarity/row_groups.hpp"
#include "support/plain.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace testing_support;

Model fitted(const Input& input, const Options& options) {
  Kept kept;
  const Result result = run(input, options, {}, &kept.neighbors);
  return make_model(input, options, result, kept);
}

Prediction judged(const Model& model, const Rows& rows, int threads = 1) {
  return Predictor(std::make_shared<const Model>(model), threads).judge(rows, threads);
}

Options three_clusters(const NamedInput& data, const ShiftOptions& shift) {
  Options options;
  options.similarity = data.similarity;
  options.shift = shift;
  options.search.clusters = 3;
  options.search.threads = 1;
  return options;
}

// The first row of each node.
std::vector<ObjectId> rows_of_nodes(const Model& model, std::size_t n) {
  std::vector<ObjectId> first(n);
  std::iota(first.begin(), first.end(), ObjectId{0});
  for (ObjectId row = 0; row < model.node_of.size(); ++row) {
    first[model.node_of[row]] = row;
  }
  return first;
}

void expect_sound(const Strengths& strengths, const std::vector<std::int32_t>& labels,
                  std::size_t clusters) {
  const std::size_t n = labels.size();
  ASSERT_EQ(strengths.strength.size(), n);
  ASSERT_EQ(strengths.outlier.size(), n);
  ASSERT_EQ(strengths.offsets.size(), n + 1);
  for (std::size_t i = 0; i < n; ++i) {
    const auto begin = static_cast<std::size_t>(strengths.offsets[i]);
    const auto end = static_cast<std::size_t>(strengths.offsets[i + 1]);
    ASSERT_LT(begin, end);
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j) {
      EXPECT_GE(strengths.probabilities[j], 0);
      EXPECT_LT(static_cast<std::size_t>(strengths.clusters[j]), clusters);
      sum += strengths.probabilities[j];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_EQ(strengths.clusters[begin], labels[i]);
    EXPECT_GE(strengths.strength[i], 0);
    EXPECT_LE(strengths.strength[i], strengths.probabilities[begin]);
    EXPECT_GE(strengths.outlier[i], 0);
    EXPECT_LE(strengths.outlier[i], 1);
  }
}

// Affinities without the object itself, in every view, to all clusters that are not left out.
TEST(strength, follows_from_the_margins_of_the_definition) {
  Rng rng(14);
  ThreadTeam team(2);
  for (const ShiftOptions& shift : some_shifts()) {
    const std::size_t n = 30 + rng.below(20);
    for (const NamedInput& data : one_of_each(n, 3, rng)) {
      const Model model = fitted(data.input, three_clusters(data, shift));
      const plain::Matrix s = plain::shifted_matrix(problem_of(data, shift, team).problem);
      const double tolerance = 1e-9 * static_cast<double>(n) * (plain::largest_entry(s) + 1);
      const std::vector<ClusterId> labels(model.result.labels.begin(), model.result.labels.end());
      const std::vector<ObjectId> first = rows_of_nodes(model, n);
      const Rows nodes = std::visit(
          [&](const auto& values) -> Rows {
            return model.node_of.empty() ? Rows(values) : Rows(rows_of(values, first));
          },
          data.input.values);
      std::mutex mutex;
      affinity_of(model, team)->each_node(nodes, team, {}, [&](std::size_t i, const SeenRow& row) {
        const std::lock_guard lock(mutex);
        const std::vector<double> expected =
            plain::affinities(s, labels, first[i], model.result.sizes.size());
        bool has_own = false;
        for (const ClusterTie& tie : row.ties) {
          const auto k = static_cast<std::size_t>(tie.cluster);
          const bool is_own = k == labels[first[i]];
          has_own = has_own || is_own;
          EXPECT_NEAR(tie.affinity - (is_own ? row.self : 0), expected[k], tolerance) << data.name;
        }
        EXPECT_TRUE(has_own);
      });
    }
  }
}

TEST(strength, gives_probabilities_of_which_the_label_has_the_largest) {
  Rng rng(15);
  for (const ShiftOptions& shift : some_shifts()) {
    for (const NamedInput& data : one_of_each(60, 3, rng)) {
      const Model model = fitted(data.input, three_clusters(data, shift));
      const std::size_t clusters = model.result.sizes.size();
      expect_sound(model.strengths, model.result.labels, clusters);
      for (std::size_t i = 0; i < model.result.objects; ++i) {
        const auto begin = model.strengths.probabilities.begin() +
                           static_cast<std::ptrdiff_t>(model.strengths.offsets[i]);
        const auto end = model.strengths.probabilities.begin() +
                         static_cast<std::ptrdiff_t>(model.strengths.offsets[i + 1]);
        EXPECT_EQ(std::max_element(begin, end), begin) << data.name;
      }
      const Prediction prediction = judged(model, data.input.values);
      expect_sound(prediction.strengths, prediction.labels, clusters);
    }
  }
}

TEST(strength, does_not_depend_on_threads_and_survives_a_file) {
  Rng rng(16);
  for (const NamedInput& data : one_of_each(80, 3, rng)) {
    Options options = three_clusters(data, {});
    const Model model = fitted(data.input, options);
    options.search.threads = 3;
    EXPECT_EQ(fitted(data.input, options).strengths.strength, model.strengths.strength);
    const Model again = model_from_bytes(model_bytes(model), "file");
    EXPECT_EQ(again.strengths.probabilities, model.strengths.probabilities);
    const Prediction one = judged(model, data.input.values, 1);
    const Prediction three = judged(again, data.input.values, 3);
    EXPECT_EQ(one.labels, three.labels) << data.name;
    EXPECT_EQ(one.strengths.strength, three.strengths.strength) << data.name;
    EXPECT_EQ(one.strengths.outlier, three.strengths.outlier) << data.name;
    EXPECT_EQ(one.labels,
              Predictor(std::make_shared<const Model>(model), 1).predict(data.input.values, 1));
  }
}

TEST(strength, does_not_depend_on_the_order_of_rows) {
  Rng rng(17);
  const std::size_t n = 90;
  const std::vector<double> rows = grouped_rows(n, 3, 3, rng);
  std::vector<double> reversed;
  for (std::size_t i = n; i-- > 0;) {
    reversed.insert(reversed.end(), &rows[3 * i], &rows[3 * i] + 3);
  }
  Options options;
  options.search.clusters = 3;
  const Model a = fitted(features(rows, n, 3), options);
  const Model b = fitted(features(reversed, n, 3), options);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(a.strengths.strength[i], b.strengths.strength[n - 1 - i], 1e-9);
    EXPECT_NEAR(a.strengths.outlier[i], b.strengths.outlier[n - 1 - i], 1e-9);
  }
}

TEST(strength, is_low_for_rows_far_from_all_others_which_are_outliers) {
  Rng rng(18);
  const std::size_t n = 200;
  const Input input = features(grouped_rows(n, 3, 2, rng), n, 3);
  for (const Similarity kind : {Similarity::neighbors, Similarity::linear, Similarity::rbf}) {
    Options options;
    options.similarity.kind = kind;
    options.search.clusters = 2;
    const Model model = fitted(input, options);
    const DenseArray far = DenseArray::own(std::vector<double>{1e3, -1e3, 1e3, 1e5, 1e5, 0}, 2, 3);
    Prediction prediction = judged(model, far);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_GT(prediction.strengths.outlier[i], kOutlierLevel);
      if (kind != Similarity::rbf) {  // by affinities: members may have none either
        EXPECT_GT(prediction.strengths.outlier[i], std::ranges::max(model.strengths.outlier));
      }
      EXPECT_LT(prediction.strengths.strength[i], 0.5);
      EXPECT_GE(prediction.labels[i], 0);
    }
    leave_out_outliers(prediction);
    EXPECT_THAT(prediction.labels, testing::ElementsAre(-1, -1));
    Prediction training = judged(model, input.values);
    const std::vector<std::int32_t> before = training.labels;
    leave_out_outliers(training);
    const auto left_out = std::ranges::count(training.labels, -1);
    EXPECT_LE(left_out, 10) << static_cast<int>(kind);
  }
}

TEST(strength, ranks_planted_outliers_first) {
  Rng rng(19);
  const std::size_t n = 150;
  std::vector<double> rows = grouped_rows(n, 2, 3, rng);
  for (const double far : {300.0, -420.0, 777.0}) {
    rows.insert(rows.end(), {far, 2 * far});
  }
  Options options;
  options.search.clusters = 3;
  const Model model = fitted(features(rows, n + 3, 2), options);
  const auto last = model.strengths.outlier.end() - 3;
  EXPECT_GT(*std::min_element(last, model.strengths.outlier.end()),
            *std::max_element(model.strengths.outlier.begin(), last));
}

TEST(strength, of_one_cluster_is_certain_and_of_rows_without_weight_known) {
  Options options;
  options.search.clusters = 1;
  const Model one = fitted(features({1, 2, 3, 4, 5, 7}, 6, 1), options);
  expect_sound(one.strengths, one.result.labels, 1);
  EXPECT_EQ(one.strengths.probabilities, std::vector<double>(6, 1.0));
  Input weighted = features({1, 2, 2, 40, 41, 43, 42}, 7, 1);
  weighted.weights = {1, 2, 1, 1, 1, 1, 0};
  options.search.clusters = 2;
  const Model model = fitted(weighted, options);
  expect_sound(model.strengths, model.result.labels, model.result.sizes.size());
}

TEST(strength, is_lower_between_two_clusters_than_within_them) {
  std::vector<double> rows;
  for (int i = 0; i < 40; ++i) {
    rows.push_back(i < 20 ? 0.1 * i : 10 + 0.1 * i);
  }
  Options options;
  options.search.clusters = 2;
  for (const Similarity kind : {Similarity::neighbors, Similarity::linear, Similarity::rbf}) {
    options.similarity.kind = kind;
    const Model model = fitted(features(rows, 40, 1), options);
    const Prediction between = judged(model, DenseArray::own(std::vector<double>{6.95}, 1, 1));
    EXPECT_LT(between.strengths.strength[0], std::ranges::min(model.strengths.strength))
        << static_cast<int>(kind);
  }
}

}  // namespace
}  // namespace shiftcut
