// Rows that repeat or have weights: run() on them, and what is made of the result.
#include "run/row_nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "run/support.hpp"
#include "shiftcut/explain.hpp"
#include "shiftcut/feedback.hpp"
#include "shiftcut/model.hpp"

namespace shiftcut {
namespace {

using namespace run_testing;

using Table = std::vector<std::vector<double>>;

enum class Form { doubles, floats, sparse };

Input input_of(const Table& rows, Form form = Form::doubles, std::vector<double> weights = {}) {
  Input input;
  const std::size_t d = rows.front().size();
  std::vector<double> values;
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    values.insert(values.end(), rows[i].begin(), rows[i].end());
    for (std::uint32_t j = 0; j < d; ++j) {
      if (rows[i][j] != 0) {
        entries.push_back({i, j, rows[i][j]});
      }
    }
  }
  if (form == Form::sparse) {
    input.values = sparse_from_entries(std::move(entries), rows.size(), d);
  } else if (form == Form::floats) {
    input.values =
        DenseArray::own(std::vector<float>(values.begin(), values.end()), rows.size(), d);
  } else {
    input.values = DenseArray::own(std::move(values), rows.size(), d);
  }
  input.weights = std::move(weights);
  return input;
}

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

struct Repeated {
  Table rows;
  std::vector<std::size_t> from;  // the row each is a copy of
};

Repeated repeated(const Table& rows, const std::vector<double>& times) {
  Repeated out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (int copy = 0; copy < static_cast<int>(times[i]); ++copy) {
      out.rows.push_back(rows[i]);
      out.from.push_back(i);
    }
  }
  return out;
}

std::vector<double> whole_weights(std::size_t n, int most, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> weights;
  for (std::size_t i = 0; i < n; ++i) {
    weights.push_back(1 + static_cast<double>(random() % static_cast<unsigned>(most)));
  }
  return weights;
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

// ---- The cost, from the definition over all rows ----

Table unit_rows(const Table& rows) {
  Table out = rows;
  for (std::vector<double>& row : out) {
    const double norm = std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
    for (double& value : row) {
      value /= norm > 0 ? norm : 1;
    }
  }
  return out;
}

double squared(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    sum += (a[j] - b[j]) * (a[j] - b[j]);
  }
  return sum;
}

// X over all rows, without scaling. Neighbours are distinct rows, with weights of 1; equal rows
// have similarity 1, a row 0 with itself.
std::vector<std::vector<double>> definition(const Table& rows, const std::string& similarity,
                                            std::size_t k) {
  const std::size_t n = rows.size();
  std::vector<std::vector<double>> x(n, std::vector<double>(n, 0.0));
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      largest = std::max(largest, squared(rows[i], rows[j]));
    }
  }
  const Table units = unit_rows(rows);
  const auto is_near = [&](std::size_t i, std::size_t j) {
    Table nearer;
    for (const std::vector<double>& row : rows) {
      const double to_row = squared(rows[i], row);
      if (to_row > 0 && to_row < squared(rows[i], rows[j]) &&
          std::ranges::find(nearer, row) == nearer.end()) {
        nearer.push_back(row);
      }
    }
    return nearer.size() < k;
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (similarity == "linear") {
        x[i][j] = largest - squared(rows[i], rows[j]);
      } else if (similarity == "cosine") {
        x[i][j] = std::inner_product(units[i].begin(), units[i].end(), units[j].begin(), 0.0);
      } else if (similarity == "rbf") {
        x[i][j] = std::exp(-squared(rows[i], rows[j]) / 4);
      } else if (i != j) {
        x[i][j] = rows[i] == rows[j] || is_near(i, j) || is_near(j, i) ? 1 : 0;
      }
    }
  }
  return x;
}

double cost_of(const std::vector<std::vector<double>>& x, const std::vector<double>& weights,
               const Result& result) {
  const std::size_t n = x.size();
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> r(n, 0.0);
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      r[i] += weights[j] * x[i][j];
    }
    total += weights[i] * r[i];
  }
  double cost = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (result.labels[i] == result.labels[j]) {
        const double alpha = (r[i] + r[j]) / all - total / all / all;
        cost -= weights[i] * weights[j] * (x[i][j] - result.shift_strength * alpha);
      }
    }
  }
  return cost;
}

Options unscaled(const std::string& similarity) {
  Options options = asking_for(3);
  options.similarity.scale = Scale::none;
  options.similarity.kind = similarity == "linear"   ? Similarity::linear
                            : similarity == "cosine" ? Similarity::cosine
                            : similarity == "rbf"    ? Similarity::rbf
                                                     : Similarity::neighbors;
  options.similarity.sigma = 2;
  options.similarity.weights = Weights::binary;
  options.similarity.neighbors = 4;
  options.shift = {ShiftKind::adaptive, 0.7, 0, {}};
  return options;
}

// Without ties among distances.
Table distinct_rows_without_ties(std::size_t n) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  Table rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.push_back({normal(random) + (i % 2 == 0 ? 4 : 0), normal(random), normal(random)});
  }
  return rows;
}

TEST(repeated_rows, cost_what_the_definition_over_all_rows_says) {
  const Table distinct = distinct_rows_without_ties(25);
  const Table rows = repeated(distinct, whole_weights(distinct.size(), 4, 6)).rows;
  for (const std::string similarity : {"linear", "cosine", "rbf", "neighbors"}) {
    SCOPED_TRACE(similarity);
    const Result result = run(input_of(rows), unscaled(similarity));
    const double expected =
        cost_of(definition(rows, similarity, 4), std::vector<double>(rows.size(), 1.0), result);
    EXPECT_NEAR(result.cost, expected, 1e-9 * std::abs(expected));
  }
}

TEST(row_weights, may_be_fractions) {
  const Table rows = distinct_rows_without_ties(30);
  std::mt19937 random(8);
  std::vector<double> weights;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    weights.push_back(std::uniform_real_distribution(0.05, 3.0)(random));
  }
  for (const std::string similarity : {"linear", "cosine", "rbf", "neighbors"}) {
    SCOPED_TRACE(similarity);
    const Result result = run(input_of(rows, Form::doubles, weights), unscaled(similarity));
    auto x = definition(rows, similarity, 4);
    for (std::size_t i = 0; similarity == "neighbors" && i < rows.size(); ++i) {
      x[i][i] = std::max(0.0, 1 - 1 / weights[i]);  // w (w - 1) pairs of different rows
    }
    const double expected = cost_of(x, weights, result);
    EXPECT_NEAR(result.cost, expected, 1e-9 * std::abs(expected));
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

// ---- explain ----

TEST(explain, sums_over_the_rows_that_equal_the_object_too) {
  const Table distinct = distinct_rows_without_ties(20);
  const Repeated data = repeated(distinct, whole_weights(distinct.size(), 3, 13));
  for (const std::string similarity : {"linear", "cosine", "rbf", "neighbors"}) {
    SCOPED_TRACE(similarity);
    const Input input = input_of(data.rows);
    const Options options = unscaled(similarity);
    const Result result = run(input, options);
    const auto x = definition(data.rows, similarity, 4);
    const std::size_t n = data.rows.size();
    std::vector<double> r(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      r[i] = std::accumulate(x[i].begin(), x[i].end(), 0.0) / static_cast<double>(n);
    }
    const double mean = std::accumulate(r.begin(), r.end(), 0.0) / static_cast<double>(n);
    const Explanation found = explain(input, options, result, 5);
    double expected = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (j != 5 && result.labels[j] == result.labels[5]) {
        expected += x[5][j] - result.shift_strength * (r[5] + r[j] - mean);
      }
    }
    EXPECT_NEAR(found.own.affinity, expected, 1e-9 * (1 + std::abs(expected)));
  }
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
