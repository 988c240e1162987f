// Being told to stop, and running out of time.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/core.h>

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
      const Result result = run(data.input, options, control);
      EXPECT_EQ(result.stop_reason, StopReason::interrupted);
      expect_consistent(result, 50);
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

TEST(run_stops, at_the_time_limit_with_a_quick_grouping_by_no_slow_method) {
  Rng rng(8);
  int quick = 0;
  for (const NamedInput& data : one_of_each(400, 3, rng)) {
    for (const Method method : {Method::annealing, Method::frank_wolfe}) {
      SCOPED_TRACE(data.name);
      Options options = of(data, 200);
      options.search.method = method;
      options.search.max_seconds = 1e-9;
      const Result result = run(data.input, options);
      expect_consistent(result, 400);
      if (!warns_of(result, "quick grouping")) {
        continue;  // the similarities are given: the search itself was stopped
      }
      ++quick;
      for (const Restart& restart : result.restarts) {
        EXPECT_TRUE(restart.method != "annealing" && restart.method != "frank-wolfe");
      }
    }
  }
  EXPECT_GT(quick, 0);
}

// Many rows, and options for which their similarities take a while.
struct Slow {
  std::string name;
  Input input;
  Options options;
};

std::vector<Slow> slow_inputs() {
  Rng rng(8);
  constexpr std::size_t kRows = 3000;
  constexpr std::size_t kGroups = 4;
  std::vector<double> rows;
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < kRows; ++i) {
    for (std::uint32_t j = 0; j < kGroups; ++j) {
      const double value = (i % kGroups == j ? 10 : 0) + rng.uniform();
      rows.push_back(value);
      entries.push_back({i, j, value});
    }
  }
  Input dense;
  dense.values = DenseArray::own(rows, kRows, kGroups);
  Input sparse;
  sparse.values = sparse_from_entries(std::move(entries), kRows, kGroups);
  std::vector<Slow> all;
  for (const Similarity kind :
       {Similarity::neighbors, Similarity::linear, Similarity::cosine, Similarity::rbf}) {
    Options options = asking_for(kGroups);
    options.similarity.kind = kind;
    all.push_back({"dense", dense, options});
    if (kind != Similarity::rbf) {
      all.push_back({"sparse", sparse, options});
    }
  }
  return all;
}

TEST(run_stops, before_the_similarities_are_known_with_the_grouping_of_a_sample) {
  for (const Slow& slow : slow_inputs()) {
    SCOPED_TRACE(fmt::format("{}, similarity {}", slow.name,
                             static_cast<int>(slow.options.similarity.kind)));
    Options options = slow.options;
    options.search.max_seconds = 1e-9;
    options.links.must_link = {{0, 1, ObjectPair::kCertain}};
    options.links.cannot_link = {{4, 8, ObjectPair::kCertain}};
    const Result result = run(slow.input, options);
    EXPECT_EQ(result.stop_reason, StopReason::max_seconds);
    EXPECT_TRUE(warns_of(result, "rows were sampled"));
    EXPECT_TRUE(std::isnan(result.cost));
    ASSERT_EQ(result.labels.size(), slow.input.objects());
    EXPECT_LE(result.clusters_found, 4U);
    EXPECT_EQ(result.labels[0], result.labels[1]);
    EXPECT_NE(result.labels[4], result.labels[8]);
    if (options.similarity.kind != Similarity::linear) {  // which loses clusters by its nature
      std::size_t apart = 0;
      for (std::size_t i = 12; i + 4 < result.labels.size(); ++i) {
        apart += result.labels[i] != result.labels[i + 4] ? 1 : 0;
      }
      EXPECT_LE(apart, 30U) << "rows of one group are together";
    }
  }
}

// Another thread may change the numbers of an array that Python handed over.
TEST(run_stops, even_if_numbers_become_not_finite_while_it_runs) {
  for (const Slow& slow : slow_inputs()) {
    if (slow.name != "dense") {
      continue;
    }
    SCOPED_TRACE(static_cast<int>(slow.options.similarity.kind));
    const auto& given = std::get<DenseArray>(slow.input.values);
    std::vector<double> values(given.f64(), given.f64() + given.rows() * given.columns());
    Input input;
    input.values = DenseArray::borrow(values.data(), given.rows(), given.columns());
    Control control;
    control.progress = [&](const Progress&) {
      std::fill(values.begin(), values.end(), std::numeric_limits<double>::quiet_NaN());
    };
    Options options = slow.options;
    options.search.method = Method::local_search;
    try {
      const Result result = run(input, options, control);
      EXPECT_EQ(result.labels.size(), input.objects());
    } catch (const std::exception&) {  // as good
    }
  }
}

}  // namespace
}  // namespace shiftcut
