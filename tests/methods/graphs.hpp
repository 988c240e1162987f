// Small graphs with known results, random ones, and both forms of each.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/rng.hpp"
#include "methods/similarity_cases.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

inline DenseArray square(std::vector<double> values, std::size_t n) {
  return DenseArray::own(std::move(values), n, n);
}

/// Two triangles of weight 1, joined by an edge of weight 0.1 from 2 to 3.
inline DenseArray two_triangles() {
  std::vector<double> values(36);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      values[i * 6 + j] = i != j && i / 3 == j / 3 ? 1 : 0;
    }
  }
  values[2 * 6 + 3] = values[3 * 6 + 2] = 0.1;
  return square(std::move(values), 6);
}

/// Groups i % groups: weights about `inside` in them and `across` between, no diagonal.
inline DenseArray planted(std::size_t n, std::size_t groups, double inside, double across,
                          std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> values(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double about = i % groups == j % groups ? inside : across;
      values[i * n + j] = values[j * n + i] = about * (0.5 + rng.uniform());
    }
  }
  return square(std::move(values), n);
}

/// Whether two groupings are the same up to the numbering of the clusters.
inline bool same_groups(const Labels& a, const Labels& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if ((a[i] == a[j]) != (b[i] == b[j])) {
        return false;
      }
    }
  }
  return a.size() == b.size();
}

/// i % groups.
inline Labels planted_labels(std::size_t n, std::size_t groups) {
  Labels labels(n);
  for (std::size_t i = 0; i < n; ++i) {
    labels[i] = static_cast<std::int32_t>(i % groups);
  }
  return labels;
}

/// The message of the exception that `call` throws; "" if none.
template <class Call>
std::string complaint(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace shiftcut::methods
