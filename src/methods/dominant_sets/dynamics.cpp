#include "methods/dominant_sets/dynamics.hpp"

#include <numeric>

namespace shiftcut::methods {

std::vector<double> barycentre(std::size_t objects) {
  return std::vector<double>(objects, 1.0 / static_cast<double>(objects));
}

double payoffs(const SimilarityPart& part, const Lift& lift, std::span<const double> x,
               std::span<double> out, ThreadTeam& team) {
  part.multiply(x, out, team);
  const double level = lift.everywhere * std::accumulate(x.begin(), x.end(), 0.0);
  double f = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    out[i] += level + lift.diagonal * x[i];
    f += x[i] * out[i];
  }
  return f;
}

void stop_if_asked(const Control& control) {
  if (control.stop_requested()) {
    throw Interrupted();
  }
}

}  // namespace shiftcut::methods
