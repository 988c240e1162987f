// Rows that repeat or have weights: run() on them, and what is made of the result.
#include "run/row_nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "run/row_tables.hpp"
#include "run/support.hpp"
#include "shiftcut/feedback.hpp"
#include "shiftcut/model.hpp"

namespace shiftcut {
namespace {

using namespace run_testing;

struct View {
  std::string name;
  Form form = Form::doubles;
  SimilarityOptions similarity;
  ShiftOptions shift;
};

SimilarityOptions similar(Similarity kind, Weights weights = Weights::shared) {
  SimilarityOptions options;
  options.kind = kind;
  options.weights = weights;
  return options;
}

std::vector<View> views() {
  const ShiftOptions half{ShiftKind::adaptive, 0.5, 0, {}};
  const ShiftOptions constant{ShiftKind::constant, 1, 0.3, {}};
  SimilarityOptions plain = similar(Similarity::linear);
  plain.distance = Distance::euclidean;
  SimilarityOptions minmax = similar(Similarity::neighbors);
  minmax.scale = Scale::minmax;
  return {
      {"neighbors", Form::doubles, similar(Similarity::neighbors), {}},
      {"neighbors, minmax", Form::doubles, minmax, {}},
      {"neighbors, binary", Form::doubles, similar(Similarity::neighbors, Weights::binary), half},
      {"neighbors, gaussian", Form::floats, similar(Similarity::neighbors, Weights::gaussian), {}},
      {"neighbors, constant", Form::doubles, similar(Similarity::neighbors), constant},
      {"linear", Form::doubles, similar(Similarity::linear), {}},
      {"linear, float32", Form::floats, similar(Similarity::linear), {}},
      {"linear, half", Form::doubles, similar(Similarity::linear), half},
      {"linear, constant", Form::doubles, similar(Similarity::linear), constant},
      {"euclidean", Form::doubles, plain, {}},
      {"cosine", Form::doubles, similar(Similarity::cosine), {}},
      {"cosine, constant", Form::floats, similar(Similarity::cosine), constant},
      {"rbf", Form::doubles, similar(Similarity::rbf), {}},
      {"sparse neighbors", Form::sparse, similar(Similarity::neighbors), {}},
      {"sparse cosine", Form::sparse, similar(Similarity::cosine), {}},
      {"sparse cosine, half", Form::sparse, similar(Similarity::cosine), half},
      {"sparse linear", Form::sparse, similar(Similarity::linear), {}},
      {"sparse linear, half", Form::sparse, similar(Similarity::linear), half},
  };
}

Options options_of(const View& view, std::optional<std::size_t> clusters, int threads = 1) {
  Options options;
  options.similarity = view.similarity;
  options.shift = view.shift;
  options.search.clusters = clusters;
  options.search.restarts = 3;
  options.search.threads = threads;
  return options;
}

// Rounded, so that distances tie and rows repeat.
Table rounded_groups(std::size_t n, std::size_t d, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Table rows;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> row;
    for (std::size_t j = 0; j < d; ++j) {
      row.push_back(std::round(normal(random) + (i % 3 == j % 3 ? 6 : 1)));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

TEST(row_weights, of_two_equal_a_row_given_twice_in_every_view) {
  const Table rows = rounded_groups(60, 3, 1);
  const std::vector<double> weights = whole_weights(rows.size(), 4, 2);
  const Repeated twice = repeated(rows, weights);
  for (const View& view : views()) {
    for (const std::optional<std::size_t> clusters : {std::optional<std::size_t>(3), {}}) {
      SCOPED_TRACE(view.name + (clusters ? "" : ", K free"));
      const Options options = options_of(view, clusters);
      const Input weighted = input_of(rows, view.form, weights);
      const Input given_twice = input_of(twice.rows, view.form);
      const Result a = run(weighted, options);
      const Result b = run(given_twice, options);
      EXPECT_EQ(a.cost, b.cost);
      EXPECT_EQ(a.shift_strength, b.shift_strength);
      for (std::size_t i = 0; i < twice.rows.size(); ++i) {
        ASSERT_EQ(b.labels[i], a.labels[twice.from[i]]) << i;
      }
      const auto affinities = [&](const Input& input, const Result& result) {
        return Predictor(std::make_shared<const Model>(make_model(input, options, result)), 1)
            .affinities(input_of(rounded_groups(20, 3, 7), view.form).values, 1);
      };
      EXPECT_EQ(affinities(weighted, a), affinities(given_twice, b));
    }
  }
}

TEST(row_order, does_not_change_the_labels_or_their_cost) {
  const Table rows = rounded_groups(150, 3, 3);
  for (const View& view : views()) {
    SCOPED_TRACE(view.name);
    const Options options = options_of(view, 3);
    const Result expected = run(input_of(rows, view.form), options);
    for (unsigned seed = 0; seed < 3; ++seed) {
      std::vector<std::size_t> order(rows.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::shuffle(order.begin(), order.end(), std::mt19937(seed));
      Table shuffled;
      for (const std::size_t i : order) {
        shuffled.push_back(rows[i]);
      }
      const Result found = run(input_of(shuffled, view.form), options_of(view, 3, 2));
      EXPECT_EQ(found.cost, expected.cost);
      for (std::size_t i = 0; i < order.size(); ++i) {
        ASSERT_EQ(found.labels[i], expected.labels[order[i]]);
      }
    }
  }
}

TEST(equal_rows, share_a_cluster_whatever_the_view) {
  const Table rows = rounded_groups(200, 2, 4);
  for (const View& view : views()) {
    SCOPED_TRACE(view.name);
    const Result result = run(input_of(rows, view.form), options_of(view, 5));
    std::map<std::vector<double>, std::int32_t> label_of;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(label_of.emplace(rows[i], result.labels[i]).first->second, result.labels[i]);
    }
  }
}

TEST(row_weights, that_are_all_the_same_change_no_label_of_linear_similarities) {
  const Table rows = rounded_groups(80, 3, 9);
  Options options = asking_for(3);
  const Result plain = run(input_of(rows), options);
  const Result tenths =
      run(input_of(rows, Form::doubles, std::vector<double>(rows.size(), 0.1)), options);
  EXPECT_EQ(plain.labels, tenths.labels);
  EXPECT_NEAR(tenths.cost, plain.cost / 100, 1e-9 * std::abs(plain.cost));
}

// ---- What a person would say ----

TEST(repeated_rows, are_the_clusters_where_there_are_only_few_of_them) {
  Table rows;
  for (std::size_t i = 0; i < 400; ++i) {
    std::vector<double> row(4, 0.0);
    row[i / 100] = 1;
    rows.push_back(row);
  }
  Options options;
  options.search.threads = 1;
  EXPECT_EQ(run(input_of(rows), options).sizes, std::vector<std::size_t>(4, 100));
}

TEST(repeated_rows, ask_for_no_more_clusters_than_there_are_different_ones) {
  const Result result = run(input_of({{0, 0}, {0, 0}, {1, 1}, {1, 1}}), asking_for(3));
  EXPECT_EQ(result.clusters_found, 2U);
  EXPECT_TRUE(warns_of(result, "only 2 different rows"));
}

// ---- Weights of 0 ----

TEST(rows_of_weight_0, change_nothing_and_are_labelled_as_predict_does) {
  const Table rows = rounded_groups(90, 3, 10);
  const Table added = distinct_rows_without_ties(12);
  Table all = rows;
  all.insert(all.begin() + 40, added.begin(), added.end());
  std::vector<double> weights(all.size(), 1.0);
  std::fill_n(weights.begin() + 40, added.size(), 0.0);
  for (const View& view : views()) {
    SCOPED_TRACE(view.name);
    const Options options = options_of(view, 3);
    const Input without = input_of(rows, view.form);
    const Result expected = run(without, options);
    const Result found = run(input_of(all, view.form, weights), options);
    EXPECT_EQ(found.cost, expected.cost);
    const Predictor predictor(std::make_shared<const Model>(make_model(without, options, expected)),
                              1);
    const std::vector<std::int32_t> predicted =
        predictor.predict(input_of(added, view.form).values, 1);
    std::vector<std::int32_t> labels = expected.labels;
    labels.insert(labels.begin() + 40, predicted.begin(), predicted.end());
    EXPECT_EQ(found.labels, labels);
    EXPECT_EQ(std::accumulate(found.sizes.begin(), found.sizes.end(), std::size_t{0}), all.size());
  }
}

// ---- Constraints name rows ----

TEST(equal_rows, are_told_apart_by_a_cannot_link) {
  Table rows = rounded_groups(60, 2, 11);
  rows[7] = rows[4];
  rows[8] = rows[4];
  for (const View& view : views()) {
    SCOPED_TRACE(view.name);
    Options options = options_of(view, 4);
    options.links.cannot_link = {{4, 7}};
    const Result result = run(input_of(rows, view.form), options);
    EXPECT_NE(result.labels[4], result.labels[7]);
    options.links = {};
    options.links.must_link = {{4, 20}};  // and 7 equals 4
    options.links.cannot_link = {{20, 7}};
    const Result chained = run(input_of(rows, view.form), options);
    EXPECT_EQ(chained.labels[4], chained.labels[20]);
    EXPECT_NE(chained.labels[20], chained.labels[7]);
    options.links = {};
    options.links.one_per_cluster.assign(rows.size(), -1);
    options.links.one_per_cluster[4] = options.links.one_per_cluster[7] = 0;
    options.links.one_per_cluster[8] = 0;
    const Result grouped = run(input_of(rows, view.form), options);
    EXPECT_NE(grouped.labels[4], grouped.labels[7]);
    EXPECT_NE(grouped.labels[4], grouped.labels[8]);
    EXPECT_NE(grouped.labels[7], grouped.labels[8]);
  }
}

TEST(equal_rows, do_not_hide_that_links_contradict_each_other) {
  Options options = asking_for(3);
  options.links.must_link = {{0, 1}};
  options.links.cannot_link = {{1, 0}};
  EXPECT_THROW(run(input_of({{0, 0}, {0, 0}, {1, 1}, {2, 1}}), options), InvalidArgument);
}

TEST(evidence_on_equal_rows, counts_in_the_cost) {
  const Table rows = {{0, 0}, {0, 0}, {1, 0}, {5, 5}, {6, 5}};
  Options options = asking_for(2);
  const double plain = run(input_of(rows), options).cost;
  options.links.must_link = {{0, 1, 0.5}};
  const Result result = run(input_of(rows), options);
  ASSERT_TRUE(result.links);
  EXPECT_EQ(result.links->satisfied, 1U);
  EXPECT_NEAR(result.cost, plain + result.links->cost, 1e-9);
  EXPECT_LT(result.links->cost, 0);
}

TEST(feedback, splits_equal_rows_that_an_answer_tells_apart) {
  Table rows = rounded_groups(40, 2, 12);
  rows[9] = rows[3];
  const Input input = input_of(rows);
  Options options = asking_for(3);
  options.similarity.kind = Similarity::neighbors;
  Feedback feedback(input, options);
  EXPECT_EQ(feedback.labels()[3], feedback.labels()[9]);
  const std::vector<std::int32_t> before = feedback.result().labels;
  feedback.answer(std::vector<Answer>{{3, 9, Answer::Says::different}});
  EXPECT_NE(feedback.labels()[3], feedback.labels()[9]);
  EXPECT_FALSE(feedback.next_pairs(5).empty());
  feedback.undo();
  EXPECT_EQ(feedback.result().labels, before);
}

// ---- Refusals ----

TEST(row_weights, are_refused_where_they_make_no_sense) {
  const Table rows = {{0, 0}, {1, 1}, {5, 5}};
  const Options options = asking_for(2);
  const auto refused = [&](std::vector<double> weights) {
    EXPECT_THROW(run(input_of(rows, Form::doubles, std::move(weights)), options), InvalidArgument);
  };
  refused({1, 1});
  refused({1, -1, 1});
  refused({1, std::nan(""), 1});
  refused({1, std::numeric_limits<double>::infinity(), 1});
  refused({0, 0, 0});
  refused({1, 0, 0});  // two clusters of one row
  Input graph;
  graph.values = sparse_from_entries({{0, 1, 1}, {1, 0, 1}}, 2, 2);
  graph.shape = Shape::graph;
  graph.weights = {1, 2};
  EXPECT_THROW(run(graph, options), InvalidArgument);
  Options linked = options;
  linked.links.must_link = {{0, 1}};
  EXPECT_THROW(run(input_of(rows, Form::doubles, {1, 0, 1}), linked), InvalidArgument);
}

}  // namespace
}  // namespace shiftcut
