#include "feedback/triangles.hpp"

#include <algorithm>
#include <cmath>

#include "core/kernels/elementary.hpp"

namespace shiftcut {

bool is_bad(const Sides& sides) {
  return std::ranges::count_if(sides, [](double side) { return side > 0; }) == 2;
}

std::array<double, 5> grouping_costs(const Sides& sides) {
  constexpr std::array<std::array<bool, 3>, 5> kWithin = {{{true, true, true},
                                                           {true, false, false},
                                                           {false, true, false},
                                                           {false, false, true},
                                                           {false, false, false}}};
  std::array<double, 5> costs{};
  for (std::size_t g = 0; g < costs.size(); ++g) {
    for (std::size_t s = 0; s < sides.size(); ++s) {
      costs[g] += std::max(0.0, kWithin[g][s] ? -sides[s] : sides[s]);
    }
  }
  return costs;
}

double expected_cost(const Sides& sides, double beta) {
  double sum = 0;
  double weights = 0;
  for (const double cost : grouping_costs(sides)) {
    const double weight = portable_exp(-beta * cost);
    sum += weight * cost;
    weights += weight;
  }
  return sum / weights;
}

std::size_t weakest_side(const Sides& sides) {
  const auto weakest =
      std::ranges::min_element(sides, [](double a, double b) { return std::abs(a) < std::abs(b); });
  return static_cast<std::size_t>(weakest - sides.begin());
}

}  // namespace shiftcut
