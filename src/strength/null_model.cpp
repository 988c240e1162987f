#include "strength/null_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/kernels/elementary.hpp"
#include "core/kernels/kernels.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "strength/tuning.hpp"

namespace shiftcut {

namespace {

// Rows: the logarithm of the number of objects (base 10); columns: the dimension. From 1637 sets of
// uniform and Gaussian noise in 1 to 20 dimensions, 30 to 10,000 objects: levels that 97 to 98%
// stay below, so that two of them together make fewer than 5% errors. Of scores with K given, the
// highest level of K = 3, 5, 6 and 9. Beyond 10,000 objects, where graphs are contracted before the
// path, plateaus last longer: 100 sets in 2 to 16 dimensions, 50,000 to a million objects. The
// other levels are those of 10,000.
constexpr std::array<double, 8> kObjects = {1.5, 2, 2.5, 3, 3.5, 4, 4.7, 5.3};
constexpr std::array<double, 6> kDimensions = {1, 2, 3, 4, 6, 9};
using Table = std::array<std::array<double, kDimensions.size()>, kObjects.size()>;

constexpr Table kPlateau = {{{6.5, 3.2, 3.0, 2.0, 1.0, 0.7},
                             {4.5, 2.6, 0.8, 0.5, 0.42, 0.22},
                             {3.6, 0.85, 0.33, 0.18, 0.115, 0.09},
                             {2.1, 0.48, 0.13, 0.105, 0.065, 0.035},
                             {1.8, 0.36, 0.12, 0.065, 0.05, 0.04},
                             {1.4, 0.27, 0.1, 0.06, 0.05, 0.05},
                             {1.4, 0.35, 0.17, 0.13, 0.1, 0.08},
                             {1.4, 0.5, 0.2, 0.15, 0.11, 0.09}}};
constexpr Table kScore = {{{0.71, 0.68, 0.63, 0.58, 0.6, 0.6},
                           {0.54, 0.39, 0.37, 0.34, 0.36, 0.3},
                           {0.62, 0.33, 0.27, 0.29, 0.25, 0.24},
                           {0.55, 0.38, 0.27, 0.22, 0.19, 0.15},
                           {0.5, 0.35, 0.25, 0.2, 0.16, 0.13},
                           {0.58, 0.33, 0.24, 0.21, 0.18, 0.145},
                           {0.58, 0.33, 0.24, 0.21, 0.18, 0.145},
                           {0.58, 0.33, 0.24, 0.21, 0.18, 0.145}}};

// The same of few objects, 10 and 32 of them, each with a quarter of the others as neighbours.
constexpr std::array<double, 2> kFew = {1, 1.5};
constexpr std::array<std::array<double, kDimensions.size()>, 2> kPlateauOfFew = {
    {{28, 12.5, 9, 7.5, 6, 5.2}, {9.5, 3.2, 3.0, 2.0, 1.2, 1.0}}};

// Two clusters are the easiest to agree on.
constexpr double kForTwo = 1.15;
constexpr Table kDip = {{{0.7, 0.3, 0.2, 0.07, 0.05, 0.0},
                         {0.7, 0.3, 0.2, 0.07, 0.05, 0.0},
                         {0.7, 0.3, 0.17, 0.05, -0.05, -0.1},
                         {0.8, 0.3, 0.17, 0.05, -0.05, -0.1},
                         {0.8, 0.3, 0.14, 0.03, -0.05, -0.1},
                         {0.8, 0.3, 0.15, 0.03, -0.05, -0.1},
                         {0.8, 0.3, 0.15, 0.075, 0.005, -0.07},
                         {0.8, 0.3, 0.15, 0.075, 0.005, -0.07}}};
// From 8000 sets of 4 to 40 objects: 95% of two or more columns stay below 1.8, of one column below
// 4.3; both fall as the objects get more.
constexpr double kGap = 2;
constexpr double kGapOnLine = 5;

struct Place {
  std::size_t before = 0;
  double share = 0;  // of the next
};

template <std::size_t Count>
Place place(const std::array<double, Count>& at, double x) {
  std::size_t i = 0;
  while (i + 2 < Count && x > at[i + 1]) {
    ++i;
  }
  return {i, std::clamp((x - at[i]) / (at[i + 1] - at[i]), 0.0, 1.0)};
}

template <std::size_t Rows>
double look_up(const std::array<double, Rows>& objects,
               const std::array<std::array<double, kDimensions.size()>, Rows>& table,
               const NoiseSpace& space) {
  constexpr double kLog10 = 2.302585092994046;
  const Place n = place(objects, portable_log(std::max(space.objects, 1.0)) / kLog10);
  const Place d = place(kDimensions, space.dimension);
  const auto along = [&](std::size_t row) {
    return table[row][d.before] * (1 - d.share) + table[row][d.before + 1] * d.share;
  };
  return along(n.before) * (1 - n.share) + along(n.before + 1) * n.share;
}

// A sample of the rows less its mean; the largest entry is 1, so that squares neither overflow nor
// vanish. Empty if all are equal.
std::vector<double> centred_sample(const FeatureRows& rows, std::size_t count) {
  const std::size_t d = rows.length();
  std::vector<double> sample(count * d);
  std::vector<double> mean(d, 0.0);
  for (std::size_t s = 0; s < count; ++s) {
    rows.row((2 * s + 1) * rows.size() / (2 * count), &sample[s * d]);
    add_scaled(mean.data(), 1 / static_cast<double>(count), &sample[s * d], d);
  }
  double largest = 0;
  for (std::size_t s = 0; s < count; ++s) {
    add_scaled(&sample[s * d], -1, mean.data(), d);
  }
  for (const double value : sample) {
    largest = std::max(largest, std::abs(value));
  }
  if (!(largest > 0) || !std::isfinite(largest)) {
    return {};
  }
  for (double& value : sample) {
    value /= largest;
  }
  return sample;
}

// Of a positive semidefinite matrix, by power iteration from one of its columns.
double largest_eigenvalue(const std::vector<double>& matrix, std::vector<double> vector) {
  constexpr int kSteps = 100;
  const std::size_t n = vector.size();
  std::vector<double> next(n);
  double value = 0;
  for (int step = 0; step < kSteps; ++step) {
    const double length = std::sqrt(dot(vector.data(), vector.data(), n));
    for (std::size_t i = 0; i < n; ++i) {
      next[i] = dot(&matrix[i * n], vector.data(), n) / length;
    }
    value = dot(next.data(), vector.data(), n) / length;
    vector.swap(next);
  }
  return value;
}

}  // namespace

double spread_dimension(const FeatureRows& rows) {
  const std::size_t count = std::min(rows.size(), kSpreadSample);
  const std::size_t d = rows.length();
  const std::vector<double> sample = centred_sample(rows, count);
  if (sample.empty()) {
    return 0;
  }
  // The products of the rows have the same eigenvalues as their covariance.
  std::vector<double> products(count * count);
  double trace = 0;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      products[i * count + j] = dot(&sample[i * d], &sample[j * d], d);
      products[j * count + i] = products[i * count + j];
    }
    trace += products[i * count + i];
    longest = products[i * count + i] > products[longest * count + longest] ? i : longest;
  }
  const double squares = dot(products.data(), products.data(), products.size());
  const auto start = products.begin() + static_cast<std::ptrdiff_t>(longest * count);
  const double largest =
      largest_eigenvalue(products, {start, start + static_cast<std::ptrdiff_t>(count)});
  return (trace * trace / squares + trace / largest) / 2;
}

double noise_score(const NoiseSpace& space, std::size_t clusters) {
  return look_up(kObjects, kScore, space) * (clusters == 2 ? kForTwo : 1.0);
}

double noise_plateau(const NoiseSpace& space) {
  return space.is_few ? look_up(kFew, kPlateauOfFew, space) : look_up(kObjects, kPlateau, space);
}

double noise_dip(const NoiseSpace& space) {
  return space.is_few ? std::numeric_limits<double>::infinity() : look_up(kObjects, kDip, space);
}

double noise_gap(double dimension) { return dimension < kLeastDimension ? kGapOnLine : kGap; }

double intrinsic_dimension(const NeighborDistances& distances) {
  const NeighborTable& table = *distances.table;
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < table.objects; ++i) {
    std::size_t places = table.places;
    while (places > 0 && table.ids[i * table.places + places - 1] == kNobody) {
      --places;
    }
    const double* squared = distances.squared.data() + i * table.places;
    for (std::size_t p = 0; p + 1 < places; ++p) {
      if (squared[p] > 0) {
        sum += portable_log(squared[places - 1] / squared[p]) / 2;
        ++count;
      }
    }
  }
  return sum > 0 ? static_cast<double>(count) / sum : 0.0;
}

}  // namespace shiftcut
