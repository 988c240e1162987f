// Taking object i over adds its similarities to those that stay and removes those to the ones that
// went before: a sum over the row of i alone, once the places in the order are known.
#include "methods/spectral/cut_sweep.hpp"

#include <algorithm>
#include <numeric>

#include "methods/rows.hpp"

namespace shiftcut::methods {

std::vector<ObjectId> ascending(std::span<const double> values) {
  std::vector<ObjectId> order(values.size());
  std::iota(order.begin(), order.end(), ObjectId{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](ObjectId a, ObjectId b) { return values[a] < values[b]; });
  return order;
}

std::vector<double> cuts_along(const Similarities& similarities, std::span<const ObjectId> order,
                               ThreadTeam& team) {
  const std::size_t n = order.size();
  std::vector<ObjectId> place(n);
  for (std::size_t t = 0; t < n; ++t) {
    place[order[t]] = static_cast<ObjectId>(t);
  }
  std::vector<double> change(n);  // by place
  for_rows(n, team, [&](std::size_t i) {
    const ObjectId own = place[i];
    double sum = 0;
    for_row(similarities, i, [&](std::size_t j, double value) {
      sum += place[j] > own ? value : (place[j] < own ? -value : 0);
    });
    change[own] = sum;
  });
  std::vector<double> cuts(n > 0 ? n - 1 : 0);
  double cut = 0;
  for (std::size_t t = 0; t + 1 < n; ++t) {
    cut += change[t];
    cuts[t] = std::max(cut, 0.0);  // rounding
  }
  return cuts;
}

}  // namespace shiftcut::methods
