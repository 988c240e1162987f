#include "strength/null_model.hpp"

#include <algorithm>
#include <array>

#include "core/kernels/elementary.hpp"
#include "neighbors/neighbor_lists.hpp"

namespace shiftcut {

namespace {

// Both by the logarithm of the number of objects (base 10) and by the dimension.
constexpr std::array<double, 5> kObjects = {1.5, 2, 2.5, 3, 3.5};
constexpr std::array<double, 5> kDimensions = {1, 2, 3, 5, 8};
using Table = std::array<std::array<double, kDimensions.size()>, kObjects.size()>;

constexpr Table kPlateau = {{{15, 4, 3, 3, 3},
                             {12, 4, 2.5, 2, 1.5},
                             {12, 3, 2, 1.5, 1},
                             {10, 3, 1.5, 1, 0.5},
                             {8, 2, 1, 0.5, 0.5}}};
constexpr Table kScore = {{{1.4, 1.2, 1.1, 1, 0.9},
                           {1.4, 1, 0.9, 0.8, 0.7},
                           {1.4, 0.8, 0.7, 0.6, 0.5},
                           {1.2, 0.8, 0.6, 0.5, 0.4},
                           {1.1, 0.8, 0.6, 0.4, 0.3}}};

struct Place {
  std::size_t before = 0;
  double share = 0;  // of the next
};

template <std::size_t kCount>
Place place(const std::array<double, kCount>& at, double x) {
  std::size_t i = 0;
  while (i + 2 < kCount && x > at[i + 1]) {
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

double noise_score(const NoiseSpace& space) { return look_up(kScore, space); }
double noise_plateau(const NoiseSpace& space) { return look_up(kPlateau, space); }

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
