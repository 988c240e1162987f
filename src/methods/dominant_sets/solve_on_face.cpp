#include "methods/dominant_sets/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/kernels/kernels.hpp"
#include "methods/dominant_sets/tuning.hpp"
#include "methods/operations.hpp"

namespace shiftcut::methods {

namespace {

using Indices = std::vector<std::uint32_t>;

// B among the objects of a face.
class Face {
 public:
  Face(const SimilarityPart& part, const Lift& lift) : size_(part.size()), rows_(size_ * size_) {
    for (std::size_t i = 0; i < size_; ++i) {
      const std::span<double> row(&rows_[i * size_], size_);
      part.add_row(i, 1.0, row);
      for (double& entry : row) {
        entry += lift.everywhere;
      }
      row[i] = lift.everywhere + lift.diagonal;
    }
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] double at(std::size_t i, std::size_t j) const { return rows_[i * size_ + j]; }
  [[nodiscard]] double payoff(std::size_t i, std::span<const double> x) const {
    return dot(&rows_[i * size_], x.data(), size_);
  }
  [[nodiscard]] double value(std::span<const double> x) const {
    double f = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      f += x[i] * payoff(i, x);
    }
    return f;
  }

 private:
  std::size_t size_;
  std::vector<double> rows_;
};

// The point of sum 1 on the objects `free` where their payoffs are equal. The entry of the last
// one, l, follows from the others: -(b_ij - b_il - b_lj + b_ll) z = b_il - b_ll. None where that
// matrix is not positive definite, that is, where f is not strictly concave.
std::optional<std::vector<double>> equaliser(const Face& face, const Indices& free) {
  const std::size_t m = free.size() - 1;
  const std::uint32_t last = free[m];
  std::vector<double> factor(m * m);
  std::vector<double> z(m);
  double largest = 0;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double entry = face.at(free[i], last) + face.at(last, free[j]) -
                           face.at(free[i], free[j]) - face.at(last, last);
      const double rest = entry - dot(&factor[i * m], &factor[j * m], j);
      factor[i * m + j] = i == j ? rest : rest / factor[j * m + j];
      largest = i == j ? std::max(largest, entry) : largest;
    }
    double& pivot = factor[i * m + i];
    if (!(pivot > kLeastPivot * largest)) {
      return std::nullopt;
    }
    pivot = std::sqrt(pivot);
    z[i] =
        (face.at(free[i], last) - face.at(last, last) - dot(&factor[i * m], z.data(), i)) / pivot;
  }
  for (std::size_t i = m; i-- > 0;) {
    z[i] /= factor[i * m + i];
    add_scaled(z.data(), -z[i], &factor[i * m], i);
  }
  std::vector<double> y(face.size(), 0.0);
  for (std::size_t i = 0; i < m; ++i) {
    y[free[i]] = z[i];
  }
  y[last] = 1 - std::accumulate(z.begin(), z.end(), 0.0);
  return y;
}

// Moves x towards y until an entry vanishes, which is removed from `free`; false, at y, if none
// does.
bool step_towards(const std::vector<double>& y, std::vector<double>& x, Indices& free) {
  double length = 1;
  std::size_t vanished = free.size();
  for (std::size_t k = 0; k < free.size(); ++k) {
    const std::uint32_t i = free[k];
    if (y[i] <= 0 && x[i] <= length * (x[i] - y[i])) {
      length = x[i] / (x[i] - y[i]);
      vanished = k;
    }
  }
  if (vanished == free.size()) {
    x = y;
    return false;
  }
  for (const std::uint32_t i : free) {
    x[i] = std::max(0.0, x[i] + length * (y[i] - x[i]));
  }
  x[free[vanished]] = 0;
  free.erase(free.begin() + static_cast<std::ptrdiff_t>(vanished));
  return true;
}

// The object absent from x with the largest payoff, if that is above the mean.
std::optional<std::uint32_t> best_absent(const Face& face, std::span<const double> x) {
  const double f = face.value(x);
  double best = f + kPayoffRounding * std::abs(f);
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < face.size(); ++i) {
    const double payoff = x[i] > 0 ? 0.0 : face.payoff(i, x);
    if (x[i] <= 0 && payoff > best) {
      best = payoff;
      found = i;
    }
  }
  return found;
}

// The maximum of f, strictly concave, on the face, starting from x inside the face of `free`: a
// step to the equaliser of the free objects, which is their maximum, reaches it or removes an
// object, and f grows. None if too many sets would have to be tried.
std::optional<std::vector<double>> maximum(const Face& face, Indices free, std::vector<double> x,
                                           const Control& control) {
  for (std::size_t tried = 0; tried < kMaxActiveSets; ++tried) {
    stop_if_asked(control);
    const auto y = equaliser(face, free);
    if (!y) {
      return std::nullopt;
    }
    if (step_towards(*y, x, free)) {
      continue;
    }
    const auto back = best_absent(face, x);
    if (!back) {
      return x;
    }
    free.insert(std::lower_bound(free.begin(), free.end(), *back), *back);
  }
  return std::nullopt;
}

Indices above(std::span<const double> x, double least) {
  Indices found;
  for (std::uint32_t i = 0; i < x.size(); ++i) {
    if (x[i] > least) {
      found.push_back(i);
    }
  }
  return found;
}

std::vector<double> on_face(std::span<const double> x, const Indices& free) {
  std::vector<double> y(x.size(), 0.0);
  double sum = 0;
  for (const std::uint32_t i : free) {
    sum += x[i];
  }
  for (const std::uint32_t i : free) {
    y[i] = x[i] / sum;
  }
  return y;
}

}  // namespace

bool solve_on_face(const SimilarityPart& part, const Lift& lift, double support,
                   std::vector<double>& x, const Workers& workers) {
  const Indices alive = above(x, 0.0);
  if (alive.size() > kLargestFace || alive.empty()) {
    return false;
  }
  std::vector<double> there;
  for (const std::uint32_t i : alive) {
    there.push_back(x[i]);
  }
  const Face face(part.kept(alive), lift);
  const double least = support * *std::max_element(there.begin(), there.end());
  if (!equaliser(face, above(there, 0.0))) {
    return false;
  }
  const Indices free = above(there, least);
  const auto y = maximum(face, free, on_face(there, free), workers.control);
  if (!y) {
    return false;
  }
  for (std::size_t k = 0; k < alive.size(); ++k) {
    x[alive[k]] = (*y)[k];
  }
  return true;
}

}  // namespace shiftcut::methods
