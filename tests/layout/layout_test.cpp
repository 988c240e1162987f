#include "shiftcut/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "shiftcut/run.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace testing_support;

Options of(const NamedInput& data) {
  Options options;
  options.similarity = data.similarity;
  options.search.threads = 1;
  options.search.clusters = 3;
  return options;
}

Layout layout_of(const Input& input, const Options& options) {
  std::shared_ptr<const NeighborTable> neighbors;
  const Result result = run(input, options, {}, &neighbors);
  return layout(input, options, result, neighbors.get());
}

double distance(const Place& a, const Place& b) { return std::hypot(a.x - b.x, a.y - b.y); }

void expect_equal(const Layout& a, const Layout& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_TRUE(a[i].x == b[i].x && a[i].y == b[i].y) << "object " << i;
  }
}

void expect_finite(const Layout& places) {
  for (const Place& place : places) {
    ASSERT_TRUE(std::isfinite(place.x) && std::isfinite(place.y));
  }
}

// Venna, Kaski 2001, from the definition: 1 less what intruders among the k nearest of the picture
// weigh, by their rank in the data.
double trustworthiness(const std::vector<double>& rows, std::size_t d, const Layout& places,
                       std::size_t k) {
  const std::size_t n = places.size();
  double penalty = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto by = [&](const auto& far) {
      std::vector<std::size_t> order;
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) {
          order.push_back(j);
        }
      }
      std::ranges::stable_sort(order, {}, far);
      return order;
    };
    const auto in_data = by([&](std::size_t j) {
      double squared = 0;
      for (std::size_t c = 0; c < d; ++c) {
        squared += std::pow(rows[i * d + c] - rows[j * d + c], 2);
      }
      return squared;
    });
    const auto in_picture = by([&](std::size_t j) { return distance(places[i], places[j]); });
    for (std::size_t r = 0; r < k; ++r) {
      const auto rank = std::ranges::find(in_data, in_picture[r]) - in_data.begin();
      penalty += std::max<double>(0, static_cast<double>(rank + 1) - static_cast<double>(k));
    }
  }
  const auto size = static_cast<double>(n);
  const auto near = static_cast<double>(k);
  return 1 - 2 * penalty / (size * near * (2 * size - 3 * near - 1));
}

TEST(layout, is_the_same_on_any_number_of_threads) {
  Rng rng(1);
  for (const NamedInput& data : one_of_each(300, 6, rng)) {
    Options options = of(data);
    const Layout one = layout_of(data.input, options);
    expect_finite(one);
    for (const int threads : {2, 5}) {
      options.search.threads = threads;
      expect_equal(one, layout_of(data.input, options));
    }
  }
}

TEST(layout, needs_no_neighbors_of_the_run) {
  Rng rng(2);
  for (const NamedInput& data : one_of_each(60, 5, rng)) {
    const Options options = of(data);
    const Result result = run(data.input, options);
    expect_equal(layout(data.input, options, result), layout_of(data.input, options));
  }
}

TEST(layout, differs_from_seed_to_seed_and_not_otherwise) {
  Rng rng(3);
  const Input input = features(grouped_rows(100, 5, 3, rng), 100, 5);
  Options options;
  const Layout one = layout_of(input, options);
  expect_equal(one, layout_of(input, options));
  options.search.seed = 1;
  EXPECT_GT(distance(one[0], layout_of(input, options)[0]), 0);
}

TEST(layout, keeps_neighbors_together) {
  Rng rng(4);
  const std::size_t n = 400;
  const std::size_t d = 10;
  const std::vector<double> rows = grouped_rows(n, d, 8, rng);
  const Input input = features(rows, n, d);
  Options options;
  options.similarity.scale = Scale::none;
  options.similarity.kind = Similarity::neighbors;
  const double of_neighbors = trustworthiness(rows, d, layout_of(input, options), 10);
  options.similarity.kind = Similarity::linear;
  const double of_components = trustworthiness(rows, d, layout_of(input, options), 10);
  EXPECT_GT(of_neighbors, 0.95);
  EXPECT_GT(of_neighbors, of_components + 0.02);
}

TEST(layout, keeps_the_order_along_a_ring) {
  const std::size_t n = 500;
  std::vector<double> rows;
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = 2 * 3.14159265358979 * static_cast<double>(i) / static_cast<double>(n);
    rows.insert(rows.end(), {std::cos(angle), std::sin(angle), std::sin(2 * angle)});
  }
  Options options;
  const Layout places = layout_of(features(rows, n, 3), options);
  std::vector<double> gaps;
  for (std::size_t i = 0; i < n; ++i) {
    gaps.push_back(distance(places[i], places[(i + 1) % n]));
  }
  std::ranges::sort(gaps);
  double across = 0;
  for (std::size_t i = 0; i < n; ++i) {
    across = std::max(across, distance(places[0], places[i]));
  }
  EXPECT_LT(gaps[n - 2], 0.25 * across);  // whole but for one place
}

TEST(layout, of_one_or_two_columns_is_the_data) {
  Rng rng(5);
  const std::vector<double> rows = grouped_rows(50, 2, 2, rng);
  Options options;
  options.similarity.scale = Scale::none;
  const Layout places = layout_of(features(rows, 50, 2), options);
  const Layout line = layout_of(features(rows, 100, 1), options);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(places[i].x, rows[2 * i]);
    EXPECT_EQ(places[i].y, rows[2 * i + 1]);
    EXPECT_EQ(line[2 * i].x, rows[2 * i]);
    EXPECT_EQ(line[i].y, 0);
  }
}

TEST(layout, of_few_objects_is_finite) {
  Rng rng(6);
  for (std::size_t n = 1; n <= 5; ++n) {
    for (const NamedInput& data : one_of_each(n, 4, rng)) {
      Options options = of(data);
      options.search.clusters.reset();
      const Layout places = layout_of(data.input, options);
      EXPECT_EQ(places.size(), n);
      expect_finite(places);
    }
  }
}

TEST(layout, puts_equal_rows_at_one_place_and_others_elsewhere) {
  Rng rng(7);
  std::vector<double> rows = grouped_rows(60, 4, 3, rng);
  std::copy_n(rows.begin(), 40, rows.begin() + 40);  // rows 10 to 19 are rows 0 to 9
  const Layout places = layout_of(features(rows, 60, 4), {});
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(distance(places[i], places[i + 10]), 0);
  }
  EXPECT_GT(distance(places[0], places[1]), 0);
  expect_finite(layout_of(features(std::vector<double>(80, 1.5), 20, 4), {}));
}

TEST(layout, has_a_place_for_rows_of_weight_0) {
  Rng rng(8);
  Input input = features(grouped_rows(60, 4, 3, rng), 60, 4);
  input.weights.assign(60, 1);
  input.weights[7] = input.weights[8] = 0;
  for (const Similarity kind : {Similarity::neighbors, Similarity::linear}) {
    Options options;
    options.similarity.kind = kind;
    const Layout places = layout_of(input, options);
    expect_finite(places);
    EXPECT_GT(distance(places[7], places[8]), 0);
  }
}

// Two rings of nodes, one with a chord, and two nodes alone.
TEST(layout, keeps_components_apart) {
  std::vector<Entry> entries;
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    entries.push_back({a, b, 1});
    entries.push_back({b, a, 1});
  };
  for (std::uint32_t i = 0; i < 30; ++i) {
    join(i, (i + 1) % 30);
    join(30 + i, 30 + (i + 1) % 30);
  }
  Input input;
  input.values = sparse_from_entries(std::move(entries), 62, 62);
  input.shape = Shape::graph;
  const Layout places = layout_of(input, {});
  expect_finite(places);
  double joined = 0;
  double apart = 1e300;
  for (std::size_t i = 0; i < 62; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double far = distance(places[i], places[j]);
      if (i / 30 != j / 30 || i >= 60) {
        apart = std::min(apart, far);
      } else if (i - j == 1) {
        joined = std::max(joined, far);
      }
    }
  }
  EXPECT_GT(apart, 0.3);
  EXPECT_LT(joined, 10);
}

TEST(layout, ignores_edges_that_say_apart) {
  Rng rng(9);
  Input input = graph(40, 6, true, false, rng);
  expect_finite(layout_of(input, {}));
  std::get<SparseMatrix>(input.values)
      .values.assign(std::get<SparseMatrix>(input.values).values.size(), -1.0);
  expect_finite(layout_of(input, {}));
}

TEST(layout, stops_when_asked_to) {
  Rng rng(10);
  const Input input = features(grouped_rows(3000, 4, 3, rng), 3000, 4);
  const Options options;
  const Result result = run(input, options);
  std::atomic<bool> stop{true};
  EXPECT_THROW(layout(input, options, result, nullptr, {nullptr, &stop}), Interrupted);
}

TEST(layout, refuses_a_result_of_other_data) {
  Rng rng(11);
  const Input input = features(grouped_rows(30, 4, 3, rng), 30, 4);
  const Result result = run(input, {});
  EXPECT_THROW(layout(features(grouped_rows(31, 4, 3, rng), 31, 4), {}, result),
               std::invalid_argument);
}

}  // namespace
}  // namespace shiftcut
