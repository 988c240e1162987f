#include "shiftcut/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "core/rng.hpp"
#include "run/support.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace run_testing;
using testing_support::grouped_rows;
using testing_support::NamedInput;
using testing_support::one_of_each;

TEST(paper_preset, is_the_pipeline_of_the_paper) {
  const Options options = paper_preset();
  EXPECT_EQ(options.similarity.scale, Scale::standard);
  EXPECT_EQ(options.similarity.kind, Similarity::linear);
  EXPECT_EQ(options.similarity.distance, Distance::euclidean);
  EXPECT_EQ(options.shift.kind, ShiftKind::adaptive);
  EXPECT_EQ(options.shift.strength, 1);
  EXPECT_EQ(options.search.method, Method::local_search);
  EXPECT_EQ(options.search.restarts, 100);
  EXPECT_FALSE(options.search.clusters);
}

// Normal groups of these sizes, in two columns, seven deviations apart.
std::vector<double> normal_groups(const std::vector<std::size_t>& sizes, std::uint64_t seed) {
  Rng rng(seed);
  const auto normal = [&] {
    double sum = -6;
    for (int i = 0; i < 12; ++i) {
      sum += rng.uniform();
    }
    return sum;
  };
  std::vector<double> rows;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const double angle = 2 * static_cast<double>(k);
    for (std::size_t i = 0; i < sizes[k]; ++i) {
      const double far = k == 0 ? 0 : 7;
      rows.push_back(far * std::cos(angle) + normal());
      rows.push_back(far * std::sin(angle) + normal());
    }
  }
  return rows;
}

TEST(run, small_groups_beside_a_large_one_are_clusters) {
  for (const std::vector<std::size_t>& sizes :
       {std::vector<std::size_t>{800, 60}, std::vector<std::size_t>{700, 50, 40}}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const std::size_t n = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
      Input input;
      input.values = DenseArray::own(normal_groups(sizes, seed), n, 2);
      Options options;
      options.search.clusters = sizes.size();
      const Result result = run(input, options);
      ASSERT_EQ(result.clusters_found, sizes.size());
      for (std::size_t k = 0; k < sizes.size(); ++k) {
        EXPECT_NEAR(static_cast<double>(result.sizes[k]), static_cast<double>(sizes[k]), 4);
      }
    }
  }
}

TEST(run, finds_two_groups_however_they_are_handed_in) {
  const std::vector<double> rows = two_groups();
  const std::size_t n = 20;
  std::vector<double> distance(n * n);
  std::vector<double> similarity(n * n);
  std::vector<Entry> edges;
  std::vector<Entry> cells;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      distance[i * n + j] =
          std::hypot(rows[2 * i] - rows[2 * j], rows[2 * i + 1] - rows[2 * j + 1]);
      similarity[i * n + j] = 100 - distance[i * n + j];
      if (i != j && distance[i * n + j] < 10) {
        edges.push_back({i, j, 1});
      }
    }
    cells.push_back({i, i < 10 ? 0U : 1U, 1});
    cells.push_back({i, 2 + i % 4, 0.1});
  }
  std::vector<std::pair<std::string, Input>> inputs(6);
  inputs[0].first = "double features";
  inputs[0].second.values = DenseArray::own(rows, n, 2);
  inputs[1].first = "float features";
  inputs[1].second.values = DenseArray::own(std::vector<float>(rows.begin(), rows.end()), n, 2);
  inputs[2].first = "similarity";
  inputs[2].second.values = DenseArray::borrow(similarity.data(), n, n);
  inputs[2].second.shape = Shape::similarity;
  inputs[3].first = "distance";
  inputs[3].second.values = DenseArray::borrow(distance.data(), n, n);
  inputs[3].second.shape = Shape::distance;
  inputs[4].first = "graph";
  inputs[4].second.values = sparse_from_entries(edges, n, n);
  inputs[4].second.shape = Shape::graph;
  inputs[5].first = "sparse features";
  inputs[5].second.values = sparse_from_entries(cells, n, 6);
  for (const auto& [name, input] : inputs) {
    SCOPED_TRACE(name);
    const Result result = run(input, asking_for(2));
    expect_consistent(result, n);
    std::vector<std::int32_t> expected = ten_and_ten();
    if (name == "sparse features") {  // of as many rows, those of the smaller rows come first
      std::ranges::reverse(expected);
    }
    EXPECT_EQ(result.labels, expected);
    EXPECT_EQ(result.stop_reason, StopReason::converged);
    EXPECT_GE(result.restarts.size(), 1U);
    EXPECT_EQ(result.shift_kind, "adaptive");
    EXPECT_EQ(result.threads, 1);
    EXPECT_EQ(result.similarity, input.shape == Shape::features ? "linear" : "precomputed");
    EXPECT_FALSE(result.scores);
  }
}

TEST(run, takes_the_adaptive_shift_where_none_is_named_and_no_path_is_walked) {
  Input input;
  input.values = DenseArray::own(two_groups(), 20, 2);
  for (const Similarity kind : {Similarity::linear, Similarity::cosine, Similarity::rbf}) {
    Options usual = asking_for(2);
    usual.similarity.kind = kind;
    Options adaptive = usual;
    adaptive.shift.kind = ShiftKind::adaptive;
    const Result found = run(input, usual);
    EXPECT_EQ(found.labels, run(input, adaptive).labels);
    EXPECT_EQ(found.cost, run(input, adaptive).cost);
    EXPECT_EQ(found.clusters_found, 2);
  }
  input.values = sparse_from_entries({{0, 0, 1.0}, {1, 0, 2.0}, {2, 1, 1.0}, {3, 1, 3.0}}, 4, 2);
  EXPECT_EQ(run(input, asking_for(2)).labels, (std::vector<std::int32_t>{1, 1, 0, 0}));
}

TEST(run, tells_what_it_was_told) {
  Input input;
  input.values = DenseArray::own(two_groups(), 20, 2);
  Options options = asking_for(2);
  options.similarity.kind = Similarity::cosine;
  options.similarity.scale = Scale::minmax;
  options.shift = {ShiftKind::constant, 0.5, 0.25, {}};
  options.search.seed = 77;
  options.search.method = Method::local_search;
  options.search.restarts = 3;
  const Result result = run(input, options);
  EXPECT_EQ(result.similarity, "cosine");
  EXPECT_EQ(result.distance, "");
  EXPECT_EQ(result.scale, "minmax");
  EXPECT_EQ(result.shift_kind, "constant");
  EXPECT_EQ(result.shift_strength, 0.5);
  EXPECT_EQ(result.shift_constant, 0.25);
  EXPECT_EQ(result.seed, 77U);
  EXPECT_EQ(result.restarts.size(), 3U);
  EXPECT_EQ(result.clusters_asked, 2U);
}

TEST(run, follows_the_paper_preset) {
  Input input;
  input.values = DenseArray::own(two_groups(), 20, 2);
  Options options = paper_preset();
  options.search.clusters = 2;
  const Result result = run(input, options);
  expect_consistent(result, 20);
  EXPECT_EQ(result.labels, ten_and_ten());
  EXPECT_EQ(result.distance, "euclidean");
  EXPECT_EQ(result.scale, "standard");
  EXPECT_EQ(result.restarts.size(), 100U);
}

TEST(run, of_one_object_is_one_cluster) {
  Rng rng(2);
  for (const NamedInput& data : one_of_each(1, 2, rng)) {
    for (const bool free : {false, true}) {
      SCOPED_TRACE(data.name);
      Options options = of(data, 1);
      if (free) {
        options.search.clusters.reset();
      }
      const Result result = run(data.input, options);
      expect_consistent(result, 1);
      EXPECT_EQ(result.labels, std::vector<std::int32_t>{0});
    }
  }
}

TEST(run, gives_sizes_and_labels_that_fit_in_every_view) {
  Rng rng(3);
  for (const std::size_t n : {2U, 7U, 60U}) {
    for (const NamedInput& data : one_of_each(n, 3, rng)) {
      for (const std::size_t clusters : {std::size_t{0}, std::size_t{1}, std::size_t{2}, n}) {
        SCOPED_TRACE(data.name + ", K = " + std::to_string(clusters));
        Options options = of(data, clusters);
        if (clusters == 0) {
          options.search.clusters.reset();
        }
        options.search.restarts = 3;
        const Result result = run(data.input, options);
        expect_consistent(result, n);
        EXPECT_EQ(result.clusters_asked, options.search.clusters);
      }
    }
  }
}

TEST(run, scores_against_the_truth_where_there_is_one) {
  Input input;
  input.values = DenseArray::own(two_groups(), 20, 2);
  EXPECT_FALSE(run(input, asking_for(2)).scores);
  input.truth = ten_and_ten();
  for (std::int32_t& c : input.truth) {
    c = 1 - c;
  }
  const Result result = run(input, asking_for(2));
  ASSERT_TRUE(result.scores);
  EXPECT_NEAR(result.scores->ari, 1, 1e-12);
  EXPECT_NEAR(result.scores->ami, 1, 1e-12);
  EXPECT_EQ(run(input, asking_for(1)).scores->ari, 0);
}

TEST(run, calls_back_with_progress_and_never_from_two_threads_at_once) {
  Rng rng(8);
  for (const NamedInput& data : one_of_each(300, 3, rng)) {
    SCOPED_TRACE(data.name);
    std::atomic<int> inside{0};
    std::atomic<int> clashes{0};
    std::atomic<int> searching{0};
    Control control;
    control.progress = [&](const Progress& progress) {
      clashes += inside.fetch_add(1) == 0 ? 0 : 1;
      std::this_thread::yield();
      if (progress.phase == "search") {
        ++searching;
        clashes += progress.restart < 1 || progress.restart > progress.restarts ? 1 : 0;
      }
      inside.fetch_sub(1);
    };
    Options options = of(data, 4);
    options.search.threads = 4;
    options.search.restarts = 8;
    const Result result = run(data.input, options, control);
    EXPECT_EQ(clashes.load(), 0);
    EXPECT_GE(searching.load(), 1);
    options.search.threads = 1;
    EXPECT_EQ(run(data.input, options).labels, result.labels) << "being watched changes nothing";
  }
}

TEST(run, gives_the_same_labels_on_any_number_of_threads) {
  Rng rng(9);
  for (const std::size_t n : {40U, 400U}) {
    for (const NamedInput& data : one_of_each(n, 4, rng)) {
      for (const std::size_t clusters : {0U, 5U}) {
        Options options = of(data, clusters);
        if (clusters == 0) {
          options.search.clusters.reset();
        }
        options.search.restarts = 4;
        const Result expected = run(data.input, options);
        for (const int threads : {2, 7}) {
          options.search.threads = threads;
          const Result found = run(data.input, options);
          EXPECT_EQ(found.labels, expected.labels) << data.name << " on " << threads;
          EXPECT_EQ(found.cost, expected.cost) << data.name << " on " << threads;
          EXPECT_EQ(found.threads, threads);
        }
      }
    }
  }
}

TEST(run, gives_the_same_labels_for_the_same_seed) {
  Rng rng(10);
  Input input;
  input.values = DenseArray::own(grouped_rows(200, 3, 6, rng), 200, 3);
  Options options = asking_for(6);
  options.search.method = Method::local_search;
  options.search.restarts = 1;
  bool differed = false;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    options.search.seed = seed;
    const Result a = run(input, options);
    EXPECT_EQ(a.labels, run(input, options).labels);
    options.search.seed = seed + 100;
    const Result b = run(input, options);
    differed = differed || a.labels != b.labels || a.restarts[0].moves != b.restarts[0].moves;
  }
  EXPECT_TRUE(differed) << "other seeds go other ways";
}

TEST(run, costs_no_more_with_more_restarts) {
  Rng rng(11);
  Input input;
  input.values = DenseArray::own(grouped_rows(150, 8, 8, rng), 150, 8);
  Options options = asking_for(8);
  double last = std::numeric_limits<double>::infinity();
  for (const int restarts : {1, 2, 5, 20}) {
    options.search.restarts = restarts;
    const Result result = run(input, options);
    EXPECT_LE(result.cost, last + 1e-12 * std::abs(last));  // roundings
    last = result.cost;
  }
}

}  // namespace
}  // namespace shiftcut
