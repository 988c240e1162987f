#include "methods/dominant_sets/warm_start.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/kernels/simd.hpp"
#include "methods/dominant_sets/tuning.hpp"
#include "methods/operations.hpp"

namespace shiftcut::methods {

namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kStrands = 4;          // independent sums, to hide the latency of additions
constexpr std::size_t kFloatColumns = 1024;  // summed in floats before they go into a double

using Vector [[gnu::vector_size(kLanes * sizeof(float))]] = float;

SHIFTCUT_INLINE float dot_in_floats(const float* a, const float* x, std::size_t length) {
  Vector strands[kStrands] = {};
  std::size_t j = 0;
  for (; j + kStrands * kLanes <= length; j += kStrands * kLanes) {
    for (std::size_t s = 0; s < kStrands; ++s) {
      Vector va;
      Vector vx;
      std::memcpy(&va, a + j + s * kLanes, sizeof(va));
      std::memcpy(&vx, x + j + s * kLanes, sizeof(vx));
      strands[s] += va * vx;
    }
  }
  const Vector all = (strands[0] + strands[1]) + (strands[2] + strands[3]);
  float sum = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    sum += all[lane];
  }
  for (; j < length; ++j) {
    sum += a[j] * x[j];
  }
  return sum;
}

double dot_floats(const float* a, const float* x, std::size_t length) {
  return run_simd([=]() SHIFTCUT_INLINED {
    double sum = 0;
    for (std::size_t begin = 0; begin < length; begin += kFloatColumns) {
      const std::size_t count = std::min(kFloatColumns, length - begin);
      sum += static_cast<double>(dot_in_floats(a + begin, x + begin, count));
    }
    return sum;
  });
}

double one_over_largest(const DenseArray& a, double added, ThreadTeam& team) {
  const std::size_t n = a.rows();
  std::vector<double> largest(n, 0.0);
  team.for_each(n, [&](std::size_t i, int) {
    const double* row = a.f64() + i * n;
    for (std::size_t j = 0; j < i; ++j) {
      largest[i] = std::max(largest[i], row[j] + added);
    }
  });
  const double most = *std::max_element(largest.begin(), largest.end());
  return most > 0 ? 1 / most : 1.0;
}

std::vector<std::uint32_t> present(std::span<const double> x) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < x.size(); ++i) {
    if (x[i] > 0) {
      found.push_back(i);
    }
  }
  return found;
}

template <class T>
std::vector<T> chosen(const std::vector<T>& values, std::span<const std::uint32_t> positions) {
  std::vector<T> out;
  out.reserve(positions.size());
  for (const std::uint32_t position : positions) {
    out.push_back(values[position]);
  }
  return out;
}

struct Payoffs {
  std::vector<double> of;
  double mean = 0;
  double least = 0;  // of those present
  double most = 0;
};

void compute(const FloatMatrix& matrix, double diagonal, std::span<const double> x,
             Payoffs& payoffs, ThreadTeam& team) {
  const std::vector<float> narrow(x.begin(), x.end());
  payoffs.of.resize(x.size());
  matrix.multiply(narrow, payoffs.of, team);
  payoffs.mean = 0;
  bool first = true;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] > 0) {
      payoffs.of[i] += diagonal * x[i];
      payoffs.mean += x[i] * payoffs.of[i];
      payoffs.least = first ? payoffs.of[i] : std::min(payoffs.least, payoffs.of[i]);
      payoffs.most = first ? payoffs.of[i] : std::max(payoffs.most, payoffs.of[i]);
      first = false;
    }
  }
}

// One step, x staying on the simplex; returns how far x moved, of its length.
double step(std::span<double> x, const Payoffs& payoffs) {
  double moved = 0;
  double squares = 0;
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double next = x[i] * payoffs.of[i] / payoffs.mean;
    moved += (next - x[i]) * (next - x[i]);
    squares += next * next;
    x[i] = next;
    sum += next;
  }
  for (double& entry : x) {
    entry /= sum;
  }
  return std::sqrt(moved / squares);
}

void remove_extinct(std::span<double> x, const Payoffs& payoffs) {
  const double least = kRoughExtinctShare * *std::max_element(x.begin(), x.end());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] < least && payoffs.of[i] < payoffs.mean) {
      x[i] = 0;
    }
  }
}

}  // namespace

void FloatMatrix::resize(std::size_t size) {
  size_ = size;
  if (size * size > capacity_) {
    capacity_ = size * size;
    entries_.allocate(capacity_);
  }
}

FloatMatrix::FloatMatrix(const double* rows, std::size_t size, double added, double factor,
                         ThreadTeam& team) {
  resize(size);
  for_rows(size, team, [&](std::size_t i) {
    for (std::size_t j = 0; j < size; ++j) {
      row(i)[j] = static_cast<float>((rows[i * size + j] + added) * factor);
    }
    row(i)[i] = 0;
  });
}

void FloatMatrix::keep(const FloatMatrix& from, std::span<const std::uint32_t> positions,
                       ThreadTeam& team) {
  resize(positions.size());
  for_rows(positions.size(), team, [&](std::size_t i) {
    const float* in = from.row(positions[i]);
    for (std::size_t j = 0; j < positions.size(); ++j) {
      row(i)[j] = in[positions[j]];
    }
  });
}

void FloatMatrix::multiply(std::span<const float> x, std::span<double> out,
                           ThreadTeam& team) const {
  for_rows(size_, team, [&](std::size_t i) { out[i] = dot_floats(row(i), x.data(), size_); });
}

WarmStart::WarmStart(const DenseArray& similarities, const Lift& lift, ThreadTeam& team)
    : diagonal_(one_over_largest(similarities, lift.everywhere, team)),
      matrix_(similarities.f64(), similarities.rows(), lift.everywhere, diagonal_, team),
      at_(similarities.rows()) {
  diagonal_ *= lift.everywhere + lift.diagonal;
  std::iota(at_.begin(), at_.end(), 0U);
}

void WarmStart::remove(std::span<const std::uint32_t> positions, ThreadTeam& team) {
  for (const std::uint32_t position : positions) {
    at_[position] = static_cast<std::uint32_t>(matrix_.size());
  }
  std::erase(at_, static_cast<std::uint32_t>(matrix_.size()));
  if (at_.size() <= matrix_.size() * 9 / 10) {
    spare_ = {};
    spare_[0].keep(matrix_, at_, team);
    matrix_ = std::exchange(spare_[0], {});
    std::iota(at_.begin(), at_.end(), 0U);
  }
}

std::optional<Population> WarmStart::run(const WarmStartLimits& limits, const Workers& workers) {
  const FloatMatrix* matrix = &matrix_;
  std::vector<std::uint32_t> at(matrix_.size());  // the position in this object, where there is one
  std::vector<double> x(matrix_.size(), 0.0);
  for (std::uint32_t k = 0; k < size(); ++k) {
    at[at_[k]] = k;
    x[at_[k]] = 1.0 / static_cast<double>(size());
  }
  Payoffs payoffs;
  Population found;
  while (found.steps < limits.max_steps) {
    stop_if_asked(workers.control);
    compute(*matrix, diagonal_, x, payoffs, workers.team);
    if (payoffs.mean < kVanishedPayoff ||
        payoffs.most - payoffs.least < kAlikePayoffs * payoffs.mean) {
      break;
    }
    ++found.steps;
    const bool rests = step(x, payoffs) < kNearlyAtRest;
    remove_extinct(x, payoffs);
    const std::vector<std::uint32_t> left = present(x);
    if (rests || left.size() <= limits.few) {
      break;
    }
    if (left.size() <= matrix->size() * 3 / 4) {
      FloatMatrix& next = matrix == spare_.data() ? spare_[1] : spare_[0];
      next.keep(*matrix, left, workers.team);
      matrix = &next;
      x = chosen(x, left);
      at = chosen(at, left);
    }
  }
  if (found.steps == 0) {
    return std::nullopt;
  }
  const double sum = std::accumulate(x.begin(), x.end(), 0.0);
  found.x.assign(size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] > 0) {
      found.x[at[i]] = x[i] / sum;
    }
  }
  return found;
}

}  // namespace shiftcut::methods
