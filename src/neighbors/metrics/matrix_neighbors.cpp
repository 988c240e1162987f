#include "neighbors/metrics/matrix_neighbors.hpp"

#include <algorithm>

#include "neighbors/list_writer.hpp"
#include "neighbors/tuning.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

struct Other {
  double distance;  // or the similarity, negated
  ObjectId steps;   // which breaks ties
  ObjectId object;
};

bool is_nearer(const Other& a, const Other& b) {
  return a.distance != b.distance ? a.distance < b.distance : a.steps < b.steps;
}

// Moves those at distance 0 beyond the first `most` behind the others; how many come before them.
std::size_t limit_copies(std::vector<Other>& others, std::size_t k, std::size_t most) {
  const auto is_copy = [](const Other& other) { return other.distance == 0; };
  const auto copies = static_cast<std::size_t>(std::ranges::count_if(others, is_copy));
  if (copies <= most || others.size() <= k) {
    return others.size();
  }
  std::ranges::partition(others, is_copy);
  const auto end = others.begin() + static_cast<std::ptrdiff_t>(copies);
  // As many of the copies as the others can replace.
  const std::size_t left_out = std::min(copies - most, others.size() - k);
  const auto kept = end - static_cast<std::ptrdiff_t>(left_out);
  std::nth_element(others.begin(), kept, end, is_nearer);
  std::rotate(kept, end, others.end());
  return others.size() - left_out;
}

// The list of one row, from the first `count` of the others.
void write_list(std::size_t row, std::vector<Other>& others, std::size_t count, bool are_distances,
                NeighborLists& lists) {
  const std::size_t k = std::min(lists.k, count);
  std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(k),
                    others.begin() + static_cast<std::ptrdiff_t>(count), is_nearer);
  const double nearest = k > 0 ? others.front().distance : 0;
  for (std::size_t e = 0; e < k; ++e) {
    const double distance = are_distances ? others[e].distance : others[e].distance - nearest;
    lists.ids[row * lists.k + e] = others[e].object;
    lists.squared[row * lists.k + e] = distance * distance;
  }
}

}  // namespace

NeighborLists matrix_neighbors(const DenseArray& matrix, bool are_distances, std::size_t k,
                               ThreadTeam& team) {
  const std::size_t n = matrix.rows();
  NeighborLists lists(n, std::min(k, n - 1));
  for_each_row_chunk(n, kMatrixRowsPerTask, team, [&](std::size_t begin, std::size_t end, int) {
    std::vector<Other> others;
    for (std::size_t i = begin; i < end; ++i) {
      others.clear();
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) {
          const double value = matrix.at(i, j);
          const auto other = static_cast<ObjectId>(j);
          others.push_back({are_distances ? value : -value, steps_from(i, other, n), other});
        }
      }
      const std::size_t count =
          are_distances ? limit_copies(others, lists.k, most_copies(lists.k)) : others.size();
      write_list(i, others, count, are_distances, lists);
    }
  });
  return lists;
}

NeighborLists nearest_in_rows(const DenseArray& matrix, bool are_distances, std::size_t k,
                              ThreadTeam& team) {
  const std::size_t n = matrix.columns();
  NeighborLists lists(matrix.rows(), std::min(k, n));
  for_each_row_chunk(matrix.rows(), kMatrixRowsPerTask, team,
                     [&](std::size_t begin, std::size_t end, int) {
                       std::vector<Other> others(n);
                       for (std::size_t i = begin; i < end; ++i) {
                         for (std::size_t j = 0; j < n; ++j) {
                           const double value = matrix.at(i, j);
                           const auto other = static_cast<ObjectId>(j);
                           others[j] = {are_distances ? value : -value, other, other};
                         }
                         write_list(i, others, n, are_distances, lists);
                       }
                     });
  return lists;
}

}  // namespace shiftcut
