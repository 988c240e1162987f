// What the methods do with similarities: check them, go through their rows, multiply, take a part,
// find connected components; and what they do with labels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

/// Throws std::invalid_argument, naming the method, unless there are objects and the similarities
/// are square, of double, and finite.
void check_similarities(const Similarities& similarities, std::string_view method);

/// Throws std::invalid_argument, naming the method and the first such pair, if one is negative.
void check_not_negative(const Similarities& similarities, std::string_view method);

/// Throws Interrupted if the caller asked to stop.
void stop_if_asked(const Control& control);

/// Calls `row(i)` for all i < n, on all threads.
template <class Row>
void for_rows(std::size_t n, ThreadTeam& team, const Row& row) {
  constexpr std::size_t kRows = 64;  // per task: hundreds of tasks for matrices worth sharing out
  team.for_each((n + kRows - 1) / kRows, [&](std::size_t task, int) {
    for (std::size_t i = task * kRows; i < std::min(n, (task + 1) * kRows); ++i) {
      row(i);
    }
  });
}

/// Calls `visit(column, value)` for the stored entries of row i, in ascending order of columns.
template <class Visit>
void for_row(const Similarities& similarities, std::size_t i, const Visit& visit) {
  if (const auto* dense = std::get_if<DenseArray>(&similarities)) {
    const std::size_t n = dense->columns();
    const double* row = dense->f64() + i * n;
    for (std::size_t j = 0; j < n; ++j) {
      visit(j, row[j]);
    }
    return;
  }
  const auto& sparse = std::get<SparseMatrix>(similarities);
  for (auto e = static_cast<std::size_t>(sparse.offsets[i]);
       e < static_cast<std::size_t>(sparse.offsets[i + 1]); ++e) {
    visit(std::size_t{sparse.columns[e]}, sparse.values[e]);
  }
}

/// Row sums.
std::vector<double> degrees(const Similarities& similarities, ThreadTeam& team);

/// out = X in; both have n entries. The same for any number of threads.
void multiply(const Similarities& similarities, std::span<const double> in, std::span<double> out,
              ThreadTeam& team);

/// A copy of the similarities among `members`, which are ascending and distinct. A dense matrix of
/// all objects is not copied.
Similarities submatrix(const Similarities& similarities, std::span<const ObjectId> members,
                       ThreadTeam& team);

/// The connected components of the graph of positive similarities.
struct Components {
  std::vector<std::size_t> of;  // 0 .. count-1, in the order of their first objects
  std::size_t count = 0;
};

Components components(const Similarities& similarities);

/// Labels that a user passes in. Throws std::invalid_argument unless there is one label per object,
/// each in 0 .. n-1.
std::vector<ClusterId> cluster_ids(std::span<const std::int32_t> labels, std::size_t n);

/// Renumbers clusters in the order of their first objects. Negative labels stay as they are.
void number_by_first_object(Labels& labels);

}  // namespace shiftcut::methods
