// The numbers worked out by hand for the cost, the shifts and the moves.
#include <gtest/gtest.h>

#include <cmath>

#include "problem/make_problem.hpp"
#include "support/plain.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using testing_support::MadeProblem;
using testing_support::problem_of;

using Labels = std::vector<ClusterId>;

Problem line_problem(Distance distance, const std::vector<double>& points,
                     ShiftOptions shift = {ShiftKind::adaptive, 1, 0, {}}) {
  static std::vector<Input> kept;  // problems look at their input
  Input input;
  input.values = DenseArray::own(points, points.size(), 1);
  kept.push_back(input);
  Options options;
  options.similarity.kind = Similarity::linear;
  options.similarity.scale = Scale::none;
  options.similarity.distance = distance;
  options.shift = std::move(shift);
  ThreadTeam team(1);
  return problem_of(kept.back(), options.similarity, options.shift, team).problem;
}

Problem matrix_problem(const std::vector<double>& x, std::size_t n, ShiftOptions shift) {
  Input input;
  input.values = DenseArray::own(x, n, n);
  input.shape = Shape::similarity;
  Options options;
  options.similarity.kind = Similarity::linear;
  options.shift = std::move(shift);
  ThreadTeam team(1);
  return problem_of(input, options.similarity, options.shift, team).problem;
}

SparseMatrix five_nodes() {
  std::vector<Entry> entries;
  for (const auto& [u, v] : {std::pair(0U, 1U), {0U, 2U}, {1U, 2U}, {2U, 3U}, {3U, 4U}}) {
    entries.push_back({u, v, 1});
    entries.push_back({v, u, 1});
  }
  return sparse_from_entries(entries, 5, 5);
}

TEST(worked_numbers, four_points_on_a_line_shifted_adaptively) {
  const Problem problem = line_problem(Distance::sqeuclidean, {0, 1, 4, 5});
  const plain::Matrix expected = {{12.5, 7.5, -7.5, -12.5},
                                  {7.5, 4.5, -4.5, -7.5},
                                  {-7.5, -4.5, 4.5, 7.5},
                                  {-12.5, -7.5, 7.5, 12.5}};
  for (ObjectId i = 0; i < 4; ++i) {
    for (ObjectId j = 0; j < 4; ++j) {
      EXPECT_NEAR(shifted(problem, i, j), expected[i][j], 1e-12);
    }
  }
  ThreadTeam team(1);
  EXPECT_NEAR(cost(problem, Labels{0, 0, 1, 1}, team), -64, 1e-9);
  EXPECT_NEAR(cost(problem, Labels{0, 1, 1, 1}, team), -25, 1e-9);
  EXPECT_NEAR(cost(problem, Labels{0, 1, 2, 3}, team), -34, 1e-9);
  EXPECT_NEAR(cost(problem, Labels{0, 0, 0, 0}, team), 0, 1e-9);
}

TEST(worked_numbers, moving_the_second_of_four_points) {
  const Problem problem = line_problem(Distance::sqeuclidean, {0, 1, 4, 5});
  const std::vector<double> a =
      plain::affinities(plain::shifted_matrix(problem), {0, 1, 1, 1}, 1, 2);
  EXPECT_NEAR(a[0], 7.5, 1e-12);
  EXPECT_NEAR(a[1], -12, 1e-12);
  EXPECT_NEAR(cost_change(problem, Labels{0, 1, 1, 1}, 1, 0), -39, 1e-9);
}

TEST(worked_numbers, four_points_under_plain_distances) {
  ThreadTeam team(1);
  const Problem problem = line_problem(Distance::euclidean, {0, 1, 4, 5});
  EXPECT_NEAR(cost(problem, Labels{0, 0, 1, 1}, team), -14, 1e-9);
}

TEST(worked_numbers, three_groups_on_a_line_have_an_optimum_of_two_clusters) {
  const Problem problem = line_problem(Distance::sqeuclidean, {-1, -.9, .05, -.05, .95, .95});
  ThreadTeam team(1);
  EXPECT_NEAR(plain::lowest_cost(plain::shifted_matrix(problem), 3), -15.21, 1e-9);
  EXPECT_NEAR(cost(problem, Labels{0, 0, 1, 0, 1, 1}, team), -15.21, 1e-9);
}

TEST(worked_numbers, a_graph_of_five_nodes_under_constant_shifts) {
  const SparseMatrix graph = five_nodes();
  ThreadTeam team(1);
  const Labels together(5, 0);
  const Labels triangle_and_pair = {0, 0, 0, 1, 1};
  const auto lowest = [&](const Problem& problem) {
    return plain::lowest_cost(plain::shifted_matrix(problem), 5);
  };
  const Problem none = GraphProblem(graph, {ShiftKind::constant, 1, 0, {}});
  EXPECT_NEAR(cost(none, together, team), -10, 1e-12);
  EXPECT_NEAR(lowest(none), -10, 1e-12);
  const Problem quarter = GraphProblem(graph, {ShiftKind::constant, 1, .25, {}});
  EXPECT_NEAR(cost(quarter, triangle_and_pair, team), -4.75, 1e-12);
  EXPECT_NEAR(lowest(quarter), -4.75, 1e-12);
  const Problem half = GraphProblem(graph, {ShiftKind::constant, 1, .5, {}});
  EXPECT_NEAR(cost(half, triangle_and_pair, team), -1.5, 1e-12);
  EXPECT_NEAR(lowest(half), -1.5, 1e-12);
  // The Constant Potts Model counts unordered pairs without the diagonal.
  EXPECT_NEAR(-cost(half, triangle_and_pair, team) / 2 + .5 * 5 / 2, 2.0, 1e-12);
  const Problem adaptive = GraphProblem(graph, {ShiftKind::adaptive, 1, 0, {}});
  EXPECT_NEAR(cost(adaptive, triangle_and_pair, team), -2.4, 1e-12);
  EXPECT_NEAR(lowest(adaptive), -2.4, 1e-12);
}

TEST(worked_numbers, min_cut_and_correlation_costs_of_three_objects) {
  const Problem problem =
      matrix_problem({0, 2, -1, 2, 0, 3, -1, 3, 0}, 3, {ShiftKind::none, 1, 0, {}});
  ThreadTeam team(1);
  struct Row {
    Labels labels;
    double min_cut, correlation, shifted_min_cut;
  };
  for (const Row& row : {Row{{0, 0, 1}, 4, 6, -4}, Row{{0, 1, 1}, 2, 4, -6},
                         Row{{0, 0, 0}, 0, 2, -8}, Row{{0, 1, 2}, 8, 10, 0}}) {
    EXPECT_NEAR(min_cut_cost(problem, row.labels, team), row.min_cut, 1e-12);
    EXPECT_NEAR(correlation_cost(problem, row.labels, team), row.correlation, 1e-12);
    EXPECT_NEAR(cost(problem, row.labels, team), row.shifted_min_cut, 1e-12);
  }
}

TEST(worked_numbers, a_heat_bath_prefers_the_better_cluster) {
  const Problem problem = line_problem(Distance::sqeuclidean, {0, 1, 4, 5});
  const double change = cost_change(problem, Labels{0, 1, 1, 1}, 1, 0);
  EXPECT_NEAR(1 / (1 + std::exp(change / 39)), 0.731059, 1e-6);
}

TEST(worked_numbers, edge_based_disagreements_are_half_the_correlation_cost) {
  const Problem problem =
      matrix_problem({0, 2, -1, 2, 0, 3, -1, 3, 0}, 3, {ShiftKind::none, 1, 0, {}});
  ThreadTeam team(1);
  EXPECT_NEAR(correlation_cost(problem, Labels{0, 0, 1}, team) / 2, 3, 1e-12);
}

// All objects to their best clusters at once: only for positive semidefinite S does that help.
TEST(worked_numbers, moving_all_at_once_may_raise_the_cost) {
  const Problem problem =
      matrix_problem({0, -1, -1, -1, 0, -1, -1, -1, 0}, 3, {ShiftKind::none, 1, 0, {}});
  ThreadTeam team(1);
  EXPECT_NEAR(cost(problem, Labels{0, 1, 1}, team), 2, 1e-12);
  EXPECT_NEAR(cost(problem, Labels{0, 0, 0}, team), 6, 1e-12);
}

// Relaxed to x_o in the simplex, S = [[-1, .5], [.5, -1]] with the objects apart gains most by
// moving one of them three quarters of the way: the diagonal has to be cleared for whole steps.
TEST(worked_numbers, a_negative_diagonal_makes_the_best_step_a_part_of_one) {
  const auto gain = [](double step) {
    const double x[2] = {1 - step, step};  // object 0, moving from cluster 0 to object 1's
    return -(x[0] * x[0] + x[1] * x[1]) + 2 * 0.5 * x[1] - 1;
  };
  for (const double step : {0.0, 0.5, 0.74, 0.76, 1.0}) {
    EXPECT_LT(gain(step), gain(0.75));
  }
}

// m unit vectors on each of K equally spaced planar directions are stable if and only if
// m (1 - cos(2 pi / K)) >= 1.
TEST(worked_numbers, planar_directions_are_stable_from_so_many_objects_on) {
  struct Case {
    int k, m;
  };
  for (const Case& c : {Case{5, 2}, Case{8, 4}, Case{12, 8}, Case{20, 21}}) {
    for (const int m : {c.m, c.m - 1}) {
      std::vector<double> rows;
      Labels labels;
      for (int k = 0; k < c.k; ++k) {
        for (int i = 0; i < m; ++i) {
          rows.push_back(std::cos(2 * M_PI * k / c.k));
          rows.push_back(std::sin(2 * M_PI * k / c.k));
          labels.push_back(static_cast<ClusterId>(k));
        }
      }
      Input input;
      input.values = DenseArray::own(rows, rows.size() / 2, 2);
      Options options;
      options.similarity.kind = Similarity::linear;
      options.similarity.scale = Scale::none;
      ThreadTeam team(1);
      const MadeProblem made = problem_of(input, options.similarity, options.shift, team);
      const double gain = plain::best_gain(plain::shifted_matrix(made.problem), labels,
                                           static_cast<std::size_t>(c.k));
      EXPECT_EQ(gain < 1e-9, m == c.m) << c.k << " directions of " << m;
    }
  }
}

}  // namespace
}  // namespace shiftcut
