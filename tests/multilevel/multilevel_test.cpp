#include "multilevel/multilevel.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "multilevel/level.hpp"
#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

TEST(multilevel, returns_labels_that_no_single_move_improves_and_their_cost) {
  ThreadTeam team(2);
  Rng rng(1);
  for (int round = 0; round < 4; ++round) {
    const std::size_t n = 2 + rng.below(45);
    for (const NamedInput& data : with_levels(n, rng)) {
      const std::size_t objects = data.input.objects();
      for (const ShiftOptions& shift : with_degree(all_shifts(objects, rng), data)) {
        const MadeProblem made = problem_of(data, shift, team);
        const plain::Matrix s = plain::shifted_matrix(made.problem);
        const std::size_t few = 1 + rng.below(5);
        const std::size_t many = 1 + rng.below(static_cast<std::uint32_t>(objects));
        for (const Clusters clusters : {Clusters(few), Clusters(many), Clusters()}) {
          const auto seed = static_cast<std::uint64_t>(round);
          const SearchOptions options = options_for(Method::multilevel, clusters, seed);
          const Solution found = found_by(made.problem, options, team);
          expect_local_optimum(s, found.labels, found.cost, clusters, data.name);
          for (const Restart& restart : found.restarts) {
            EXPECT_EQ(restart.method, "multilevel");
          }
        }
      }
    }
  }
}

// More clusters than are all looked at, fewer than objects; and weights that want far objects in.
TEST(multilevel, of_many_clusters_is_a_local_optimum_too) {
  ThreadTeam team(2);
  Rng rng(2);
  for (const NamedInput& data : with_levels(260, rng)) {
    const std::size_t n = data.input.objects();
    for (const ShiftOptions& shift : with_degree(all_shifts(n, rng), data)) {
      const MadeProblem made = problem_of(data, shift, team);
      const plain::Matrix s = plain::shifted_matrix(made.problem);
      for (const Clusters clusters : {Clusters(90), Clusters(n - 1), Clusters(n), Clusters()}) {
        const Solution found =
            found_by(made.problem, options_for(Method::multilevel, clusters, 3, 2), team);
        expect_local_optimum(s, found.labels, found.cost, clusters, data.name);
      }
    }
  }
}

TEST(multilevel, finds_no_cost_below_the_optimum_and_mostly_finds_it) {
  ThreadTeam team(1);
  Rng rng(3);
  int tried = 0;
  int reached = 0;
  for (int round = 0; round < 30; ++round) {
    const std::size_t n = 2 + rng.below(7);
    for (const NamedInput& data : with_levels(n, rng)) {
      const std::size_t objects = data.input.objects();
      const std::vector<ShiftOptions> shifts = with_degree(all_shifts(objects, rng), data);
      const ShiftOptions& shift = shifts[rng.below(static_cast<std::uint32_t>(shifts.size()))];
      const MadeProblem made = problem_of(data, shift, team);
      const plain::Matrix s = plain::shifted_matrix(made.problem);
      const double slack = 1e-9 * (1 + scale_of(s) * static_cast<double>(n));
      const Clusters fixed = 1 + rng.below(static_cast<std::uint32_t>(std::min<std::size_t>(n, 4)));
      for (const Clusters clusters : {fixed, Clusters()}) {
        const double lowest = plain::lowest_cost(s, clusters.value_or(objects));
        const Solution found =
            found_by(made.problem, options_for(Method::multilevel, clusters), team);
        ASSERT_GE(found.cost, lowest - slack) << data.name;
        ++tried;
        reached += found.cost <= lowest + slack ? 1 : 0;
      }
    }
  }
  RecordProperty("reached", std::to_string(reached) + " of " + std::to_string(tried));
  EXPECT_GE(reached, tried * 85 / 100) << "of " << tried;
}

TEST(multilevel, a_cycle_from_labels_never_raises_their_cost) {
  ThreadTeam team(2);
  Rng rng(4);
  for (int round = 0; round < 3; ++round) {
    for (const NamedInput& data : with_levels(20 + rng.below(100), rng)) {
      const std::size_t n = data.input.objects();
      for (const ShiftOptions& shift : with_degree(all_shifts(n, rng), data)) {
        const MadeProblem made = problem_of(data, shift, team);
        for (const Clusters clusters : {Clusters(3), Clusters(n / 2), Clusters()}) {
          std::vector<ClusterId> labels = random_labels(n, clusters.value_or(7), rng);
          const double before = cost(made.problem, labels, team);
          NoLimit limit;
          const Restart restart =
              multilevel_cycle(made.problem, labels, {clusters}, {rng, team, limit.check});
          EXPECT_LE(restart.cost, before + 1e-9 * std::abs(before) + 1e-9) << data.name;
          EXPECT_NEAR(restart.cost, cost(made.problem, labels, team),
                      1e-9 + 1e-12 * std::abs(before));
        }
      }
    }
  }
}

TEST(multilevel, cycles_end_in_a_local_optimum) {
  ThreadTeam team(2);
  Rng rng(5);
  for (int round = 0; round < 4; ++round) {
    for (const NamedInput& data : with_levels(60, rng)) {
      const MadeProblem made = problem_of(data, some_shifts()[rng.below(6)], team);
      const plain::Matrix s = plain::shifted_matrix(made.problem);
      for (const Clusters clusters : {Clusters(1), Clusters(4), Clusters()}) {
        NoLimit limit;
        const double least_gain = round % 2 == 0 ? 0 : 1e-3;
        const Solution found = multilevel_cycles(made.problem, {}, {clusters, least_gain}, 3,
                                                 {rng, team, limit.check});
        expect_local_optimum(s, found.labels, found.cost, clusters, data.name);
        EXPECT_LE(found.restarts.size(), 3U);
        EXPECT_EQ(found.cost, std::min_element(found.restarts.begin(), found.restarts.end(),
                                               [](const Restart& a, const Restart& b) {
                                                 return a.cost < b.cost;
                                               })
                                  ->cost);
      }
    }
  }
}

// A part of a cluster that nothing joins to the rest could go its own way.
TEST(multilevel, with_clusters_free_leaves_no_part_that_had_better_be_alone) {
  ThreadTeam team(2);
  Rng rng(6);
  for (int round = 0; round < 60; ++round) {
    const bool planted = rng.below(2) == 0;
    const NamedInput data =
        planted ? planted_graph(4 + rng.below(8), 4 + rng.below(12), 3, 1.5, rng)
                : NamedInput{"graph", graph(20 + rng.below(150), 3, false, false, rng), {}};
    const auto& graph = std::get<SparseMatrix>(data.input.values);
    for (const double strength : {0.05, 0.3, 1.0, 2.0}) {
      for (const ShiftKind kind : {ShiftKind::constant, ShiftKind::adaptive}) {
        const MadeProblem made = problem_of(data, {kind, strength, 0.2, {}}, team);
        const plain::Matrix s = plain::shifted_matrix(made.problem);
        const SearchOptions options =
            options_for(Method::multilevel, Clusters(), static_cast<std::uint64_t>(round), 2);
        const Solution found = found_by(made.problem, options, team);
        EXPECT_LE(best_parting(s, graph, found.labels), 1e-9 * scale_of(s))
            << "round " << round << ", strength " << strength;
        if (kind == ShiftKind::constant) {
          EXPECT_EQ(count_distinct(parts_of(graph, found.labels)), count_distinct(found.labels));
        }
      }
    }
  }
}

TEST(multilevel, of_a_large_graph_leaves_clusters_connected) {
  ThreadTeam team(2);
  Rng rng(7);
  const NamedInput data = planted_graph(200, 40, 6, 3, rng);
  const auto& graph = std::get<SparseMatrix>(data.input.values);
  for (const double constant : {0.002, 0.02, 0.2}) {
    const MadeProblem made = problem_of(data, {ShiftKind::constant, 1, constant, {}}, team);
    const Solution found =
        found_by(made.problem, options_for(Method::multilevel, Clusters(), 0, 2), team);
    EXPECT_EQ(count_distinct(parts_of(graph, found.labels)), count_distinct(found.labels));
  }
}

TEST(multilevel, finds_planted_blocks) {
  ThreadTeam team(2);
  Rng rng(8);
  const NamedInput data = planted_graph(40, 25, 14, 1, rng);
  const MadeProblem constant = problem_of(data, {ShiftKind::constant, 1, 0.1, {}}, team);
  const MadeProblem adaptive = problem_of(data, some_shifts()[0], team);
  for (const MadeProblem* made : {&constant, &adaptive}) {
    std::vector<ClusterId> planted(1000);
    for (ObjectId v = 0; v < 1000; ++v) {
      planted[v] = v / 25;
    }
    for (const Clusters clusters : {Clusters(40), Clusters()}) {
      const Solution found =
          found_by(made->problem, options_for(Method::multilevel, clusters), team);
      EXPECT_LE(found.cost, cost(made->problem, planted, team));
    }
  }
}

TEST(multilevel, gives_the_same_answer_on_any_number_of_threads) {
  Rng rng(9);
  ThreadTeam making(1);
  std::vector<NamedInput> inputs = with_levels(300, rng);
  inputs.push_back(planted_graph(150, 30, 8, 3, rng));
  for (const NamedInput& data : inputs) {
    for (const int kind : {0, 3}) {
      const MadeProblem made = problem_of(data, some_shifts()[kind], making);
      for (const Clusters clusters : {Clusters(8), Clusters(100), Clusters()}) {
        std::vector<ClusterId> first;
        double cost = 0;
        for (const int threads : {1, 2, 7}) {
          ThreadTeam team(threads);
          const Solution found =
              found_by(made.problem, options_for(Method::multilevel, clusters), team);
          if (first.empty()) {
            first = found.labels;
            cost = found.cost;
          }
          EXPECT_EQ(found.labels, first) << data.name << " on " << threads << " threads";
          EXPECT_EQ(found.cost, cost);
        }
      }
    }
  }
}

TEST(settle, from_any_labels_ends_in_a_local_optimum_the_same_on_any_number_of_threads) {
  Rng rng(11);
  ThreadTeam making(1);
  for (const std::size_t n : {2, 40, 300, 1500}) {
    for (const bool weighted : {false, true}) {
      const NamedInput data{"graph", graph(n, 4, weighted, weighted, rng), {}};
      for (const ShiftOptions& shift : with_degree(all_shifts(n, rng), data)) {
        if (shift.kind == ShiftKind::matrix) {
          continue;
        }
        const MadeProblem made = problem_of(data, shift, making);
        const auto most = static_cast<std::uint32_t>(n);
        const std::vector<ClusterId> start = random_labels(n, 1 + rng.below(most), rng);
        std::vector<ClusterId> expected;
        for (const int threads : {1, 2, 7}) {
          ThreadTeam team(threads);
          Rng own(3);
          NoLimit limit;
          std::vector<ClusterId> labels = start;
          const Restart restart = settle(made.problem, labels, {}, {own, team, limit.check});
          if (threads == 1) {
            expected = labels;
            EXPECT_LE(restart.cost,
                      cost(made.problem, start, team) + 1e-9 * static_cast<double>(n));
            if (n <= 300) {
              const plain::Matrix s = plain::shifted_matrix(made.problem);
              expect_local_optimum(s, labels, restart.cost, Clusters(), data.name);
            }
          }
          ASSERT_EQ(labels, expected) << threads << " threads";
        }
      }
    }
  }
}

// Some clusters of a local optimum are divided; the other objects need not all be visited again.
TEST(settle, from_a_changed_local_optimum_ends_in_one_the_same_on_any_number_of_threads) {
  Rng rng(12);
  ThreadTeam making(1);
  for (const std::size_t n : {2, 40, 300, 1500}) {
    for (const bool weighted : {false, true}) {
      const NamedInput data{"graph", graph(n, 4, weighted, weighted, rng), {}};
      for (const ShiftOptions& shift : with_degree(all_shifts(n, rng), data)) {
        if (shift.kind == ShiftKind::matrix) {
          continue;
        }
        const MadeProblem made = problem_of(data, shift, making);
        NoLimit limit;
        const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(n, 100));
        std::vector<ClusterId> before = random_labels(n, 1 + rng.below(most), rng);
        settle(made.problem, before, {}, {rng, making, limit.check});
        compact_labels(before);
        std::vector<ClusterId> start = before;
        const auto spare = static_cast<ClusterId>(count_distinct(before));
        for (ObjectId v = 0; v < n && spare < n; ++v) {
          if (before[v] % 20 == 0 && rng.below(2) == 0) {
            start[v] = spare;
          }
        }
        std::vector<ClusterId> expected;
        for (const int threads : {1, 2, 7}) {
          ThreadTeam team(threads);
          Rng own(3);
          std::vector<ClusterId> labels = start;
          const Restart restart = settle(made.problem, labels, before, {own, team, limit.check});
          if (threads == 1) {
            expected = labels;
            EXPECT_LE(restart.cost,
                      cost(made.problem, start, team) + 1e-9 * static_cast<double>(n));
            if (n <= 300) {
              const plain::Matrix s = plain::shifted_matrix(made.problem);
              expect_local_optimum(s, labels, restart.cost, Clusters(), data.name);
            }
          }
          ASSERT_EQ(labels, expected) << threads << " threads";
        }
      }
    }
  }
}

TEST(multilevel, stopped_early_returns_labels_and_their_cost) {
  ThreadTeam team(2);
  Rng rng(10);
  std::vector<NamedInput> inputs = with_levels(300, rng);
  inputs.push_back(planted_graph(200, 20, 8, 3, rng));
  for (const NamedInput& data : inputs) {
    const MadeProblem made = problem_of(data, some_shifts()[0], team);
    const std::size_t n = data.input.objects();
    for (const Clusters clusters : {Clusters(5), Clusters(120), Clusters()}) {
      for (const int after : {0, 1, 2, 5}) {
        std::atomic<bool> flag = after == 0;
        int calls = 0;
        Control control;
        control.stop = &flag;
        StopCheck stop(control, Clock::now(), 0);
        std::vector<ClusterId> labels;
        const Restart restart = multilevel_cycle(
            made.problem, labels, {clusters}, {rng, team, stop, [&](const Restart&, std::size_t) {
                                                 flag = flag || ++calls >= after;
                                               }});
        ASSERT_EQ(labels.size(), n) << data.name;
        for (const ClusterId k : labels) {
          ASSERT_LT(k, clusters.value_or(n + 1)) << data.name;
        }
        const double exact = cost(made.problem, labels, team);
        EXPECT_NEAR(restart.cost, exact, 1e-9 + 1e-12 * std::abs(exact)) << data.name;
      }
    }
  }
}

TEST(multilevel, of_one_object_one_cluster_or_as_many_as_objects_ends) {
  ThreadTeam team(2);
  Rng rng(11);
  for (const std::size_t n : {1U, 2U, 9U}) {
    for (const NamedInput& data : with_levels(n, rng)) {
      for (const ShiftOptions& shift : with_degree(some_shifts(), data)) {
        const MadeProblem made = problem_of(data, shift, team);
        const plain::Matrix s = plain::shifted_matrix(made.problem);
        for (const Clusters clusters : {Clusters(1), Clusters(data.input.objects()), Clusters()}) {
          const Solution found =
              found_by(made.problem, options_for(Method::multilevel, clusters), team);
          expect_local_optimum(s, found.labels, found.cost, clusters, data.name);
        }
      }
    }
  }
}

TEST(multilevel, where_all_similarities_are_zero_ends) {
  ThreadTeam team(1);
  NamedInput matrix{"matrix", {}, {}};
  matrix.input.values = DenseArray::own(std::vector<double>(49, 0.0), 7, 7);
  matrix.input.shape = Shape::similarity;
  const NamedInput edgeless = graph_of({}, 7);
  const NamedInput zeros = graph_of({{0, 1}, {1, 2}, {5, 6}}, 7, 0.0);
  for (const NamedInput& data : {matrix, edgeless, zeros}) {
    const MadeProblem made = problem_of(data, some_shifts()[0], team);
    for (const Clusters clusters : {Clusters(3), Clusters()}) {
      const Solution found =
          found_by(made.problem, options_for(Method::multilevel, clusters), team);
      EXPECT_EQ(found.cost, 0);
      EXPECT_EQ(found.labels.size(), 7U);
    }
  }
}

TEST(multilevel, is_not_for_features) {
  ThreadTeam team(1);
  Rng rng(12);
  for (const NamedInput& data : one_of_each(12, 2, rng)) {
    const MadeProblem made = problem_of(data, some_shifts()[0], team);
    if (!has_levels(made.problem)) {
      EXPECT_THROW(found_by(made.problem, options_for(Method::multilevel, 2), team),
                   std::invalid_argument)
          << data.name;
    }
  }
}

}  // namespace
}  // namespace shiftcut
