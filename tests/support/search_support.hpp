// What the tests of the searches share: problems with levels, and what must hold of every answer.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "search/search.hpp"
#include "support/plain.hpp"
#include "support/random_problems.hpp"

namespace shiftcut::search_testing {

using namespace testing_support;

using Clusters = std::optional<std::size_t>;

class NoLimit {
 public:
  StopCheck check{control_, Clock::now(), 0};

  // For searches that make streams of random numbers of their own.
  Context with(ThreadTeam& team) { return {rng_, team, check}; }

 private:
  Control control_;
  Rng rng_{0};
};

// Told to stop before it begins.
class Stopped {
  std::atomic<bool> flag_{true};
  Control control_{{}, &flag_};

 public:
  StopCheck check{control_, Clock::now(), 0};
};

inline double scale_of(const plain::Matrix& s) {
  return plain::largest_entry(s) * static_cast<double>(s.size());
}

inline NamedInput graph_of(std::vector<std::pair<ObjectId, ObjectId>> edges, std::size_t n,
                           double weight = 1) {
  std::vector<Entry> entries;
  for (const auto& [u, v] : edges) {
    entries.push_back({u, v, weight});
    entries.push_back({v, u, weight});
  }
  NamedInput data{"graph", {}, {}};
  data.input.values = sparse_from_entries(std::move(entries), n, n);
  data.input.shape = Shape::graph;
  return data;
}

/// `blocks` blocks of `size` nodes; a node has about `within` edges in its block, `between` to all.
inline NamedInput planted_graph(std::size_t blocks, std::size_t size, double within, double between,
                                Rng& rng) {
  const std::size_t n = blocks * size;
  std::vector<std::pair<ObjectId, ObjectId>> edges;
  const auto draw = [&](double degree, auto&& other) {
    const auto count = static_cast<std::size_t>(degree * static_cast<double>(n) / 2);
    for (std::size_t e = 0; e < count; ++e) {
      const ObjectId u = rng.below(static_cast<std::uint32_t>(n));
      const ObjectId v = other(u);
      if (u != v) {
        edges.emplace_back(std::min(u, v), std::max(u, v));
      }
    }
  };
  const auto width = static_cast<std::uint32_t>(size);
  draw(within, [&](ObjectId u) { return u / width * width + rng.below(width); });
  draw(between, [&](ObjectId) { return rng.below(static_cast<std::uint32_t>(n)); });
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return graph_of(std::move(edges), n);
}

/// One of every kind that has levels, whatever the weights.
inline std::vector<NamedInput> with_levels(std::size_t n, Rng& rng) {
  std::vector<NamedInput> all;
  for (NamedInput& data : one_of_each(n, 2, rng)) {
    if (data.name == "plain distances" || data.name == "rbf" || data.name == "matrix" ||
        data.input.shape == Shape::graph) {
      all.push_back(std::move(data));
    }
  }
  const std::size_t blocks = std::max<std::size_t>(1, n / 6);
  all.push_back(planted_graph(blocks, n / blocks, 4, 1, rng));
  all.push_back(graph_of({}, n));
  all.back().name = "graph without edges";
  return all;
}

/// some_shifts() and two matrices of shifts, full and sparse.
inline std::vector<ShiftOptions> all_shifts(std::size_t n, Rng& rng) {
  std::vector<ShiftOptions> shifts = some_shifts();
  shifts.push_back({ShiftKind::constant, 1, 3, {}});
  ShiftOptions full{ShiftKind::matrix, 0.7, 0, {}};
  full.matrix = std::get<DenseArray>(symmetric_matrix(n, rng).values);
  shifts.push_back(full);
  ShiftOptions sparse{ShiftKind::matrix, 1.5, 0, {}};
  sparse.matrix = std::get<SparseMatrix>(graph(n, 3, true, false, rng).values);
  shifts.push_back(sparse);
  return shifts;
}

/// The cost is that of the definition, no single move lowers it, there are at most K clusters.
inline void expect_local_optimum(const plain::Matrix& s, const std::vector<ClusterId>& labels,
                                 double cost, Clusters clusters, const std::string& name) {
  const std::size_t n = s.size();
  ASSERT_EQ(labels.size(), n) << name;
  for (const ClusterId k : labels) {
    ASSERT_LT(k, clusters.value_or(n + 1)) << name;
  }
  EXPECT_LE(plain::best_gain(s, labels, clusters), 1e-11 * scale_of(s)) << name;
  const double exact = plain::cost(s, labels);
  EXPECT_NEAR(cost, exact, 1e-9 * std::abs(exact) + 1e-12 * scale_of(s) * static_cast<double>(n))
      << name;
}

/// Which part each object is of: objects of a cluster that a path of positive weights within the
/// cluster joins. Parts are named by one of their objects.
inline std::vector<ObjectId> parts_of(const SparseMatrix& graph,
                                      const std::vector<ClusterId>& labels) {
  std::vector<ObjectId> part(graph.rows);
  std::iota(part.begin(), part.end(), ObjectId{0});
  const auto root = [&](ObjectId v) {
    while (part[v] != v) {
      v = part[v] = part[part[v]];
    }
    return v;
  };
  for (ObjectId i = 0; i < graph.rows; ++i) {
    for (auto e = static_cast<std::size_t>(graph.offsets[i]);
         e < static_cast<std::size_t>(graph.offsets[i + 1]); ++e) {
      if (labels[i] == labels[graph.columns[e]] && graph.values[e] > 0) {
        part[root(i)] = root(graph.columns[e]);
      }
    }
  }
  for (ObjectId i = 0; i < graph.rows; ++i) {
    part[i] = root(i);
  }
  return part;
}

inline std::size_t count_distinct(std::vector<ClusterId> labels) {
  std::sort(labels.begin(), labels.end());
  return static_cast<std::size_t>(std::unique(labels.begin(), labels.end()) - labels.begin());
}

/// The most that the cost would fall were a part (see parts_of) made a cluster of its own. O(n^2).
inline double best_parting(const plain::Matrix& s, const SparseMatrix& graph,
                           const std::vector<ClusterId>& labels) {
  const std::vector<ObjectId> part = parts_of(graph, labels);
  std::vector<double> between(s.size(), 0.0);
  for (std::size_t i = 0; i < s.size(); ++i) {
    for (std::size_t j = 0; j < s.size(); ++j) {
      between[part[i]] += labels[i] == labels[j] && part[i] != part[j] ? s[i][j] : 0.0;
    }
  }
  double lowest = 0;
  for (const double sum : between) {
    lowest = std::min(lowest, sum);
  }
  return -2 * lowest;
}

inline SearchOptions options_for(Method method, Clusters clusters, std::uint64_t seed = 0,
                                 int restarts = 10) {
  SearchOptions options;
  options.method = method;
  options.clusters = clusters;
  options.seed = seed;
  options.restarts = restarts;
  return options;
}

inline Solution found_by(const Problem& problem, const SearchOptions& options, ThreadTeam& team) {
  NoLimit limit;
  return search(problem, options, {}, limit.with(team));
}

}  // namespace shiftcut::search_testing
