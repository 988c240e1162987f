// One way through a matrix that is dense or sparse.
#pragma once

#include <cstddef>
#include <variant>

#include "shiftcut/data.hpp"

namespace shiftcut {

/// Calls visit(i, j, weight) for every entry that is there, row by row.
template <class Visit>
void for_each_weight(const DenseArray& weights, const Visit& visit) {
  for (std::size_t i = 0; i < weights.rows(); ++i) {
    for (std::size_t j = 0; j < weights.columns(); ++j) {
      visit(i, j, weights.at(i, j));
    }
  }
}

template <class Visit>
void for_each_weight(const SparseMatrix& weights, const Visit& visit) {
  for (std::size_t i = 0; i < weights.rows; ++i) {
    for (auto e = static_cast<std::size_t>(weights.offsets[i]);
         e < static_cast<std::size_t>(weights.offsets[i + 1]); ++e) {
      visit(i, std::size_t{weights.columns[e]}, weights.values[e]);
    }
  }
}

template <class Visit>
void for_each_weight(const std::variant<DenseArray, SparseMatrix>& weights, const Visit& visit) {
  std::visit([&](const auto& w) { for_each_weight(w, visit); }, weights);
}

}  // namespace shiftcut
