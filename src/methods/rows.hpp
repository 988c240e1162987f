// Going through the rows of similarities.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/thread_team.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

/// Calls `row(i)` for all i < n, on all threads.
template <class Row>
void for_rows(std::size_t n, ThreadTeam& team, const Row& row) {
  constexpr std::size_t kRows = 64;  // a task
  team.for_each((n + kRows - 1) / kRows, [&](std::size_t task, int) {
    for (std::size_t i = task * kRows; i < std::min(n, (task + 1) * kRows); ++i) {
      row(i);
    }
  });
}

/// Calls `visit(column, value)` for what row i stores, in ascending order of the columns.
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

}  // namespace shiftcut::methods
