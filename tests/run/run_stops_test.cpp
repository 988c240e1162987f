// Being told to stop, and running out of time.
#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "run/support.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace run_testing;
using testing_support::grouped_rows;
using testing_support::NamedInput;
using testing_support::one_of_each;

TEST(run_stops, when_told_beforehand_with_valid_labels_and_says_so) {
  Rng rng(5);
  const std::atomic<bool> flag{true};
  Control control;
  control.stop = &flag;
  for (const NamedInput& data : one_of_each(50, 3, rng)) {
    SCOPED_TRACE(data.name);
    for (const int threads : {1, 2}) {
      Options options = of(data, 3);
      options.search.threads = threads;
      if (data.name == "plain distances" || data.name == "rbf" || data.name == "neighbors") {
        // Their matrix or graph is not there yet, so there is nothing to return.
        EXPECT_THROW((void)run(data.input, options, control), Interrupted);
        continue;
      }
      const Result result = run(data.input, options, control);
      EXPECT_EQ(result.stop_reason, StopReason::interrupted);
      expect_consistent(result, 50);
      EXPECT_EQ(result.restarts.size(), 1U);
      EXPECT_TRUE(warns_of(result, "Interrupted"));
    }
  }
}

TEST(run_stops, when_told_while_it_searches_with_the_best_so_far) {
  Rng rng(6);
  Input input;
  input.values = DenseArray::own(grouped_rows(500, 4, 5, rng), 500, 4);
  std::atomic<bool> flag{false};
  Control control;
  control.stop = &flag;
  control.progress = [&](const Progress& progress) {
    flag = flag || (progress.phase == "search" && progress.restart == 3);
  };
  Options options = asking_for(5);
  options.search.method = Method::local_search;
  options.search.restarts = 100000;
  const Result result = run(input, options, control);
  EXPECT_EQ(result.stop_reason, StopReason::interrupted);
  EXPECT_EQ(result.restarts.size(), 3U);
  expect_consistent(result, 500);
}

TEST(run_stops, at_the_time_limit_with_valid_labels) {
  Rng rng(7);
  for (const NamedInput& data : one_of_each(50, 3, rng)) {
    SCOPED_TRACE(data.name);
    Options options = of(data, 3);
    options.search.max_seconds = 1e-9;
    const Result result = run(data.input, options);
    EXPECT_EQ(result.stop_reason, StopReason::max_seconds);
    expect_consistent(result, 50);
    EXPECT_TRUE(warns_of(result, "time limit"));
  }
}

}  // namespace
}  // namespace shiftcut
