#include <gtest/gtest.h>

#include "descent/descend.hpp"
#include "relaxed/relaxed.hpp"
#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

TEST(annealing, returns_labels_that_no_single_move_improves_and_their_cost) {
  ThreadTeam team(2);
  Rng rng(1);
  for (int round = 0; round < 3; ++round) {
    const std::size_t n = 4 + rng.below(40);
    for (const NamedInput& data : one_of_each(n, 1 + rng.below(4), rng)) {
      for (const ShiftOptions& shift : with_degree(some_shifts(), data)) {
        const MadeProblem made = problem_of(data, shift, team);
        const plain::Matrix s = plain::shifted_matrix(made.problem);
        for (const Clusters clusters : {Clusters(1 + rng.below(4)), Clusters()}) {
          std::vector<ClusterId> labels = random_labels(n, clusters.value_or(3), rng);
          NoLimit limit;
          const Restart restart = anneal(made.problem, labels, clusters, {rng, team, limit.check});
          EXPECT_EQ(restart.method, "annealing");
          EXPECT_LE(plain::best_gain(s, labels, clusters), 1e-11 * scale_of(s)) << data.name;
          for (const ClusterId k : labels) {
            ASSERT_LT(k, clusters.value_or(n + 1));
          }
          const double exact = plain::cost(s, labels);
          EXPECT_NEAR(restart.cost, exact,
                      1e-9 * std::abs(exact) + 1e-12 * scale_of(s) * static_cast<double>(n))
              << data.name;
        }
      }
    }
  }
}

TEST(annealing, follows_the_cost_and_ends_no_higher_than_any_sweep_before) {
  ThreadTeam team(1);
  Rng rng(2);
  const std::size_t n = 120;
  for (const NamedInput& data : one_of_each(n, 3, rng)) {
    for (const Clusters clusters : {Clusters(4), Clusters(70), Clusters()}) {
      const MadeProblem made = problem_of(data, some_shifts()[3], team);
      const plain::Matrix s = plain::shifted_matrix(made.problem);
      std::vector<ClusterId> labels = random_labels(n, clusters.value_or(5), rng);
      double lowest = cost(made.problem, labels, team);
      double last = 0;
      std::uint64_t moves = 0;
      int sweeps = 0;
      NoLimit limit;
      const Restart restart =
          anneal(made.problem, labels, clusters,
                 {rng, team, limit.check, [&](const Restart& now, std::size_t moved) {
                    moves += moved;
                    EXPECT_EQ(now.sweeps, ++sweeps);
                    EXPECT_EQ(now.moves, moves);
                    if (std::isfinite(now.cost)) {
                      lowest = std::min(lowest, now.cost);
                      last = now.cost;
                    }
                  }});
      const bool float32 = data.name == "linear float32";
      const double slack = (float32 ? 1e-6 : 1e-11) * scale_of(s) * static_cast<double>(n);
      EXPECT_LE(restart.cost, lowest + slack) << data.name;
      EXPECT_LE(restart.cost, last + slack) << data.name;
      EXPECT_EQ(restart.moves, moves);
      EXPECT_EQ(restart.sweeps, sweeps);
    }
  }
}

// If any change of cost were wrong, the sum over many sweeps would be off.
TEST(annealing, of_a_frozen_state_tracks_its_exact_cost) {
  ThreadTeam team(1);
  Rng rng(3);
  int frozen = 0;
  for (const NamedInput& data : one_of_each(60, 3, rng)) {
    if (data.name == "linear float32") {
      continue;
    }
    for (const Clusters clusters : {Clusters(3), Clusters()}) {
      const MadeProblem made = problem_of(data, some_shifts()[0], team);
      const plain::Matrix s = plain::shifted_matrix(made.problem);
      std::vector<ClusterId> labels = random_labels(60, 3, rng);
      double lowest = cost(made.problem, labels, team);
      std::uint64_t moves = 0;
      NoLimit limit;
      const Restart restart =
          anneal(made.problem, labels, clusters,
                 {rng, team, limit.check, [&](const Restart& now, std::size_t moved) {
                    if (std::isfinite(now.cost)) {
                      lowest = std::min(lowest, now.cost);
                      moves = 0;
                    } else {
                      moves += moved;
                    }
                  }});
      if (moves == 0) {
        ++frozen;
        EXPECT_NEAR(restart.cost, lowest, 1e-10 * scale_of(s) * 60) << data.name;
      }
    }
  }
  EXPECT_GE(frozen, 10);
}

TEST(annealing, finds_the_optimum_that_trying_everything_finds) {
  ThreadTeam team(1);
  Rng rng(4);
  int tried = 0;
  int reached = 0;
  int reached_by_descent = 0;
  for (int round = 0; round < 20; ++round) {
    const std::size_t n = 2 + rng.below(7);
    for (const NamedInput& data : one_of_each(n, 1 + rng.below(3), rng)) {
      const MadeProblem made = problem_of(data, some_shifts()[rng.below(6)], team);
      const plain::Matrix s = plain::shifted_matrix(made.problem);
      const Clusters fixed = 1 + rng.below(static_cast<std::uint32_t>(std::min<std::size_t>(n, 4)));
      const double slack = 1e-9 * (1 + scale_of(s) * static_cast<double>(n));
      for (const Clusters clusters : {fixed, Clusters()}) {
        const double lowest = plain::lowest_cost(s, clusters.value_or(n));
        for (int seed = 0; seed < 3; ++seed) {
          std::vector<ClusterId> labels = random_labels(n, clusters.value_or(2), rng);
          std::vector<ClusterId> descended = labels;
          NoLimit limit;
          const Restart restart = anneal(made.problem, labels, clusters, {rng, team, limit.check});
          ASSERT_GE(restart.cost, lowest - slack) << data.name;
          ++tried;
          reached += restart.cost <= lowest + slack ? 1 : 0;
          const Restart descent =
              descend(made.problem, descended, clusters, {rng, team, limit.check});
          reached_by_descent += descent.cost <= lowest + slack ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GE(reached, tried * 85 / 100) << "of " << tried;
  EXPECT_GT(reached, reached_by_descent) << "of " << tried;
}

TEST(annealing, draws_by_the_heat_bath) {
  std::vector<double> weights{7.5, -12};
  heat_bath_weights(weights, 39);
  EXPECT_NEAR(weights[0] / (weights[0] + weights[1]), 0.731059, 1e-6);
  weights = {3e5, -2e5, 3e5};
  heat_bath_weights(weights, 1e-3);
  EXPECT_EQ(weights, (std::vector<double>{1, 0, 1}));
}

TEST(annealing, finds_the_solutions_of_the_worked_graph) {
  ThreadTeam team(1);
  std::vector<Entry> entries;
  for (const auto& [u, v] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, 4}}) {
    entries.push_back({u, v, 1});
    entries.push_back({v, u, 1});
  }
  NamedInput data{"graph", {}, {}};
  data.input.values = sparse_from_entries(std::move(entries), 5, 5);
  data.input.shape = Shape::graph;
  const std::vector<std::pair<ShiftOptions, double>> cases{
      {{ShiftKind::none, 1, 0, {}}, -10},
      {{ShiftKind::constant, 1, 0.25, {}}, -4.75},
      {{ShiftKind::constant, 1, 0.5, {}}, -1.5},
      {{ShiftKind::adaptive, 1, 0, {}}, -2.4}};
  for (const auto& [shift, expected] : cases) {
    const MadeProblem made = problem_of(data, shift, team);
    for (const Clusters clusters : {Clusters(3), Clusters()}) {
      double lowest = 0;
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        Rng rng(5, seed);
        std::vector<ClusterId> labels{0, 1, 2, 0, 1};
        NoLimit limit;
        const Restart restart = anneal(made.problem, labels, clusters, {rng, team, limit.check});
        lowest = std::min(lowest, restart.cost);
      }
      EXPECT_NEAR(lowest, expected, 1e-9) << shift.constant;
    }
  }
}

TEST(annealing, of_one_object_one_cluster_or_as_many_as_objects_ends) {
  ThreadTeam team(2);
  Rng rng(6);
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{9}}) {
    for (const NamedInput& data : one_of_each(n, 2, rng)) {
      for (const ShiftOptions& shift : with_degree(some_shifts(), data)) {
        const MadeProblem made = problem_of(data, shift, team);
        const plain::Matrix s = plain::shifted_matrix(made.problem);
        for (const Clusters clusters : {Clusters(1), Clusters(n), Clusters()}) {
          std::vector<ClusterId> labels = random_labels(n, clusters.value_or(1), rng);
          NoLimit limit;
          const Restart restart = anneal(made.problem, labels, clusters, {rng, team, limit.check});
          EXPECT_LE(plain::best_gain(s, labels, clusters), 1e-11 * scale_of(s)) << data.name;
          EXPECT_NEAR(restart.cost, plain::cost(s, labels), 1e-9 * (1 + scale_of(s))) << data.name;
        }
      }
    }
  }
}

TEST(annealing, where_all_similarities_are_zero_ends) {
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
      Rng rng(7);
      std::vector<ClusterId> labels{0, 1, 2, 0, 1, 2, 0};
      NoLimit limit;
      const Restart restart = anneal(made.problem, labels, clusters, {rng, team, limit.check});
      EXPECT_EQ(restart.cost, 0) << data.name;
      EXPECT_EQ(labels.size(), 7U);
    }
  }
}

TEST(annealing, gives_the_same_labels_on_any_number_of_threads) {
  Rng rng(8);
  ThreadTeam making(1);
  std::vector<NamedInput> inputs;
  inputs.push_back({"features", features32(grouped_rows(1500, 6, 8, rng), 1500, 6), {}});
  inputs.push_back({"matrix", symmetric_matrix(300, rng), {}});
  inputs.push_back({"graph", graph(2000, 8, false, false, rng), {}});
  inputs.push_back({"sparse", sparse_features(200, 30, rng), {}});
  for (const NamedInput& data : inputs) {
    const MadeProblem made = problem_of(data, some_shifts()[0], making);
    for (const Clusters clusters : {Clusters(8), Clusters()}) {
      std::vector<ClusterId> first;
      for (const int threads : {1, 2, 7}) {
        ThreadTeam team(threads);
        Rng own(9);
        std::vector<ClusterId> labels = random_labels(size(made.problem), 8, own);
        NoLimit limit;
        anneal(made.problem, labels, clusters, {own, team, limit.check});
        first = first.empty() ? labels : first;
        EXPECT_EQ(labels, first) << data.name << " on " << threads << " threads";
      }
    }
  }
}

TEST(annealing, stopped_early_returns_the_best_labels_so_far_and_their_cost) {
  ThreadTeam team(2);
  Rng rng(10);
  for (const NamedInput& data : one_of_each(400, 3, rng)) {
    for (const int after : {0, 1, 4}) {
      const MadeProblem made = problem_of(data, some_shifts()[0], team);
      std::vector<ClusterId> labels = random_labels(400, 5, rng);
      const double start = cost(made.problem, labels, team);
      std::atomic<bool> flag = after == 0;
      Control control;
      control.stop = &flag;
      StopCheck stop(control, Clock::now(), 0);
      const Restart restart =
          anneal(made.problem, labels, 5, {rng, team, stop, [&](const Restart& now, std::size_t) {
                                             flag = flag || now.sweeps >= after;
                                           }});
      EXPECT_LE(restart.sweeps, after + 1);
      const double exact = cost(made.problem, labels, team);
      EXPECT_NEAR(restart.cost, exact, 1e-12 * std::abs(exact)) << data.name;
      EXPECT_LE(restart.cost, start + 1e-9 * std::abs(start)) << data.name;
      for (const ClusterId k : labels) {
        ASSERT_LT(k, 5U);
      }
    }
  }
}

}  // namespace
}  // namespace shiftcut
