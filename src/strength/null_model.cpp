#include "strength/null_model.hpp"

#include <algorithm>
#include <array>

#include "core/kernels/elementary.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "strength/tuning.hpp"

namespace shiftcut {

namespace {

// Rows: the logarithm of the number of objects (base 10); columns: the dimension. From 1637 sets of
// uniform and Gaussian noise in 1 to 20 dimensions, 30 to 10,000 objects: levels that 97 to 98%
// stay below, so that two of them together make fewer than 5% errors. Of scores with K given, the
// highest level of K = 3, 5, 6 and 9.
constexpr std::array<double, 6> kObjects = {1.5, 2, 2.5, 3, 3.5, 4};
constexpr std::array<double, 6> kDimensions = {1, 2, 3, 4, 6, 9};
using Table = std::array<std::array<double, kDimensions.size()>, kObjects.size()>;

constexpr Table kPlateau = {{{6.5, 3.2, 3.0, 2.0, 1.0, 0.7},
                             {4.5, 2.6, 0.8, 0.5, 0.42, 0.22},
                             {3.6, 0.85, 0.33, 0.18, 0.115, 0.09},
                             {2.1, 0.48, 0.13, 0.105, 0.065, 0.035},
                             {1.8, 0.36, 0.12, 0.065, 0.05, 0.04},
                             {1.4, 0.27, 0.1, 0.06, 0.05, 0.05}}};
constexpr Table kScore = {{{0.71, 0.68, 0.63, 0.58, 0.6, 0.6},
                           {0.54, 0.39, 0.37, 0.34, 0.36, 0.3},
                           {0.62, 0.33, 0.27, 0.29, 0.25, 0.24},
                           {0.55, 0.38, 0.27, 0.22, 0.19, 0.15},
                           {0.5, 0.35, 0.25, 0.2, 0.16, 0.13},
                           {0.58, 0.33, 0.24, 0.21, 0.18, 0.145}}};

// Two clusters are the easiest to agree on.
constexpr double kForTwo = 1.15;
constexpr Table kDip = {{{0.7, 0.3, 0.2, 0.07, 0.05, 0.0},
                         {0.7, 0.3, 0.2, 0.07, 0.05, 0.0},
                         {0.7, 0.3, 0.17, 0.05, -0.05, -0.1},
                         {0.8, 0.3, 0.17, 0.05, -0.05, -0.1},
                         {0.8, 0.3, 0.14, 0.03, -0.05, -0.1},
                         {0.8, 0.3, 0.15, 0.03, -0.05, -0.1}}};
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

double look_up(const Table& table, const NoiseSpace& space) {
  constexpr double kLog10 = 2.302585092994046;
  const Place n = place(kObjects, portable_log(std::max(space.objects, 1.0)) / kLog10);
  const Place d = place(kDimensions, space.dimension);
  const auto along = [&](std::size_t row) {
    return table[row][d.before] * (1 - d.share) + table[row][d.before + 1] * d.share;
  };
  return along(n.before) * (1 - n.share) + along(n.before + 1) * n.share;
}

}  // namespace

double noise_score(const NoiseSpace& space, std::size_t clusters) {
  return look_up(kScore, space) * (clusters == 2 ? kForTwo : 1.0);
}

double noise_plateau(const NoiseSpace& space) { return look_up(kPlateau, space); }
double noise_dip(const NoiseSpace& space) { return look_up(kDip, space); }
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
