// Similarities for the tests of methods, and brute force for small ones.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/rng.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut::methods {

template <class Entry>
DenseArray symmetric(std::size_t n, const Entry& entry) {
  std::vector<double> values(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      values[i * n + j] = entry(i, j);
      values[j * n + i] = values[i * n + j];
    }
  }
  return DenseArray::own(std::move(values), n, n);
}

/// 1 within {0,1,2}, 0.5 for (3,4), 0.1 across.
inline DenseArray worked_matrix() {
  return symmetric(5, [](std::size_t i, std::size_t j) { return i < 3 ? 1.0 : j < 3 ? 0.1 : 0.5; });
}

/// Uniform in (0, 1], each with this chance, else 0.
inline DenseArray random_similarities(std::size_t n, std::uint64_t seed, double chance) {
  Rng rng(seed, n);
  return symmetric(n, [&](std::size_t, std::size_t) {
    return rng.uniform() < chance ? 1 - rng.uniform() : 0.0;
  });
}

/// About 0.9 within blocks of these sizes, more in later ones, about 0.1 across.
inline DenseArray blocks(const std::vector<std::size_t>& sizes, std::uint64_t seed) {
  std::vector<std::size_t> block;
  for (std::size_t b = 0; b < sizes.size(); ++b) {
    block.insert(block.end(), sizes[b], b);
  }
  Rng rng(seed, 0);
  return symmetric(block.size(), [&](std::size_t i, std::size_t j) {
    const double noise = 0.02 * rng.uniform();
    return block[i] == block[j] ? 0.85 + 0.03 * static_cast<double>(block[i]) + noise : 0.1 + noise;
  });
}

inline DenseArray equal_cliques(std::size_t groups, std::size_t size) {
  return symmetric(groups * size,
                   [&](std::size_t i, std::size_t j) { return i / size == j / size ? 1.0 : 0.0; });
}

inline constexpr std::size_t kKinds = 5;

/// Dense, sparse, blobs under an rbf, blocks, and points with duplicates.
inline DenseArray similarities_of_kind(std::size_t kind, std::size_t n, std::uint64_t seed) {
  if (kind < 2) {
    return random_similarities(n, seed, kind == 0 ? 1.0 : 0.3);
  }
  if (kind == 3) {
    return blocks({n / 2, n / 3, n - n / 2 - n / 3}, seed);
  }
  Rng rng(seed, n);
  std::vector<double> points(3 * n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool again = kind == 4 && i > 0 && rng.uniform() < 0.4;
    const auto of = again ? static_cast<std::size_t>(rng.uniform() * static_cast<double>(i)) : i;
    for (std::size_t c = 0; c < 3; ++c) {
      const double centre = c == i % 3 ? 2.0 : 0.0;
      const double noise = rng.uniform() + rng.uniform() + rng.uniform() - 1.5;
      points[3 * i + c] = again ? points[3 * of + c] : centre + noise;
    }
  }
  return symmetric(n, [&](std::size_t i, std::size_t j) {
    double squares = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      squares += std::pow(points[3 * i + c] - points[3 * j + c], 2);
    }
    return std::exp(-squares);
  });
}

inline DenseArray raised(const DenseArray& a, double by) {
  return symmetric(a.rows(), [&](std::size_t i, std::size_t j) { return a.at(i, j) + by; });
}

inline DenseArray scaled(const DenseArray& a, double by) {
  return symmetric(a.rows(), [&](std::size_t i, std::size_t j) { return a.at(i, j) * by; });
}

inline DenseArray with_diagonal(const DenseArray& a, double diagonal) {
  std::vector<double> values(a.f64(), a.f64() + a.rows() * a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    values[i * a.rows() + i] = diagonal;
  }
  return DenseArray::own(std::move(values), a.rows(), a.rows());
}

inline SparseMatrix as_graph(const DenseArray& dense) {
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < dense.rows(); ++i) {
    for (std::uint32_t j = 0; j < dense.rows(); ++j) {
      if (dense.at(i, j) != 0) {
        entries.push_back({i, j, dense.at(i, j)});
      }
    }
  }
  return sparse_from_entries(std::move(entries), dense.rows(), dense.rows());
}

/// x > 0 on the support with all payoffs there equal, by Gauss-Jordan elimination of A_S x = 1.
inline std::optional<std::vector<double>> stationary_point(
    const DenseArray& a, const std::vector<std::uint32_t>& support) {
  const std::size_t m = support.size();
  std::vector<std::vector<double>> rows(m, std::vector<double>(m + 1, 1.0));
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      rows[i][j] = a.at(support[i], support[j]);
    }
  }
  for (std::size_t c = 0; c < m; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < m; ++r) {
      pivot = std::abs(rows[r][c]) > std::abs(rows[pivot][c]) ? r : pivot;
    }
    std::swap(rows[c], rows[pivot]);
    if (std::abs(rows[c][c]) < 1e-12) {
      return std::nullopt;
    }
    for (std::size_t r = 0; r < m; ++r) {
      const double factor = r == c ? 0 : rows[r][c] / rows[c][c];
      for (std::size_t k = c; k <= m; ++k) {
        rows[r][k] -= factor * rows[c][k];
      }
    }
  }
  std::vector<double> x(m);
  double sum = 0;
  for (std::size_t i = 0; i < m; ++i) {
    x[i] = rows[i][m] / rows[i][i];
    sum += x[i];
  }
  for (double& entry : x) {
    entry /= sum;
    if (!(entry > 0)) {
      return std::nullopt;
    }
  }
  return x;
}

/// No object outside does as well, and A is negative definite on the support's directions of sum 0:
/// the e_i - e_0, whose negated matrix has a Cholesky factor.
inline bool is_strict_maximum(const DenseArray& a, const std::vector<std::uint32_t>& support,
                              const std::vector<double>& x) {
  const std::size_t m = support.size();
  const auto payoff = [&](std::size_t i) {
    double sum = 0;
    for (std::size_t k = 0; k < m; ++k) {
      sum += a.at(i, support[k]) * x[k];
    }
    return sum;
  };
  const double f = payoff(support[0]);
  for (std::size_t i = 0, next = 0; i < a.rows(); ++i) {
    if (next < m && support[next] == i) {
      ++next;
    } else if (payoff(i) >= f) {
      return false;
    }
  }
  std::vector<std::vector<double>> factor(m, std::vector<double>(m, 0.0));
  for (std::size_t i = 1; i < m; ++i) {
    for (std::size_t j = 1; j <= i; ++j) {
      double sum = a.at(support[i], support[0]) + a.at(support[0], support[j]) -
                   a.at(support[i], support[j]) - a.at(support[0], support[0]);
      for (std::size_t k = 1; k < j; ++k) {
        sum -= factor[i][k] * factor[j][k];
      }
      if (i == j && sum <= 0) {
        return false;
      }
      factor[i][j] = i == j ? std::sqrt(sum) : sum / factor[j][j];
    }
  }
  return true;
}

}  // namespace shiftcut::methods
