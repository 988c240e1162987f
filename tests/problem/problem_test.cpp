#include "problem/problem.hpp"

#include <gtest/gtest.h>

#include "problem/make_problem.hpp"
#include "problem/similarities.hpp"
#include "support/plain.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace testing_support;

template <class Check>
void for_many_problems(std::uint64_t seed, const Check& check) {
  ThreadTeam team(2);
  Rng rng(seed);
  for (int round = 0; round < 4; ++round) {
    const std::size_t n = 2 + rng.below(30);
    for (const NamedInput& data : one_of_each(n, 1 + rng.below(5), rng)) {
      for (const ShiftOptions& shift : with_degree(some_shifts(), data)) {
        const MadeProblem made = problem_of(data, shift, team);
        SCOPED_TRACE(data.name + " under " + shift_name(shift.kind));
        check(made.problem, plain::shifted_matrix(made.problem), rng, team);
      }
    }
  }
}

double unit_of(const plain::Matrix& s) {
  return (1e-300 + plain::largest_entry(s)) * static_cast<double>(s.size() * s.size());
}

TEST(problem, cost_is_the_sum_over_pairs) {
  for_many_problems(
      1, [](const Problem& problem, const plain::Matrix& s, Rng& rng, ThreadTeam& team) {
        const auto labels = random_labels(s.size(), 4, rng);
        EXPECT_NEAR(cost(problem, labels, team), plain::cost(s, labels), 1e-12 * unit_of(s));
      });
}

TEST(problem, shifts_without_a_name_of_their_own_are_adaptive) {
  ThreadTeam team(2);
  Rng rng(4);
  for (const NamedInput& data : one_of_each(25, 3, rng)) {
    for (const double strength : {1.0, 0.6}) {
      const auto matrix_under = [&](ShiftKind kind) {
        return plain::shifted_matrix(problem_of(data, {kind, strength, 0, {}}, team).problem);
      };
      const plain::Matrix adaptive = matrix_under(ShiftKind::adaptive);
      EXPECT_EQ(matrix_under(ShiftKind::by_default), adaptive) << data.name;
      EXPECT_EQ(matrix_under(ShiftKind::automatic), adaptive) << data.name;
    }
  }
}

TEST(problem, cost_change_is_the_difference_of_costs) {
  for_many_problems(2,
                    [](const Problem& problem, const plain::Matrix& s, Rng& rng, ThreadTeam& team) {
                      auto labels = random_labels(s.size(), 3, rng);
                      const ObjectId object = rng.below(static_cast<std::uint32_t>(s.size()));
                      const ClusterId to = rng.below(4);
                      const double before = cost(problem, labels, team);
                      const double change = cost_change(problem, labels, object, to);
                      labels[object] = to;
                      EXPECT_NEAR(cost(problem, labels, team) - before, change, 1e-11 * unit_of(s));
                    });
}

TEST(problem, min_cut_and_correlation_costs_are_their_definitions) {
  for_many_problems(
      3, [](const Problem& problem, const plain::Matrix& s, Rng& rng, ThreadTeam& team) {
        const auto labels = random_labels(s.size(), 3, rng);
        double cut = 0;
        double correlation = 0;
        for (std::size_t i = 0; i < s.size(); ++i) {
          for (std::size_t j = 0; j < s.size(); ++j) {
            const bool same = labels[i] == labels[j];
            cut += same ? 0 : s[i][j];
            correlation += (std::abs(s[i][j]) + (same ? -s[i][j] : s[i][j])) / 2;
          }
        }
        EXPECT_NEAR(min_cut_cost(problem, labels, team), cut, 1e-11 * unit_of(s));
        EXPECT_NEAR(correlation_cost(problem, labels, team), correlation, 1e-11 * unit_of(s));
      });
}

TEST(problem, rows_sum_to_zero_under_the_adaptive_shift) {
  ThreadTeam team(1);
  Rng rng(4);
  for (const NamedInput& data : one_of_each(25, 3, rng)) {
    const MadeProblem made = problem_of(data, {ShiftKind::adaptive, 1, 0, {}}, team);
    const plain::Matrix s = plain::shifted_matrix(made.problem);
    for (const auto& row : s) {
      double sum = 0;
      for (const double value : row) {
        sum += value;
      }
      EXPECT_NEAR(sum, 0, 1e-12 * unit_of(s)) << data.name;
    }
  }
}

TEST(problem, the_adaptive_shift_is_a_constant_one_where_all_row_sums_are_equal) {
  std::vector<Entry> ring;
  for (std::uint32_t i = 0; i < 12; ++i) {
    for (const std::uint32_t step : {1U, 3U}) {
      ring.push_back({i, (i + step) % 12, 0.5 + step});
      ring.push_back({(i + step) % 12, i, 0.5 + step});
    }
  }
  const SparseMatrix graph = sparse_from_entries(ring, 12, 12);
  double total = 0;
  for (const double w : graph.values) {
    total += w;
  }
  const Problem adaptive = GraphProblem(graph, {ShiftKind::adaptive, 1, 0, {}});
  const Problem constant = GraphProblem(graph, {ShiftKind::constant, 1, total / 144, {}});
  for (ObjectId i = 0; i < 12; ++i) {
    for (ObjectId j = 0; j < 12; ++j) {
      EXPECT_NEAR(shifted(adaptive, i, j), shifted(constant, i, j), 1e-12);
    }
  }
}

// The same similarities handed in as features, as a matrix, as a graph: the same problem.
TEST(problem, three_views_of_the_same_similarities_agree) {
  ThreadTeam team(2);
  Rng rng(5);
  for (int round = 0; round < 20; ++round) {
    const std::size_t n = 3 + rng.below(20);
    const std::size_t d = 1 + rng.below(4);
    for (const bool cosine : {false, true}) {
      NamedInput data{"features", features(grouped_rows(n, d, 2, rng), n, d), {}};
      data.similarity.kind = cosine ? Similarity::cosine : Similarity::linear;
      const MadeProblem bare = problem_of(data, {ShiftKind::none, 1, 0, {}}, team);
      const plain::Matrix x = plain::shifted_matrix(bare.problem);
      Input matrix;
      Input graph;
      std::vector<double> flat;
      std::vector<Entry> entries;
      for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t j = 0; j < n; ++j) {
          flat.push_back(x[i][j]);
          entries.push_back({i, j, x[i][j]});
        }
      }
      matrix.values = DenseArray::own(flat, n, n);
      matrix.shape = Shape::similarity;
      graph.values = sparse_from_entries(entries, n, n);
      graph.shape = Shape::graph;
      const NamedInput as_matrix{"matrix", matrix, {}};
      const NamedInput as_graph{"graph", graph, {}};
      for (const ShiftOptions& shift : with_degree(some_shifts(), data)) {
        const plain::Matrix a = plain::shifted_matrix(problem_of(data, shift, team).problem);
        const plain::Matrix b = plain::shifted_matrix(problem_of(as_matrix, shift, team).problem);
        const plain::Matrix c = plain::shifted_matrix(problem_of(as_graph, shift, team).problem);
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j < n; ++j) {
            EXPECT_NEAR(a[i][j], b[i][j], 1e-11 * unit_of(a));
            EXPECT_NEAR(a[i][j], c[i][j], 1e-11 * unit_of(a));
          }
        }
      }
    }
  }
}

TEST(problem, sparse_rows_give_the_same_similarities_as_full_ones) {
  ThreadTeam team(2);
  Rng rng(6);
  const Input sparse = sparse_features(20, 9, rng);
  const auto& rows = std::get<SparseMatrix>(sparse.values);
  std::vector<double> full(20 * 9, 0.0);
  for (std::size_t i = 0; i < 20; ++i) {
    for (auto e = static_cast<std::size_t>(rows.offsets[i]);
         e < static_cast<std::size_t>(rows.offsets[i + 1]); ++e) {
      full[i * 9 + rows.columns[e]] = rows.values[e];
    }
  }
  for (const Similarity kind : {Similarity::cosine, Similarity::linear}) {
    SimilarityOptions how;
    how.kind = kind;
    how.scale = Scale::none;
    for (const ShiftOptions& shift : some_shifts()) {
      const plain::Matrix a =
          plain::shifted_matrix(problem_of({"", sparse, how}, shift, team).problem);
      const plain::Matrix b =
          plain::shifted_matrix(problem_of({"", features(full, 20, 9), how}, shift, team).problem);
      for (std::size_t i = 0; i < 20; ++i) {
        for (std::size_t j = 0; j < 20; ++j) {
          EXPECT_NEAR(a[i][j], b[i][j], 1e-12 * unit_of(a));
        }
      }
    }
  }
}

TEST(problem, a_shift_matrix_is_subtracted_entry_by_entry_in_every_view) {
  ThreadTeam team(2);
  Rng rng(7);
  const std::size_t n = 15;
  const Input alpha = symmetric_matrix(n, rng);
  const Input sparse_alpha = graph(n, 3, true, false, rng);
  for (const NamedInput& data : one_of_each(n, 2, rng)) {
    const MadeProblem bare = problem_of(data, {ShiftKind::none, 1, 0, {}}, team);
    const plain::Matrix x = plain::shifted_matrix(bare.problem);
    for (const Input& given : {alpha, sparse_alpha}) {
      const MadeProblem made = problem_of(data, {ShiftKind::matrix, 0.7, 0, given.values}, team);
      const NamedInput shift_alone{"", given, {}};
      const MadeProblem alone = problem_of(shift_alone, {ShiftKind::none, 1, 0, {}}, team);
      for (ObjectId i = 0; i < n; ++i) {
        for (ObjectId j = 0; j < n; ++j) {
          EXPECT_NEAR(shifted(made.problem, i, j), x[i][j] - 0.7 * shifted(alone.problem, i, j),
                      1e-10)
              << data.name;
        }
      }
    }
  }
}

TEST(problem, a_shift_matrix_of_the_wrong_size_is_refused) {
  ThreadTeam team(1);
  Rng rng(8);
  const Input alpha = symmetric_matrix(4, rng);
  const NamedInput data{"", symmetric_matrix(5, rng), {}};
  EXPECT_THROW(problem_of(data, {ShiftKind::matrix, 1, 0, alpha.values}, team),
               std::invalid_argument);
  for (const auto& [rows, columns] : {std::pair(5, 4), std::pair(4, 5)}) {
    const DenseArray given =
        DenseArray::own(std::vector<double>(std::size_t(rows * columns)), rows, columns);
    EXPECT_THROW(problem_of(data, {ShiftKind::matrix, 1, 0, given}, team), std::invalid_argument);
  }
}

TEST(problem, metrics_of_sets_are_refused_with_a_scale_or_weights_of_features) {
  ThreadTeam team(1);
  Rng rng(10);
  const Input rows = features(grouped_rows(20, 2, 2, rng), 20, 2);
  for (const Metric metric : {Metric::hamming, Metric::jaccard, Metric::manhattan}) {
    NamedInput data{"", rows, {}};
    data.similarity.kind = Similarity::neighbors;
    data.similarity.metric = metric;
    data.similarity.scale = Scale::none;
    EXPECT_NO_THROW(problem_of(data, {}, team));
    const auto expect_refused = [&](const SimilarityOptions& options) {
      NamedInput other{"", rows, options};
      if (metric == Metric::manhattan) {
        EXPECT_NO_THROW(problem_of(other, {}, team));
      } else {
        EXPECT_THROW(problem_of(other, {}, team), std::invalid_argument);
      }
    };
    SimilarityOptions scaled = data.similarity;
    scaled.scale = Scale::standard;
    expect_refused(scaled);
    SimilarityOptions weighted = data.similarity;
    weighted.feature_weights = {1, 2};
    expect_refused(weighted);
  }
}

// Zeros that are written out are no numbers below 0, nor other zeros than those that are not.
TEST(problem, the_choice_for_sparse_rows_does_not_depend_on_zeros_that_are_written_out) {
  ThreadTeam team(1);
  Rng rng(11);
  for (const std::size_t filled : {1, 4, 30}) {
    SparseMatrix rows;
    rows.rows = 60;
    rows.columns_count = 80;
    rows.offsets = {0};
    for (std::size_t i = 0; i < rows.rows; ++i) {
      for (std::uint32_t j = 0; j < filled; ++j) {
        rows.columns.push_back(2 * j + static_cast<std::uint32_t>(rng.below(2)));
        rows.values.push_back(1 + rng.uniform());
      }
      rows.offsets.push_back(static_cast<std::int64_t>(rows.columns.size()));
    }
    Input plain_rows;
    plain_rows.values = rows;
    const SimilarityOptions expected = chosen_similarity(plain_rows, {}, false, team);
    rows.columns.push_back(79);
    rows.values.push_back(0);
    ++rows.offsets.back();
    Input with_zero;
    with_zero.values = rows;
    const SimilarityOptions found = chosen_similarity(with_zero, {}, false, team);
    EXPECT_EQ(found.kind, expected.kind) << filled;
    EXPECT_EQ(found.metric, expected.metric) << filled;
    rows.values.back() = -1;  // now they count nothing
    Input with_negative;
    with_negative.values = rows;
    EXPECT_NE(chosen_similarity(with_negative, {}, false, team).kind, Similarity::cosine);
  }
}

// What bounds rounding is computed by tasks of 2,048 rows.
TEST(problem, the_largest_norm_is_that_of_any_row_also_the_last) {
  ThreadTeam team(2);
  for (const std::size_t n : {1, 2047, 2048, 2049, 4097}) {
    for (const std::size_t longest : {std::size_t{0}, n / 2, n - 1}) {
      std::vector<double> rows(2 * n, 0.0);
      rows[2 * longest] = 1000;
      NamedInput data{"", features(rows, n, 2), {}};
      data.similarity.kind = Similarity::cosine;
      data.similarity.scale = Scale::none;
      const MadeProblem made = problem_of(data, {ShiftKind::none, 1, 0, {}}, team);
      const auto* gram = std::get_if<GramProblem>(&made.problem);
      ASSERT_NE(gram, nullptr);
      const double norm = gram->norm(static_cast<ObjectId>(longest));
      EXPECT_GT(norm, 0) << n << ", " << longest;
      EXPECT_NEAR(gram->largest_norm(), norm, 1e-6 * norm) << n << ", " << longest;
    }
  }
}

TEST(problem, a_linear_similarity_is_the_largest_distance_less_the_distance) {
  ThreadTeam team(2);
  Rng rng(9);
  const std::size_t n = 30;
  const std::vector<double> rows = grouped_rows(n, 3, 2, rng);
  for (const Distance distance : {Distance::sqeuclidean, Distance::euclidean}) {
    NamedInput data{"", features(rows, n, 3), {}};
    data.similarity.kind = Similarity::linear;
    data.similarity.scale = Scale::none;
    data.similarity.distance = distance;
    plain::Matrix expected(n, std::vector<double>(n));
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double squared = 0;
        for (std::size_t c = 0; c < 3; ++c) {
          squared += std::pow(rows[i * 3 + c] - rows[j * 3 + c], 2);
        }
        expected[i][j] = distance == Distance::euclidean ? std::sqrt(squared) : squared;
        largest = std::max(largest, expected[i][j]);
      }
    }
    const MadeProblem made = problem_of(data, {ShiftKind::none, 1, 0, {}}, team);
    for (ObjectId i = 0; i < n; ++i) {
      for (ObjectId j = 0; j < n; ++j) {
        EXPECT_NEAR(shifted(made.problem, i, j), largest - expected[i][j], 1e-10);
      }
    }
  }
}

}  // namespace
}  // namespace shiftcut
