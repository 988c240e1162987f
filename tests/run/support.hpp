// What the tests of a whole run share: options, two plain groups, and what must hold of every
// result.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "shiftcut/run.hpp"
#include "support/random_problems.hpp"

namespace shiftcut::run_testing {

using testing_support::NamedInput;

inline Options asking_for(std::size_t clusters) {
  Options options;
  options.similarity.kind = Similarity::linear;
  options.search.clusters = clusters;
  options.search.threads = 1;
  return options;
}

inline Options of(const NamedInput& data, std::size_t clusters) {
  Options options = asking_for(clusters);
  options.similarity = data.similarity;
  return options;
}

// Two groups far apart, ten objects each, in two columns.
inline std::vector<double> two_groups() {
  std::vector<double> rows;
  for (int i = 0; i < 20; ++i) {
    const double far = i < 10 ? 0 : 50;
    rows.insert(rows.end(), {far + 0.1 * i, far - 0.2 * (i % 3)});
  }
  return rows;
}

inline std::vector<std::int32_t> ten_and_ten() {
  std::vector<std::int32_t> labels(20, 0);
  std::fill(labels.begin() + 10, labels.end(), 1);
  return labels;
}

inline bool warns_of(const Result& result, const std::string& words) {
  return std::any_of(result.warnings.begin(), result.warnings.end(),
                     [&](const Message& w) { return render(w).find(words) != std::string::npos; });
}

inline void expect_consistent(const Result& result, std::size_t n) {
  EXPECT_EQ(result.objects, n);
  ASSERT_EQ(result.labels.size(), n);
  ASSERT_EQ(result.sizes.size(), result.clusters_found);
  std::vector<std::size_t> sizes(result.clusters_found, 0);
  for (const std::int32_t label : result.labels) {
    ASSERT_GE(label, 0);
    ASSERT_LT(static_cast<std::size_t>(label), sizes.size());
    ++sizes[static_cast<std::size_t>(label)];
  }
  EXPECT_EQ(sizes, result.sizes);
  EXPECT_TRUE(std::is_sorted(sizes.rbegin(), sizes.rend()));
  EXPECT_GT(sizes.back(), 0U);
  if (result.clusters_asked) {
    EXPECT_LE(result.clusters_found, *result.clusters_asked);
  }
  EXPECT_TRUE(std::isfinite(result.cost));
  ASSERT_FALSE(result.restarts.empty());
  double lowest = result.restarts[0].cost;
  for (const Restart& restart : result.restarts) {
    EXPECT_GE(restart.sweeps, 0);
    EXPECT_FALSE(restart.method.empty());
    EXPECT_GE(restart.seconds, 0);
    lowest = std::min(lowest, restart.cost);
  }
  EXPECT_EQ(result.cost, lowest);
  EXPECT_GE(result.seconds.total, result.seconds.search);
}

}  // namespace shiftcut::run_testing
