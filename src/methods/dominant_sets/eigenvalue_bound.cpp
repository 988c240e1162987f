#include "methods/dominant_sets/eigenvalue_bound.hpp"

#include <algorithm>
#include <limits>

namespace shiftcut::methods {

double eigenvalue_bound(const SimilarityPart& part, std::optional<double> level,
                        const Workers& workers) {
  constexpr int kProducts = 100;
  constexpr double kClose = 1e-3;
  const std::size_t m = part.size();
  std::vector<double> x(m, 1.0);
  std::vector<double> image(m);
  double bound = std::numeric_limits<double>::infinity();
  for (int product = 0; product < kProducts; ++product) {
    stop_if_asked(workers.control);
    part.multiply(x, image, workers.team);
    double above = 0;
    double products = 0;
    double squares = 0;
    for (std::size_t i = 0; i < m; ++i) {
      above = std::max(above, image[i] / x[i]);
      products += x[i] * image[i];
      squares += x[i] * x[i];
    }
    const double below = products / squares;
    bound = std::min(bound, above);
    const bool settled = level && (bound <= *level || below > *level);
    if (settled || bound - below <= kClose * bound) {
      break;
    }
    // With some of x kept, entries stay above 0 and two-coloured graphs do not swing.
    double largest = 0;
    for (std::size_t i = 0; i < m; ++i) {
      x[i] = image[i] + below / 2 * x[i];
      largest = std::max(largest, x[i]);
    }
    for (double& entry : x) {
      entry = std::max(entry / largest, std::numeric_limits<double>::min());
    }
  }
  return bound;
}

}  // namespace shiftcut::methods
