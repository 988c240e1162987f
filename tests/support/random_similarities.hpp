// Small random similarities in both forms, and all groupings of a few objects.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/rng.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

/// Symmetric, entries in [low, low + 1), some of them 0; the diagonal too.
inline std::vector<double> random_symmetric(std::size_t n, double low, Rng& rng) {
  std::vector<double> values(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double value = rng.below(4) == 0 ? 0.0 : low + rng.uniform();
      values[i * n + j] = value;
      values[j * n + i] = value;
    }
  }
  return values;
}

inline Similarities dense(const std::vector<double>& values, std::size_t n) {
  return DenseArray::own(values, n, n);
}

inline Similarities graph(const std::vector<double>& values, std::size_t n) {
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      if (values[i * n + j] != 0) {
        entries.push_back({i, j, values[i * n + j]});
      }
    }
  }
  return sparse_from_entries(std::move(entries), n, n);
}

/// Calls visit(labels, K) for every grouping of n objects once, clusters numbered by their first
/// object (restricted growth strings).
inline void for_each_grouping(std::size_t n,
                              const std::function<void(const Labels&, std::int32_t)>& visit) {
  Labels labels(n);
  const std::function<void(std::size_t, std::int32_t)> place = [&](std::size_t i, std::int32_t k) {
    if (i == n) {
      visit(labels, k);
      return;
    }
    for (std::int32_t label = 0; label <= k; ++label) {
      labels[i] = label;
      place(i + 1, label == k ? k + 1 : k);
    }
  };
  place(0, 0);
}

}  // namespace shiftcut::methods
