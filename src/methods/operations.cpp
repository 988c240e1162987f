#include "methods/operations.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "methods/rows.hpp"

namespace shiftcut::methods {

namespace {

// Calls `visit(row, column, value)` for the entries that are stored, until it returns true.
template <class Visit>
void until(const Similarities& similarities, const Visit& visit) {
  if (const auto* dense = std::get_if<DenseArray>(&similarities)) {
    for (std::size_t i = 0; i < dense->rows(); ++i) {
      for (std::size_t j = 0; j < dense->columns(); ++j) {
        if (visit(i, j, dense->f64()[i * dense->columns() + j])) {
          return;
        }
      }
    }
    return;
  }
  const auto& sparse = std::get<SparseMatrix>(similarities);
  for (std::size_t i = 0; i < sparse.rows; ++i) {
    for (auto e = static_cast<std::size_t>(sparse.offsets[i]);
         e < static_cast<std::size_t>(sparse.offsets[i + 1]); ++e) {
      if (visit(i, std::size_t{sparse.columns[e]}, sparse.values[e])) {
        return;
      }
    }
  }
}

}  // namespace

std::size_t objects(const Similarities& similarities) {
  const auto* dense = std::get_if<DenseArray>(&similarities);
  return dense != nullptr ? dense->rows() : std::get<SparseMatrix>(similarities).rows;
}

void check_similarities(const Similarities& similarities, std::string_view method) {
  const auto* dense = std::get_if<DenseArray>(&similarities);
  const std::size_t rows = objects(similarities);
  const std::size_t columns =
      dense != nullptr ? dense->columns() : std::get<SparseMatrix>(similarities).columns_count;
  if (rows != columns || rows == 0) {
    throw std::invalid_argument(
        fmt::format("{}: found {} x {} similarities; allowed: n x n, of one object or more", method,
                    rows, columns));
  }
  if (dense != nullptr && dense->is_float32()) {
    throw std::invalid_argument(
        fmt::format("{}: found float32 similarities; allowed: float64", method));
  }
  until(similarities, [&](std::size_t i, std::size_t j, double value) {
    if (!std::isfinite(value)) {
      throw std::invalid_argument(fmt::format(
          "{}: found {} as the similarity of objects {} and {}; allowed: finite numbers", method,
          value, i, j));
    }
    return false;
  });
}

void check_not_negative(const Similarities& similarities, std::string_view method) {
  until(similarities, [&](std::size_t i, std::size_t j, double value) {
    if (value < 0) {
      throw std::invalid_argument(
          fmt::format("{}: found the similarity {} of objects {} and {}; allowed: 0 or more",
                      method, value, i, j));
    }
    return false;
  });
}

std::vector<double> degrees(const Similarities& similarities, ThreadTeam& team) {
  const std::size_t n = objects(similarities);
  const std::vector<double> ones(n, 1.0);
  std::vector<double> sums(n);
  multiply(similarities, ones, sums, team);
  return sums;
}

void multiply(const Similarities& similarities, std::span<const double> in, std::span<double> out,
              ThreadTeam& team) {
  const std::size_t n = objects(similarities);
  if (const auto* dense = std::get_if<DenseArray>(&similarities)) {
    const double* values = dense->f64();
    for_rows(n, team, [&](std::size_t i) {
      double lanes[8] = {};  // independent sums, so that the loop need not wait for each addition
      const double* row = values + i * n;
      std::size_t j = 0;
      for (; j + 8 <= n; j += 8) {
        for (std::size_t lane = 0; lane < 8; ++lane) {
          lanes[lane] += row[j + lane] * in[j + lane];
        }
      }
      double sum = 0;
      for (; j < n; ++j) {
        sum += row[j] * in[j];
      }
      for (const double lane : lanes) {
        sum += lane;
      }
      out[i] = sum;
    });
    return;
  }
  const auto& sparse = std::get<SparseMatrix>(similarities);
  for_rows(n, team, [&](std::size_t i) {
    double sum = 0;
    for (auto e = static_cast<std::size_t>(sparse.offsets[i]);
         e < static_cast<std::size_t>(sparse.offsets[i + 1]); ++e) {
      sum += sparse.values[e] * in[sparse.columns[e]];
    }
    out[i] = sum;
  });
}

}  // namespace shiftcut::methods
