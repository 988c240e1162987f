#include "descent/descend.hpp"
#include "search/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/partition.hpp"
#include "descent/sequential_state.hpp"
#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

TEST(local_search, gives_the_labels_of_the_plain_loop_on_the_same_order) {
  ThreadTeam team(2);
  Rng rng(7);
  int compared = 0;
  for (int round = 0; round < 12; ++round) {
    const std::size_t n = 5 + rng.below(60);
    for (const NamedInput& data : one_of_each(n, 1 + rng.below(6), rng)) {
      for (const ShiftOptions& shift : with_degree(some_shifts(), data)) {
        const MadeProblem made = problem_of(data, shift, team);
        const plain::Matrix s = plain::shifted_matrix(made.problem);
        for (const std::optional<std::size_t> clusters :
             {std::optional<std::size_t>(1 + rng.below(6)), std::optional<std::size_t>()}) {
          std::vector<ClusterId> labels = random_labels(n, clusters.value_or(3), rng);
          std::vector<ClusterId> expected = labels;
          Rng fast(round, n);
          Rng slow(round, n);
          NoLimit limit;
          descend(made.problem, labels, clusters, {fast, team, limit.check});
          plain::descend(s, expected, clusters, slow);
          ASSERT_EQ(labels, expected)
              << data.name << ", n = " << n << ", shift " << shift_name(shift.kind) << " "
              << shift.strength << ", K = " << (clusters ? static_cast<int>(*clusters) : -1);
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

// The other views have engines of their own; the sequential one must agree with them.
TEST(sequential_state, gives_the_labels_of_the_plain_loop_on_every_view) {
  ThreadTeam team(2);
  Rng rng(9);
  for (int round = 0; round < 5; ++round) {
    const std::size_t n = 5 + rng.below(60);
    for (const NamedInput& data : one_of_each(n, 1 + rng.below(6), rng)) {
      for (const ShiftOptions& shift : with_degree(some_shifts(), data)) {
        const MadeProblem made = problem_of(data, shift, team);
        const std::size_t clusters = 1 + rng.below(6);
        std::vector<ClusterId> labels = random_labels(n, clusters, rng);
        std::vector<ClusterId> expected = labels;
        Rng fast(round, n);
        Rng slow(round, n);
        NoLimit limit;
        std::visit(
            [&](const auto& view) {
              SequentialState state(view, labels, clusters);
              SweepOrder order(n);
              do {
                order.shuffle(fast);
              } while (state.sweep(order, limit.check) > 0);
              labels = state.labels();
            },
            made.problem);
        plain::descend(plain::shifted_matrix(made.problem), expected, clusters, slow);
        EXPECT_EQ(labels, expected) << data.name << ", n = " << n << ", K = " << clusters;
      }
    }
  }
}

// Enough objects for several batches, so that slack is carried from sweep to sweep.
TEST(local_search, of_many_objects_gives_the_labels_of_the_plain_loop) {
  ThreadTeam team(2);
  Rng rng(8);
  const std::size_t n = 1500;
  for (const std::size_t d : {2, 9}) {
    const std::vector<double> rows = grouped_rows(n, d, 5, rng);
    for (const bool cosine : {false, true}) {
      NamedInput data{"features", features(rows, n, d), {}};
      data.similarity.kind = cosine ? Similarity::cosine : Similarity::linear;
      for (const ShiftOptions& shift : with_degree(some_shifts(), data)) {
        const MadeProblem made = problem_of(data, shift, team);
        const plain::Matrix s = plain::shifted_matrix(made.problem);
        std::vector<ClusterId> labels = random_labels(n, 4, rng);
        std::vector<ClusterId> expected = labels;
        Rng fast(1, d);
        Rng slow(1, d);
        NoLimit limit;
        const Restart restart = descend(made.problem, labels, 4, {fast, team, limit.check});
        const int sweeps = plain::descend(s, expected, 4, slow);
        EXPECT_EQ(labels, expected) << "d = " << d << ", cosine " << cosine;
        EXPECT_EQ(restart.sweeps, sweeps);
      }
    }
  }
}

// Rows of a matrix are added strip by strip, of 2,048 columns each.
TEST(dense_state, of_a_matrix_wider_than_a_strip_gives_the_labels_of_the_plain_loop) {
  ThreadTeam team(2);
  Rng rng(18);
  const std::size_t n = 2048 + 101;
  const std::vector<double> rows = grouped_rows(n, 2, 3, rng);
  std::vector<double> s(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      s[i * n + j] = rows[2 * i] * rows[2 * j] + rows[2 * i + 1] * rows[2 * j + 1];
    }
  }
  NamedInput data{"matrix", {}, {}};
  data.input.values = DenseArray::own(std::move(s), n, n);
  data.input.shape = Shape::similarity;
  const MadeProblem made = problem_of(data, {ShiftKind::adaptive, 1, 0, {}}, team);
  const plain::Matrix shifted = plain::shifted_matrix(made.problem);
  std::vector<ClusterId> labels = random_labels(n, 3, rng);
  std::vector<ClusterId> expected = labels;
  Rng fast(1, 3);
  Rng slow(1, 3);
  NoLimit limit;
  const Restart restart = descend(made.problem, labels, 3, {fast, team, limit.check});
  plain::descend(shifted, expected, 3, slow);
  EXPECT_EQ(labels, expected);
  EXPECT_NEAR(restart.cost, plain::cost(shifted, expected), 1e-9 * std::abs(restart.cost));
}

// Descends from random labels, as the plain loop over the rows does; returns the sweeps.
int expect_as_plain(const MadeProblem& made, std::size_t clusters, std::uint64_t seed, Rng& rng,
                    ThreadTeam& team) {
  const std::size_t n = size(made.problem);
  std::vector<ClusterId> labels = random_labels(n, clusters, rng);
  std::vector<ClusterId> expected = labels;
  Rng fast(seed, n);
  Rng slow(seed, n);
  NoLimit limit;
  const Restart restart = descend(made.problem, labels, clusters, {fast, team, limit.check});
  const int sweeps =
      plain::descend_rows(std::get<GramProblem>(made.problem), expected, clusters, slow);
  EXPECT_EQ(labels, expected);
  EXPECT_EQ(restart.sweeps, sweeps);
  const double exact = cost(made.problem, labels, team);
  EXPECT_NEAR(restart.cost, exact, 1e-12 * std::abs(exact));
  return sweeps;
}

// Enough objects for sweeps by runs, most of which are skipped in most sweeps.
TEST(local_search, of_a_great_many_objects_gives_the_labels_of_the_plain_loop) {
  ThreadTeam team(2);
  Rng rng(81);
  for (const std::size_t n : {std::size_t{9001}, std::size_t{270011}}) {
    const std::size_t d = 3;
    const std::vector<double> rows = grouped_rows(n, d, 1, rng);
    for (const bool as_float : {false, true}) {
      NamedInput data{"", as_float ? features32(rows, n, d) : features(rows, n, d), {}};
      data.similarity.kind = Similarity::linear;
      for (const ShiftOptions& shift : {some_shifts()[0], some_shifts()[1]}) {
        if (n > 100000 && shift.strength != 1) {
          continue;  // needs the largest distance, which takes long
        }
        SCOPED_TRACE("n = " + std::to_string(n) + (as_float ? ", float32" : ""));
        const int sweeps = expect_as_plain(problem_of(data, shift, team), 6, 2, rng, team);
        EXPECT_TRUE(sweeps > 3 || shift.strength != 1) << sweeps;
      }
    }
  }
}

// Rows that a few directions nearly hold, of groups that run into one another: sweeps are many.
std::vector<double> long_rows(std::size_t n, std::size_t d, Rng& rng) {
  constexpr std::size_t kHidden = 6;
  std::vector<double> patterns(kHidden * d);
  for (double& value : patterns) {
    value = normal(rng);
  }
  std::vector<double> rows(n * d);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t h = 0; h < kHidden; ++h) {
      const double factor = normal(rng) + (rng.below(3) == 0 ? 1.5 : 0.0);
      for (std::size_t j = 0; j < d; ++j) {
        rows[i * d + j] += factor * patterns[h * d + j];
      }
    }
    for (std::size_t j = 0; j < d; ++j) {
      rows[i * d + j] += 0.5 * normal(rng);
    }
  }
  return rows;
}

TEST(local_search, of_long_rows_gives_the_labels_of_the_plain_loop) {
  ThreadTeam team(2);
  Rng rng(82);
  const std::size_t n = 8300;
  const std::size_t d = 100;
  int most_sweeps = 0;
  const std::vector<double> rows = long_rows(n, d, rng);
  for (const bool as_float : {false, true}) {
    for (const bool cosine : {false, true}) {
      NamedInput data{"", as_float ? features32(rows, n, d) : features(rows, n, d), {}};
      data.similarity.kind = cosine ? Similarity::cosine : Similarity::linear;
      ShiftOptions shift;
      shift.kind = cosine && as_float ? ShiftKind::constant : ShiftKind::adaptive;
      shift.constant = 0.01;
      SCOPED_TRACE(std::string(as_float ? "float32" : "float64") + (cosine ? ", cosine" : ""));
      const int sweeps = expect_as_plain(problem_of(data, shift, team), 8, 3, rng, team);
      most_sweeps = std::max(most_sweeps, sweeps);
    }
  }
  EXPECT_GT(most_sweeps, 10);
}

TEST(local_search, returns_labels_that_no_single_move_improves) {
  ThreadTeam team(2);
  Rng rng(9);
  for (int round = 0; round < 6; ++round) {
    const std::size_t n = 4 + rng.below(40);
    for (const NamedInput& data : one_of_each(n, 1 + rng.below(4), rng)) {
      for (const ShiftOptions& shift : with_degree(some_shifts(), data)) {
        const MadeProblem made = problem_of(data, shift, team);
        const plain::Matrix s = plain::shifted_matrix(made.problem);
        for (const bool free : {false, true}) {
          SearchOptions options;
          options.method = Method::local_search;
          options.clusters =
              free ? std::nullopt : std::optional<std::size_t>(std::min<std::size_t>(n, 3));
          options.restarts = 3;
          options.seed = static_cast<std::uint64_t>(round);
          NoLimit limit;
          const Solution found = search(made.problem, options, {}, {rng, team, limit.check});
          const double unit = plain::largest_entry(s) * static_cast<double>(n);
          EXPECT_LE(plain::best_gain(s, found.labels, options.clusters), 1e-11 * unit) << data.name;
          const double by_definition = plain::cost(s, found.labels);
          EXPECT_NEAR(found.cost, by_definition,
                      1e-9 * std::abs(by_definition) + 1e-12 * unit * static_cast<double>(n))
              << data.name;
        }
      }
    }
  }
}

TEST(local_search, reaches_the_optimum_that_trying_everything_finds) {
  ThreadTeam team(1);
  Rng rng(10);
  int tried = 0;
  int reached = 0;
  for (int round = 0; round < 40; ++round) {
    const std::size_t n = 2 + rng.below(7);
    const std::size_t clusters =
        1 + rng.below(static_cast<std::uint32_t>(std::min<std::size_t>(n, 4)));
    for (const NamedInput& data : one_of_each(n, 1 + rng.below(3), rng)) {
      const ShiftOptions shift = some_shifts()[rng.below(6)];
      const MadeProblem made = problem_of(data, shift, team);
      const plain::Matrix s = plain::shifted_matrix(made.problem);
      const double lowest = plain::lowest_cost(s, clusters);
      SearchOptions options;
      options.method = Method::local_search;
      options.clusters = clusters;
      options.restarts = 60;
      options.seed = static_cast<std::uint64_t>(round);
      NoLimit limit;
      const Solution found = search(made.problem, options, {}, {rng, team, limit.check});
      const double slack = 1e-9 * (1 + plain::largest_entry(s) * static_cast<double>(n * n));
      ASSERT_GE(found.cost, lowest - slack) << data.name;
      ++tried;
      reached += found.cost <= lowest + slack ? 1 : 0;
    }
  }
  EXPECT_GE(tried, 400);
  EXPECT_GE(reached, tried * 99 / 100) << "of " << tried;
}

TEST(local_search, gives_the_same_labels_on_any_number_of_threads) {
  Rng rng(11);
  const std::size_t n = 3000;
  ThreadTeam making(1);
  std::vector<NamedInput> inputs;
  inputs.push_back({"wide", features32(grouped_rows(n, 20, 8, rng), n, 20), {}});
  inputs.push_back({"narrow", features(grouped_rows(n, 2, 8, rng), n, 2), {}});
  inputs.push_back({"matrix", symmetric_matrix(400, rng), {}});
  inputs.push_back({"graph", graph(n, 8, false, false, rng), {}});
  inputs.push_back({"sparse", sparse_features(300, 30, rng), {}});
  for (const NamedInput& data : inputs) {
    const MadeProblem made = problem_of(data, some_shifts()[0], making);
    for (const int restarts : {1, 3}) {
      SearchOptions options;
      options.method = Method::local_search;
      options.clusters = 8;
      options.restarts = restarts;
      std::vector<ClusterId> first;
      for (const int threads : {1, 2, 7}) {
        ThreadTeam team(threads);
        NoLimit limit;
        const Solution found = search(made.problem, options, {}, {rng, team, limit.check});
        if (first.empty()) {
          first = found.labels;
        }
        EXPECT_EQ(found.labels, first) << data.name << " on " << threads << " threads";
      }
    }
  }
}

TEST(local_search, with_identical_objects_ends) {
  ThreadTeam team(2);
  Rng rng(0);
  for (const bool as_float : {false, true}) {
    const std::vector<double> rows(60 * 3, 1.5);
    NamedInput data{"equal", as_float ? features32(rows, 60, 3) : features(rows, 60, 3), {}};
    for (const ShiftOptions& shift : with_degree(some_shifts(), data)) {
      const MadeProblem made = problem_of(data, shift, team);
      SearchOptions options;
      options.method = Method::local_search;
      options.clusters = 4;
      NoLimit limit;
      EXPECT_EQ(search(made.problem, options, {}, {rng, team, limit.check}).labels.size(), 60U);
    }
  }
}

TEST(local_search, keeps_huge_and_tiny_numbers_apart_from_overflow) {
  ThreadTeam team(2);
  Rng rng(12);
  for (const double unit : {1e-30, 1e30, 1e130}) {
    std::vector<double> rows = grouped_rows(300, 3, 3, rng);
    for (double& x : rows) {
      x *= unit;
    }
    NamedInput data{"scaled", features(rows, 300, 3), {}};
    data.similarity.scale = Scale::none;
    const MadeProblem made = problem_of(data, some_shifts()[0], team);
    SearchOptions options;
    options.method = Method::local_search;
    options.clusters = 3;
    NoLimit limit;
    const Solution found = search(made.problem, options, {}, {rng, team, limit.check});
    EXPECT_TRUE(std::isfinite(found.cost));
    EXPECT_LT(found.cost, 0);
  }
}

}  // namespace
}  // namespace shiftcut
