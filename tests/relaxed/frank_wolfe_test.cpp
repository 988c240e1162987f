#include <gtest/gtest.h>

#include "descent/sweep_order.hpp"
#include "relaxed/relaxed.hpp"
#include "relaxed/tuning.hpp"
#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

// Points of the simplex, written out.
using Rows = std::vector<std::vector<double>>;

Rows rows_of(const std::vector<ClusterId>& labels, std::size_t clusters, double weight) {
  Rows x(labels.size(),
         std::vector<double>(clusters, (1 - weight) / static_cast<double>(clusters)));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    x[i][labels[i]] += weight;
  }
  return x;
}

// One sweep of block steps on whole rows; returns how many changed.
std::size_t plain_sweep(const plain::Matrix& s, Rows& x, const std::vector<ObjectId>& order,
                        double tolerance) {
  std::size_t changed = 0;
  for (const ObjectId o : order) {
    const std::size_t clusters = x[o].size();
    std::vector<double> g(clusters, 0.0);
    double here = 0;
    for (std::size_t k = 0; k < clusters; ++k) {
      for (std::size_t p = 0; p < s.size(); ++p) {
        g[k] += p == o ? 0.0 : s[o][p] * x[p][k];
      }
      here += g[k] * x[o][k];
    }
    const double best = *std::max_element(g.begin(), g.end());
    if (best - here <= tolerance) {
      continue;
    }
    std::size_t to = 0;
    while (g[to] < best - tolerance || g[to] - here <= tolerance) {
      ++to;
    }
    x[o].assign(clusters, 0.0);
    x[o][to] = 1;
    ++changed;
  }
  return changed;
}

std::size_t interior_rows(const Rows& x) {
  std::size_t interior = 0;
  for (const auto& row : x) {
    interior += *std::max_element(row.begin(), row.end()) < 1 - 1e-9 ? 1 : 0;
  }
  return interior;
}

// The line search needs the diagonal cleared: with S_ii = -1 the best step would be 3/4 of the way.
TEST(frank_wolfe, leaves_the_diagonal_out) {
  ThreadTeam team(1);
  NamedInput data{"matrix", {}, {}};
  data.input.values = DenseArray::own(std::vector<double>{-1, 0.5, 0.5, -1}, 2, 2);
  data.input.shape = Shape::similarity;
  const MadeProblem made = problem_of(data, {ShiftKind::none, 1, 0, {}}, team);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    std::vector<ClusterId> labels;
    Rng rng(3, seed);
    NoLimit limit;
    frank_wolfe(made.problem, labels, 2, {rng, team, limit.check});
    EXPECT_EQ(labels[0], labels[1]);
  }
}

TEST(frank_wolfe, finds_the_solution_of_the_worked_matrix) {
  ThreadTeam team(1);
  NamedInput data{"matrix", {}, {}};
  data.input.values = DenseArray::own(std::vector<double>{0, 2, -1, 2, 0, 3, -1, 3, 0}, 3, 3);
  data.input.shape = Shape::similarity;
  const MadeProblem made = problem_of(data, {ShiftKind::none, 1, 0, {}}, team);
  for (const Clusters clusters : {Clusters(2), Clusters(3), Clusters()}) {
    double lowest = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      Rng rng(4, seed);
      std::vector<ClusterId> labels;
      NoLimit limit;
      lowest = std::min(lowest,
                        frank_wolfe(made.problem, labels, clusters, {rng, team, limit.check}).cost);
    }
    EXPECT_NEAR(lowest, -8, 1e-12);
  }
}

TEST(frank_wolfe, returns_labels_that_no_single_move_improves_and_their_cost) {
  ThreadTeam team(2);
  Rng rng(5);
  for (int round = 0; round < 5; ++round) {
    const std::size_t n = 1 + rng.below(40);
    for (const NamedInput& data : one_of_each(n, 1 + rng.below(4), rng)) {
      for (const ShiftOptions& shift : with_degree(some_shifts(), data)) {
        const MadeProblem made = problem_of(data, shift, team);
        const plain::Matrix s = plain::shifted_matrix(made.problem);
        for (const Clusters clusters :
             {Clusters(1), Clusters(1 + n / 3), Clusters(n), Clusters()}) {
          std::vector<ClusterId> labels;
          int sweeps = 0;
          NoLimit limit;
          const Restart restart =
              frank_wolfe(made.problem, labels, clusters,
                          {rng, team, limit.check,
                           [&](const Restart& now, std::size_t) { sweeps = now.sweeps; }});
          EXPECT_EQ(restart.method, "frank-wolfe");
          EXPECT_EQ(restart.sweeps, sweeps);
          ASSERT_EQ(labels.size(), n);
          for (const ClusterId k : labels) {
            ASSERT_LT(k, clusters.value_or(n + 1));
          }
          EXPECT_LE(plain::best_gain(s, labels, clusters), 1e-11 * scale_of(s)) << data.name;
          const double exact = plain::cost(s, labels);
          EXPECT_NEAR(restart.cost, exact,
                      1e-9 * std::abs(exact) + 1e-12 * scale_of(s) * static_cast<double>(n))
              << data.name;
        }
      }
    }
  }
}

TEST(frank_wolfe, gives_the_labels_of_whole_rows_and_then_the_plain_loop) {
  ThreadTeam team(2);
  Rng rng(6);
  const std::size_t n = 80;
  const std::size_t clusters = 4;
  for (const NamedInput& data : one_of_each(n, 3, rng)) {
    for (const ShiftOptions& shift : with_degree(some_shifts(), data)) {
      const MadeProblem made = problem_of(data, shift, team);
      const plain::Matrix s = plain::shifted_matrix(made.problem);
      std::vector<ClusterId> labels;
      Rng fast(7);
      NoLimit limit;
      frank_wolfe(made.problem, labels, clusters, {fast, team, limit.check});

      Rng slow(7);
      std::vector<ClusterId> expected(n);
      for (ClusterId& label : expected) {
        label = slow.below(clusters);
      }
      Rows x = rows_of(expected, clusters, static_cast<double>(relaxed_tuning::kStartWeight));
      SweepOrder order(n);
      std::vector<ObjectId> objects(n);
      std::size_t changed = n;
      while (changed > 0 && interior_rows(x) > 0) {
        order.shuffle(slow);
        order.fill(0, n, objects.data());
        changed = plain_sweep(s, x, objects, 1e-12 * scale_of(s));
      }
      for (std::size_t i = 0; i < n; ++i) {
        expected[i] =
            static_cast<ClusterId>(std::max_element(x[i].begin(), x[i].end()) - x[i].begin());
      }
      plain::descend(s, expected, clusters, slow);
      EXPECT_EQ(labels, expected) << data.name << ", shift " << shift_name(shift.kind);
    }
  }
}

TEST(frank_wolfe, finds_the_optimum_that_trying_everything_finds) {
  ThreadTeam team(1);
  Rng rng(8);
  int tried = 0;
  int reached = 0;
  for (int round = 0; round < 20; ++round) {
    const std::size_t n = 2 + rng.below(7);
    for (const NamedInput& data : one_of_each(n, 1 + rng.below(3), rng)) {
      const MadeProblem made = problem_of(data, some_shifts()[rng.below(6)], team);
      const plain::Matrix s = plain::shifted_matrix(made.problem);
      const Clusters fixed = 1 + rng.below(static_cast<std::uint32_t>(std::min<std::size_t>(n, 4)));
      const double slack = 1e-9 * (1 + scale_of(s) * static_cast<double>(n));
      for (const Clusters clusters : {fixed, Clusters()}) {
        const double lowest = plain::lowest_cost(s, clusters.value_or(n));
        double best = std::numeric_limits<double>::infinity();
        for (int seed = 0; seed < 20; ++seed) {
          std::vector<ClusterId> labels;
          NoLimit limit;
          const Restart restart =
              frank_wolfe(made.problem, labels, clusters, {rng, team, limit.check});
          ASSERT_GE(restart.cost, lowest - slack) << data.name;
          best = std::min(best, restart.cost);
        }
        ++tried;
        reached += best <= lowest + slack ? 1 : 0;
      }
    }
  }
  EXPECT_GE(reached, tried * 97 / 100) << "of " << tried;
}

TEST(frank_wolfe, where_all_similarities_are_zero_ends) {
  ThreadTeam team(1);
  NamedInput matrix{"matrix", {}, {}};
  matrix.input.values = DenseArray::own(std::vector<double>(49, 0.0), 7, 7);
  matrix.input.shape = Shape::similarity;
  NamedInput edgeless{"graph", {}, {}};
  edgeless.input.values = sparse_from_entries({}, 7, 7);
  edgeless.input.shape = Shape::graph;
  NamedInput equal{"features", features(std::vector<double>(14, 2.0), 7, 2), {}};
  equal.similarity.kind = Similarity::linear;
  for (const NamedInput& data : {matrix, edgeless, equal}) {
    const MadeProblem made = problem_of(data, some_shifts()[0], team);
    for (const Clusters clusters : {Clusters(3), Clusters()}) {
      Rng rng(9);
      std::vector<ClusterId> labels;
      NoLimit limit;
      const Restart restart = frank_wolfe(made.problem, labels, clusters, {rng, team, limit.check});
      EXPECT_EQ(restart.cost, 0) << data.name;
      EXPECT_EQ(labels.size(), 7U);
    }
  }
}

TEST(frank_wolfe, gives_the_same_labels_on_any_number_of_threads) {
  Rng rng(10);
  ThreadTeam making(1);
  std::vector<NamedInput> inputs;
  inputs.push_back({"features", features32(grouped_rows(3000, 6, 8, rng), 3000, 6), {}});
  inputs.push_back({"matrix", symmetric_matrix(300, rng), {}});
  inputs.push_back({"graph", graph(9000, 8, false, false, rng), {}});
  inputs.push_back({"sparse", sparse_features(300, 30, rng), {}});
  for (const NamedInput& data : inputs) {
    const MadeProblem made = problem_of(data, some_shifts()[0], making);
    for (const Clusters clusters : {Clusters(8), Clusters()}) {
      std::vector<ClusterId> first;
      for (const int threads : {1, 2, 7}) {
        ThreadTeam team(threads);
        Rng own(11);
        std::vector<ClusterId> labels;
        NoLimit limit;
        frank_wolfe(made.problem, labels, clusters, {own, team, limit.check});
        first = first.empty() ? labels : first;
        EXPECT_EQ(labels, first) << data.name << " on " << threads << " threads";
      }
    }
  }
}

TEST(frank_wolfe, stopped_early_returns_labels_and_their_cost) {
  ThreadTeam team(2);
  Rng rng(12);
  for (const NamedInput& data : one_of_each(400, 3, rng)) {
    for (const int after : {0, 1, 2}) {
      const MadeProblem made = problem_of(data, some_shifts()[0], team);
      std::vector<ClusterId> labels;
      std::atomic<bool> flag = after == 0;
      Control control;
      control.stop = &flag;
      StopCheck stop(control, Clock::now(), 0);
      const Restart restart = frank_wolfe(made.problem, labels, 5,
                                          {rng, team, stop, [&](const Restart& now, std::size_t) {
                                             flag = flag || now.sweeps >= after;
                                           }});
      EXPECT_LE(restart.sweeps, after + 1);
      ASSERT_EQ(labels.size(), 400U);
      for (const ClusterId k : labels) {
        ASSERT_LT(k, 5U);
      }
      const double exact = cost(made.problem, labels, team);
      EXPECT_NEAR(restart.cost, exact, 1e-12 * std::abs(exact)) << data.name;
    }
  }
}

}  // namespace
}  // namespace shiftcut
