// Rows to search among, and the search as the definition has it.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "core/kernels/kernels.hpp"
#include "neighbors/list_writer.hpp"
#include "neighbors/nearest_neighbors.hpp"
#include "support/random_problems.hpp"

namespace shiftcut::neighbors_testing {

inline FeatureRows rows_of(const std::vector<double>& values, std::size_t n, std::size_t d,
                           Scale scale = Scale::none) {
  ThreadTeam team(1);
  const DenseArray data = DenseArray::own(values, n, d);
  return FeatureRows::scaled(data, scaling_of(data, scale, "x", team));
}

/// All distances in double precision, sorted; of equal ones the next object after i first; of equal
/// rows no more than most_copies(), unless there is nobody else.
inline NeighborLists plain_neighbors(const FeatureRows& rows, std::size_t k) {
  const std::size_t n = rows.size();
  const std::size_t d = rows.length();
  std::vector<double> all(n * d);
  for (std::size_t i = 0; i < n; ++i) {
    rows.row(i, &all[i * d]);
  }
  NeighborLists lists(n, std::min(k, n - 1));
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::pair<double, ObjectId>> others;
    for (std::size_t step = 1; step < n; ++step) {
      const std::size_t j = (i + step) % n;
      others.emplace_back(squared_distance(&all[i * d], &all[j * d], d),
                          static_cast<ObjectId>(step));
    }
    std::sort(others.begin(), others.end());
    std::map<std::vector<double>, std::size_t> copies;
    std::vector<std::pair<double, ObjectId>> list;
    std::vector<std::pair<double, ObjectId>> spare;
    for (const auto& other : others) {
      const std::size_t j = (i + other.second) % n;
      const std::vector<double> row(&all[j * d], &all[j * d] + d);
      (copies[row]++ < most_copies(lists.k) ? list : spare).push_back(other);
    }
    list.insert(list.end(), spare.begin(), spare.end());
    std::sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(lists.k));
    for (std::size_t e = 0; e < lists.k; ++e) {
      lists.squared[i * lists.k + e] = list[e].first;
      lists.ids[i * lists.k + e] = static_cast<ObjectId>((i + list[e].second) % n);
    }
  }
  return lists;
}

/// The part of the true neighbours that was found.
inline double recall(const NeighborLists& found, const NeighborLists& exact) {
  std::size_t hits = 0;
  for (std::size_t i = 0; i < exact.n; ++i) {
    const auto own = found.of(i);
    for (const ObjectId j : exact.of(i)) {
      hits += std::find(own.begin(), own.end(), j) != own.end() ? 1 : 0;
    }
  }
  return static_cast<double>(hits) / static_cast<double>(exact.ids.size());
}

}  // namespace shiftcut::neighbors_testing
