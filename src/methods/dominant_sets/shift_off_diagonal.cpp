#include "methods/dominant_sets/shift_off_diagonal.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

namespace shiftcut::methods {

namespace {

double least_dense(const DenseArray& dense) {
  const std::size_t n = dense.rows();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    const double* row = dense.f64() + i * n;
    for (std::size_t j = 0; j < n; ++j) {
      least = j == i ? least : std::min(least, row[j]);
    }
  }
  return least;
}

// 0 where two objects share no edge.
double least_of_graph(const SparseMatrix& graph) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < graph.rows; ++i) {
    std::size_t neighbors = 0;
    for (auto e = static_cast<std::size_t>(graph.offsets[i]);
         e < static_cast<std::size_t>(graph.offsets[i + 1]); ++e) {
      if (graph.columns[e] != i) {
        least = std::min(least, graph.values[e]);
        ++neighbors;
      }
    }
    if (neighbors + 1 < graph.rows) {
      return 0;
    }
  }
  return least;
}

double least_similarity(const Similarities& similarities) {
  if (objects(similarities) < 2) {
    return 0;
  }
  const auto* dense = std::get_if<DenseArray>(&similarities);
  return dense != nullptr ? least_dense(*dense)
                          : least_of_graph(std::get<SparseMatrix>(similarities));
}

}  // namespace

double shift_off_diagonal(const Similarities& similarities, std::optional<double> wanted,
                          std::string_view method) {
  if (wanted && *wanted == 0) {
    return 0;
  }
  const double least = least_similarity(similarities);
  if (wanted && !(*wanted >= 0 && *wanted <= least)) {
    throw std::invalid_argument(fmt::format(
        "{}: found the shift {}; allowed: 0 to the least similarity, {}", method, *wanted, least));
  }
  return wanted.value_or(least);
}

}  // namespace shiftcut::methods
