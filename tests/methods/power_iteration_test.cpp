#include "shiftcut/methods/power_iteration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numeric>

#include "methods/graphs.hpp"

namespace shiftcut::methods {
namespace {

using testing::HasSubstr;

TEST(power_iteration, from_the_degrees_two_triangles_look_alike_after_12_steps) {
  const PowerEmbedding found = power_iteration(two_triangles(), {});
  EXPECT_THAT(found.steps, testing::ElementsAre(12));
  EXPECT_TRUE(found.converged);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(found.values[i], found.values[5 - i], 1e-15);
  }
}

TEST(power_iteration, the_first_step_from_1_to_6_is_the_worked_one) {
  PowerIterationOptions options;
  options.max_steps = 1;
  const PowerEmbedding found = power_iteration_from(two_triangles(), {1, 2, 3, 4, 5, 6}, options);
  const double expected[] = {.1190476, .0952381, .0770975, .2562358, .2380952, .2142857};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(found.values[i], expected[i], 1e-7);
  }
  EXPECT_FALSE(found.converged);
}

TEST(power_iteration, from_1_to_6_the_triangles_are_apart_after_121_steps) {
  const PowerEmbedding found = power_iteration_from(two_triangles(), {1, 2, 3, 4, 5, 6}, {});
  EXPECT_THAT(found.steps, testing::ElementsAre(121));
  const double expected[] = {.165126, .165126, .165223, .168110, .168207, .168207};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(found.values[i], expected[i], 1e-6);
  }
}

TEST(power_iteration, equal_degrees_keep_the_degree_start) {
  const DenseArray ring = square({0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0}, 4);
  const PowerEmbedding found = power_iteration(ring, {});
  EXPECT_THAT(found.values, testing::Each(0.25));
  EXPECT_THAT(found.steps, testing::ElementsAre(2));
}

TEST(power_iteration, columns_differ_and_the_first_is_what_one_alone_would_be) {
  const DenseArray w = planted(40, 3, 1, 0.05, 1);
  PowerIterationOptions options;
  options.start = PowerStart::random;
  options.seed = 5;
  const PowerEmbedding one = power_iteration(w, options);
  options.columns = 3;
  const PowerEmbedding three = power_iteration(w, options);
  ASSERT_EQ(three.values.size(), 120U);
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(three.values[3 * i], one.values[i]);
  }
  EXPECT_NE(three.values[0], three.values[1]);
  EXPECT_NE(three.values[1], three.values[2]);
  options.seed = 6;
  EXPECT_NE(power_iteration(w, options).values, three.values);
}

TEST(power_iteration, threads_change_nothing_and_a_graph_gives_what_its_matrix_gives) {
  const DenseArray w = planted(300, 4, 1, 0.02, 2);
  PowerIterationOptions options;
  options.columns = 2;
  const PowerEmbedding alone = power_iteration(w, options);
  for (const int threads : {2, 7}) {
    options.threads = threads;
    EXPECT_EQ(power_iteration(w, options).values, alone.values);
  }
  const PowerEmbedding of_graph = power_iteration(as_graph(w), options);
  EXPECT_EQ(of_graph.steps, alone.steps);
  for (std::size_t i = 0; i < 600; ++i) {
    EXPECT_NEAR(of_graph.values[i], alone.values[i], 1e-14);
  }
}

TEST(power_iteration, every_column_sums_to_one) {
  PowerIterationOptions options;
  options.columns = 2;
  const PowerEmbedding found = power_iteration(planted(20, 2, 1, 0.1, 3), options);
  EXPECT_NEAR(std::accumulate(found.values.begin(), found.values.end(), 0.0), 2, 1e-12);
}

TEST(power_iteration, what_is_not_allowed_is_named) {
  const auto message_of = [](const Similarities& given, const PowerIterationOptions& options = {}) {
    return complaint([&] { power_iteration(given, options); });
  };
  EXPECT_THAT(message_of(square({0, 1, 0, 1, 0, 0, 0, 0, 0}, 3)),
              HasSubstr("found object 2 without a similarity above 0"));
  EXPECT_THAT(message_of(square({0}, 1)), HasSubstr("found object 0"));
  EXPECT_THAT(message_of(square({0, -1, -1, 0}, 2)), HasSubstr("found the similarity -1"));
  EXPECT_THAT(message_of(two_triangles(), {.columns = 0}), HasSubstr("found 0 columns"));
  EXPECT_THAT(message_of(two_triangles(), {.tolerance = -1}), HasSubstr("found tolerance -1"));
  EXPECT_THAT(message_of(two_triangles(), {.max_steps = 0}), HasSubstr("found max_steps 0"));
  EXPECT_THAT(complaint([] { power_iteration_from(two_triangles(), {1, 2}, {}); }),
              HasSubstr("found 2 numbers to start from"));
  EXPECT_THAT(complaint([] { power_iteration_from(two_triangles(), {0, 0, 0, 0, 0, 0}, {}); }),
              HasSubstr("not all zero"));
}

TEST(power_iteration, stops_when_asked) {
  const std::atomic<bool> stop{true};
  Control control;
  control.stop = &stop;
  EXPECT_THROW(power_iteration(two_triangles(), {}, control), Interrupted);
}

}  // namespace
}  // namespace shiftcut::methods
