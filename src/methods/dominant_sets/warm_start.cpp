#include "methods/dominant_sets/warm_start.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "methods/dominant_sets/tuning.hpp"
#include "methods/operations.hpp"

namespace shiftcut::methods {

namespace {

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
  std::vector<float> room;
};

void compute(const HalfMatrix& half, double diagonal, std::span<const double> x, Payoffs& payoffs,
             ThreadTeam& team) {
  const std::vector<float> narrow(x.begin(), x.end());
  payoffs.of.resize(x.size());
  half.multiply(narrow, payoffs.of, payoffs.room, team);
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

WarmStart::WarmStart(const DenseArray& similarities, const Lift& lift, ThreadTeam& team)
    : diagonal_(one_over_largest(similarities, lift.everywhere, team)),
      half_(similarities.f64(), similarities.rows(), lift.everywhere, diagonal_, team),
      at_(similarities.rows()) {
  diagonal_ *= lift.everywhere + lift.diagonal;
  std::iota(at_.begin(), at_.end(), 0U);
}

void WarmStart::remove(std::span<const std::uint32_t> positions, ThreadTeam& team) {
  for (const std::uint32_t position : positions) {
    at_[position] = static_cast<std::uint32_t>(half_.size());
  }
  std::erase(at_, static_cast<std::uint32_t>(half_.size()));
  if (at_.size() <= half_.size() * 9 / 10) {
    spare_ = {};
    spare_[0].keep(half_, at_, team);
    half_ = std::exchange(spare_[0], {});
    std::iota(at_.begin(), at_.end(), 0U);
  }
}

std::optional<Population> WarmStart::run(const WarmStartLimits& limits, const Workers& workers) {
  const HalfMatrix* half = &half_;
  std::vector<std::uint32_t> at(half_.size());  // the position in this object, where there is one
  std::vector<double> x(half_.size(), 0.0);
  for (std::uint32_t k = 0; k < size(); ++k) {
    at[at_[k]] = k;
    x[at_[k]] = 1.0 / static_cast<double>(size());
  }
  Payoffs payoffs;
  Population found;
  while (found.steps < limits.max_steps) {
    stop_if_asked(workers.control);
    compute(*half, diagonal_, x, payoffs, workers.team);
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
    if (left.size() <= half->size() * 3 / 4) {
      HalfMatrix& next = half == spare_.data() ? spare_[1] : spare_[0];
      next.keep(*half, left, workers.team);
      half = &next;
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
