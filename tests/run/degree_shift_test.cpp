// The degree shift from end to end: the cost is modularity, whichever way the data come in and
// whichever search is used.
#include <gtest/gtest.h>

#include "constraints/constraints.hpp"
#include "input/message_of.hpp"
#include "shiftcut/explain.hpp"
#include "shiftcut/model.hpp"
#include "shiftcut/run.hpp"
#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

Options degree_options(double strength, Clusters clusters = {}) {
  Options options;
  options.shift = {ShiftKind::degree, strength, 0, {}};
  options.search.clusters = clusters;
  options.search.threads = 1;
  return options;
}

// Newman's modularity of resolution `gamma` from its definition: over all ordered pairs of one
// cluster, A_ij / 2m - gamma k_i k_j / (2m)^2.
double modularity(const plain::Matrix& a, const std::vector<std::int32_t>& labels, double gamma) {
  std::vector<double> k(a.size(), 0.0);
  double two_m = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (const double weight : a[i]) {
      k[i] += weight;
      two_m += weight;
    }
  }
  double q = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) {
      q += labels[i] == labels[j] ? a[i][j] / two_m - gamma * k[i] * k[j] / (two_m * two_m) : 0.0;
    }
  }
  return q;
}

plain::Matrix adjacency(const SparseMatrix& graph) {
  plain::Matrix a(graph.rows, std::vector<double>(graph.rows, 0.0));
  for (std::size_t i = 0; i < graph.rows; ++i) {
    for (auto e = static_cast<std::size_t>(graph.offsets[i]);
         e < static_cast<std::size_t>(graph.offsets[i + 1]); ++e) {
      a[i][graph.columns[e]] = graph.values[e];
    }
  }
  return a;
}

double sum_of(const plain::Matrix& a) {
  double sum = 0;
  for (const auto& row : a) {
    for (const double value : row) {
      sum += value;
    }
  }
  return sum;
}

TEST(degree_shift, takes_the_product_of_row_sums_from_every_similarity) {
  ThreadTeam team(1);
  Rng rng(1);
  int seen = 0;
  for (int round = 0; round < 10; ++round) {
    const std::size_t n = 3 + rng.below(20);
    for (const NamedInput& data : one_of_each(n, 2, rng)) {
      for (const ShiftOptions& shift : with_degree({}, data)) {
        const plain::Matrix x =
            plain::shifted_matrix(problem_of(data, {ShiftKind::none, 1, 0, {}}, team).problem);
        const plain::Matrix s = plain::shifted_matrix(problem_of(data, shift, team).problem);
        const double total = sum_of(x);
        const auto row_sum = [&](std::size_t i) {
          return std::accumulate(x[i].begin(), x[i].end(), 0.0);
        };
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j < n; ++j) {
            const double alpha = row_sum(i) * row_sum(j) / total;
            EXPECT_NEAR(s[i][j], x[i][j] - shift.strength * alpha,
                        1e-12 * (1 + std::abs(alpha) + plain::largest_entry(x)))
                << data.name;
          }
        }
        ++seen;
      }
    }
  }
  EXPECT_GT(seen, 100);
}

TEST(degree_shift, makes_the_cost_modularity) {
  Rng rng(2);
  for (int round = 0; round < 20; ++round) {
    const NamedInput data =
        round % 2 == 0 ? planted_graph(3 + rng.below(4), 4 + rng.below(6), 4, 1, rng)
                       : NamedInput{"", graph(10 + rng.below(50), 4, false, true, rng), {}};
    const plain::Matrix a = adjacency(std::get<SparseMatrix>(data.input.values));
    for (const double resolution : {0.5, 1.0, 3.0}) {
      const Result result = run(data.input, degree_options(resolution));
      EXPECT_NEAR(result.cost, -sum_of(a) * modularity(a, result.labels, resolution),
                  1e-9 * sum_of(a));
      EXPECT_EQ(result.shift_kind, "degree");
      EXPECT_EQ(result.shift_strength, resolution);
    }
  }
}

TEST(degree_shift, reaches_the_optimum_that_trying_everything_finds) {
  ThreadTeam team(1);
  Rng rng(3);
  int tried = 0;
  int reached = 0;
  for (int round = 0; round < 12; ++round) {
    const std::size_t n = 3 + rng.below(6);
    std::vector<NamedInput> inputs = one_of_each(n, 2, rng);
    for (NamedInput& data : with_levels(n, rng)) {
      inputs.push_back(std::move(data));
    }
    for (const NamedInput& data : inputs) {
      for (const ShiftOptions& shift : with_degree({}, data)) {
        const MadeProblem made = problem_of(data, shift, team);
        const plain::Matrix s = plain::shifted_matrix(made.problem);
        const std::size_t objects = s.size();
        const double slack = 1e-9 * (1 + scale_of(s) * static_cast<double>(n));
        for (const Clusters clusters : {Clusters(2 + rng.below(2)), Clusters()}) {
          const double lowest = plain::lowest_cost(s, clusters.value_or(objects));
          for (const Method method : {Method::automatic, Method::multilevel, Method::local_search,
                                      Method::annealing, Method::frank_wolfe}) {
            const Solution found = found_by(made.problem, options_for(method, clusters), team);
            ASSERT_GE(found.cost, lowest - slack) << data.name;
            expect_local_optimum(s, found.labels, found.cost, clusters, data.name);
            tried += method == Method::automatic ? 1 : 0;
            reached += method == Method::automatic && found.cost <= lowest + slack ? 1 : 0;
          }
        }
      }
    }
  }
  EXPECT_GT(tried, 100);
  EXPECT_GE(reached, tried * 98 / 100) << "of " << tried;
}

TEST(degree_shift, gives_the_same_labels_on_any_number_of_threads) {
  Rng rng(4);
  const NamedInput data = planted_graph(60, 30, 6, 3, rng);
  for (const Clusters clusters : {Clusters(), Clusters(20)}) {
    Options options = degree_options(1.5, clusters);
    const Result one = run(data.input, options);
    for (const int threads : {2, 5}) {
      options.search.threads = threads;
      const Result many = run(data.input, options);
      EXPECT_EQ(many.labels, one.labels);
      EXPECT_EQ(many.cost, one.cost);
    }
  }
}

TEST(degree_shift, keeps_to_pairs_at_the_lowest_cost) {
  Rng rng(5);
  for (int round = 0; round < 20; ++round) {
    const NamedInput data{"graph", graph(7, 4, false, true, rng), {}};
    if (with_degree({}, data).empty()) {
      continue;
    }
    ThreadTeam team(1);
    Options options = degree_options(1);
    options.links.must_link = {{0, 1, ObjectPair::kCertain}};
    options.links.cannot_link = {{1, 2, ObjectPair::kCertain}, {3, 4, 0.7}};
    const Result result = run(data.input, options);
    EXPECT_EQ(result.labels[0], result.labels[1]);
    EXPECT_NE(result.labels[1], result.labels[2]);
    plain::Matrix s = plain::shifted_matrix(problem_of(data, options.shift, team).problem);
    s[3][4] -= 0.7;
    s[4][3] -= 0.7;
    const double apart = 1e6;  // as strong as certain
    s[0][1] = s[1][0] = s[0][1] + apart;
    s[1][2] = s[2][1] = s[1][2] - apart;
    EXPECT_NEAR(result.cost, plain::lowest_cost(s, 7) + 2 * apart, 1e-6);
  }
}

TEST(degree_shift, is_explained_by_affinities_that_add_up_to_the_definition) {
  Rng rng(6);
  const NamedInput data = planted_graph(4, 8, 5, 1, rng);
  const Options options = degree_options(0.8);
  const Result result = run(data.input, options);
  ThreadTeam team(1);
  const plain::Matrix s = plain::shifted_matrix(problem_of(data, options.shift, team).problem);
  for (std::size_t i = 0; i < 8; ++i) {
    double expected = 0;
    for (std::size_t j = 0; j < s.size(); ++j) {
      expected += j != i && result.labels[i] == result.labels[j] ? s[i][j] : 0.0;
    }
    EXPECT_NEAR(explain(data.input, options, result, i, 3).own.affinity, expected, 1e-9);
  }
}

TEST(degree_shift, of_a_model_puts_training_rows_where_the_sums_of_s_are_largest) {
  Rng rng(7);
  const NamedInput data = planted_graph(4, 8, 5, 1, rng);
  const Options options = degree_options(0.8);
  const Result result = run(data.input, options);
  const auto model = std::make_shared<const Model>(make_model(data.input, options, result));
  const Predictor predictor(model, 1);
  const std::vector<double> affinities =
      predictor.affinities(Rows(std::get<SparseMatrix>(data.input.values)), 1);
  ThreadTeam team(1);
  const plain::Matrix s = plain::shifted_matrix(problem_of(data, options.shift, team).problem);
  const std::size_t clusters = result.sizes.size();
  for (std::size_t i = 0; i < s.size(); ++i) {
    std::vector<double> expected(clusters, 0.0);
    for (std::size_t j = 0; j < s.size(); ++j) {
      expected[static_cast<std::size_t>(result.labels[j])] += s[i][j];
    }
    for (std::size_t k = 0; k < clusters; ++k) {
      EXPECT_NEAR(affinities[i * clusters + k], expected[k], 1e-9);
    }
  }
}

TEST(degree_shift, is_refused_where_it_is_not_defined) {
  Rng rng(8);
  const NamedInput empty = graph_of({}, 5);
  EXPECT_EQ(message_of([&] { run(empty.input, degree_options(1)); }),
            "shift: found degree for similarities with a sum of 0; allowed: a sum above 0, or "
            "adaptive, none, constant=A or matrix=FILE");
  const NamedInput negative = graph_of({{0, 1}, {1, 2}}, 3, -1);
  EXPECT_THROW(run(negative.input, degree_options(1)), InvalidArgument);
  for (const NamedInput& data : one_of_each(12, 2, rng)) {
    if (data.name == "linear" || data.name == "cosine" || data.name == "sparse cosine") {
      Options options = degree_options(1);
      options.similarity = data.similarity;
      EXPECT_THROW(run(data.input, options), InvalidArgument) << data.name;
    }
  }
}

TEST(degree_shift, leaves_isolated_nodes_where_they_cost_nothing) {
  const NamedInput data = graph_of({{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}, {2, 3}}, 9);
  const Result result = run(data.input, degree_options(1));
  EXPECT_NEAR(
      result.cost,
      -14 * modularity(adjacency(std::get<SparseMatrix>(data.input.values)), result.labels, 1),
      1e-9);
  EXPECT_NE(result.labels[0], result.labels[5]);
}

}  // namespace
}  // namespace shiftcut
