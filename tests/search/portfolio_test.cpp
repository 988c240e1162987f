#include "search/search.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "search/improve.hpp"
#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

TEST(portfolio, returns_labels_that_no_single_move_improves_and_their_cost) {
  ThreadTeam team(2);
  Rng rng(1);
  for (int round = 0; round < 2; ++round) {
    const std::size_t n = 2 + rng.below(40);
    std::vector<NamedInput> inputs = one_of_each(n, 3, rng);
    for (NamedInput& data : with_levels(n, rng)) {
      inputs.push_back(std::move(data));
    }
    for (const NamedInput& data : inputs) {
      const std::size_t objects = data.input.objects();
      for (const ShiftOptions& shift : with_degree(all_shifts(objects, rng), data)) {
        const MadeProblem made = problem_of(data, shift, team);
        const plain::Matrix s = plain::shifted_matrix(made.problem);
        const std::size_t many = 1 + rng.below(static_cast<std::uint32_t>(objects));
        for (const Clusters clusters : {Clusters(1 + rng.below(5)), Clusters(many), Clusters()}) {
          const auto seed = static_cast<std::uint64_t>(round);
          const SearchOptions options = options_for(Method::automatic, clusters, seed);
          const Solution found = found_by(made.problem, options, team);
          expect_local_optimum(s, found.labels, found.cost, clusters, data.name);
          const auto lowest =
              std::min_element(found.restarts.begin(), found.restarts.end(),
                               [](const Restart& a, const Restart& b) { return a.cost < b.cost; });
          EXPECT_EQ(found.cost, lowest->cost) << data.name;
        }
      }
    }
  }
}

TEST(portfolio, of_many_clusters_is_a_local_optimum_too) {
  ThreadTeam team(2);
  Rng rng(2);
  for (const NamedInput& data : with_levels(200, rng)) {
    const std::size_t n = data.input.objects();
    for (const ShiftOptions& shift : with_degree(all_shifts(n, rng), data)) {
      const MadeProblem made = problem_of(data, shift, team);
      const plain::Matrix s = plain::shifted_matrix(made.problem);
      for (const Clusters clusters : {Clusters(80), Clusters(n), Clusters()}) {
        const Solution found =
            found_by(made.problem, options_for(Method::automatic, clusters, 3, 2), team);
        expect_local_optimum(s, found.labels, found.cost, clusters, data.name);
      }
    }
  }
}

TEST(portfolio, reaches_the_optimum_that_trying_everything_finds) {
  ThreadTeam team(1);
  Rng rng(3);
  int tried = 0;
  int reached = 0;
  for (int round = 0; round < 30; ++round) {
    const std::size_t n = 2 + rng.below(7);
    std::vector<NamedInput> inputs = one_of_each(n, 1 + rng.below(3), rng);
    for (NamedInput& data : with_levels(n, rng)) {
      inputs.push_back(std::move(data));
    }
    for (const NamedInput& data : inputs) {
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
            found_by(made.problem, options_for(Method::automatic, clusters), team);
        ASSERT_GE(found.cost, lowest - slack) << data.name;
        ++tried;
        reached += found.cost <= lowest + slack ? 1 : 0;
      }
    }
  }
  RecordProperty("reached", std::to_string(reached) + " of " + std::to_string(tried));
  EXPECT_GE(reached, tried * 98 / 100) << "of " << tried;
}

TEST(portfolio, with_clusters_free_leaves_no_part_that_had_better_be_alone) {
  ThreadTeam team(2);
  Rng rng(4);
  for (int round = 0; round < 30; ++round) {
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
            options_for(Method::automatic, Clusters(), static_cast<std::uint64_t>(round), 2);
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

struct Comparison {
  int compared = 0;
  int worse = 0;    // times the portfolio ended above one of its parts alone
  double most = 0;  // by this part of the cost
};

Comparison with_parts_alone(double within, double between) {
  ThreadTeam team(2);
  Rng rng(5);
  Comparison result;
  for (int round = 0; round < 12; ++round) {
    const std::size_t blocks = 3 + rng.below(30);
    const NamedInput data = planted_graph(blocks, 10 + rng.below(30), within, between, rng);
    for (const ShiftOptions& shift :
         {some_shifts()[0], some_shifts()[1], ShiftOptions{ShiftKind::constant, 1, 0.05, {}}}) {
      const MadeProblem made = problem_of(data, shift, team);
      for (const Clusters clusters : {Clusters(2), Clusters(blocks), Clusters()}) {
        const auto seed = static_cast<std::uint64_t>(round);
        const Solution best =
            found_by(made.problem, options_for(Method::automatic, clusters, seed), team);
        for (const Method method : {Method::multilevel, Method::local_search}) {
          const Solution alone = found_by(made.problem, options_for(method, clusters, seed), team);
          const double above = (best.cost - alone.cost) / std::abs(alone.cost);
          ++result.compared;
          result.worse += above > 1e-9 ? 1 : 0;
          result.most = std::max(result.most, above);
        }
      }
    }
  }
  return result;
}

TEST(portfolio, is_seldom_worse_than_its_parts_alone_on_planted_graphs) {
  for (const double between : {1.0, 2.0}) {
    const Comparison found = with_parts_alone(6, between);
    EXPECT_LE(found.worse, found.compared / 20) << between << " edges between blocks";
    EXPECT_LE(found.most, 0.05) << between << " edges between blocks";
  }
}

// Multilevel search alone goes through more cycles, and is lower now and then.
TEST(portfolio, is_mostly_better_than_its_parts_alone_where_blocks_are_hard_to_see) {
  const Comparison found = with_parts_alone(4, 4);
  EXPECT_LE(found.worse, found.compared / 8) << "by up to " << found.most;
}

TEST(portfolio, gives_the_same_answer_on_any_number_of_threads) {
  Rng rng(6);
  ThreadTeam making(1);
  std::vector<NamedInput> inputs = one_of_each(300, 3, rng);
  inputs.push_back(planted_graph(80, 30, 8, 3, rng));
  for (const NamedInput& data : inputs) {
    const MadeProblem made = problem_of(data, some_shifts()[0], making);
    for (const Clusters clusters : {Clusters(8), Clusters(100), Clusters()}) {
      Solution first;
      for (const int threads : {1, 2, 7}) {
        ThreadTeam team(threads);
        const Solution found =
            found_by(made.problem, options_for(Method::automatic, clusters, 1, 4), team);
        if (first.labels.empty()) {
          first = found;
        }
        EXPECT_EQ(found.labels, first.labels) << data.name << " on " << threads << " threads";
        EXPECT_EQ(found.cost, first.cost) << data.name;
        EXPECT_EQ(found.restarts.size(), first.restarts.size()) << data.name;
      }
    }
  }
}

TEST(portfolio, another_seed_is_another_search_and_the_same_seed_the_same) {
  Rng rng(7);
  ThreadTeam team(2);
  const NamedInput data{"graph", graph(400, 6, false, false, rng), {}};
  const MadeProblem made = problem_of(data, some_shifts()[0], team);
  const Solution one = found_by(made.problem, options_for(Method::automatic, 6, 1), team);
  const Solution again = found_by(made.problem, options_for(Method::automatic, 6, 1), team);
  const Solution other = found_by(made.problem, options_for(Method::automatic, 6, 2), team);
  EXPECT_EQ(one.labels, again.labels);
  EXPECT_NE(one.labels, other.labels);
}

TEST(portfolio, stopped_at_once_or_by_the_clock_returns_labels_and_their_cost) {
  ThreadTeam team(2);
  Rng rng(8);
  std::vector<NamedInput> inputs = one_of_each(250, 3, rng);
  inputs.push_back(planted_graph(200, 20, 8, 3, rng));
  for (const NamedInput& data : inputs) {
    const MadeProblem made = problem_of(data, some_shifts()[0], team);
    const std::size_t n = data.input.objects();
    for (const Clusters clusters : {Clusters(5), Clusters(100), Clusters()}) {
      for (const double seconds : {0.0, 1e-9, 0.003, 0.05}) {
        const std::atomic<bool> flag{seconds == 0};
        Control control;
        control.stop = &flag;
        SearchOptions options = options_for(Method::automatic, clusters);
        options.max_seconds = seconds;
        StopCheck stop(control, Clock::now(), seconds);
        const Solution found = search(made.problem, options, {}, {rng, team, stop});
        ASSERT_EQ(found.labels.size(), n) << data.name;
        ASSERT_FALSE(found.restarts.empty());
        for (const ClusterId k : found.labels) {
          ASSERT_LT(k, clusters.value_or(n + 1)) << data.name;
        }
        const double exact = cost(made.problem, found.labels, team);
        EXPECT_NEAR(found.cost, exact, 1e-9 + 1e-12 * std::abs(exact)) << data.name;
      }
    }
  }
}

TEST(portfolio, of_one_object_one_cluster_or_as_many_as_objects_ends) {
  ThreadTeam team(2);
  Rng rng(9);
  for (const std::size_t n : {1U, 2U, 9U}) {
    std::vector<NamedInput> inputs = one_of_each(n, 2, rng);
    inputs.push_back(graph_of({}, n));
    for (const NamedInput& data : inputs) {
      for (const ShiftOptions& shift : with_degree(some_shifts(), data)) {
        const MadeProblem made = problem_of(data, shift, team);
        const plain::Matrix s = plain::shifted_matrix(made.problem);
        for (const Clusters clusters : {Clusters(1), Clusters(n), Clusters()}) {
          const Solution found =
              found_by(made.problem, options_for(Method::automatic, clusters), team);
          expect_local_optimum(s, found.labels, found.cost, clusters, data.name);
        }
      }
    }
  }
}

TEST(perturb, never_raises_the_cost_and_keeps_its_books) {
  ThreadTeam team(2);
  Rng rng(10);
  for (int round = 0; round < 2; ++round) {
    const std::size_t n = 5 + rng.below(60);
    std::vector<NamedInput> inputs = one_of_each(n, 3, rng);
    for (NamedInput& data : with_levels(n, rng)) {
      inputs.push_back(std::move(data));
    }
    for (const NamedInput& data : inputs) {
      const std::size_t objects = data.input.objects();
      for (const ShiftOptions& shift : with_degree(all_shifts(objects, rng), data)) {
        const MadeProblem made = problem_of(data, shift, team);
        const plain::Matrix s = plain::shifted_matrix(made.problem);
        for (const Clusters clusters : {Clusters(1), Clusters(4), Clusters()}) {
          std::vector<ClusterId> labels = random_labels(objects, clusters.value_or(3), rng);
          NoLimit limit;
          const Restart start = descend(made.problem, labels, clusters, {rng, team, limit.check});
          const Restart end = perturb(made.problem, labels, start.cost, PerturbOptions{clusters, 4},
                                      {rng, team, limit.check});
          EXPECT_LE(end.cost, start.cost + 1e-9 * scale_of(s)) << data.name;
          expect_local_optimum(s, labels, end.cost, clusters, data.name);
        }
      }
    }
  }
}

}  // namespace
}  // namespace shiftcut
