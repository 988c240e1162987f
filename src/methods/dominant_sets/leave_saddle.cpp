#include "methods/dominant_sets/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "core/rng.hpp"
#include "methods/dominant_sets/tuning.hpp"
#include "methods/operations.hpp"

namespace shiftcut::methods {

namespace {

void centre(std::vector<double>& v) {
  const double mean = std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
  for (double& entry : v) {
    entry -= mean;
  }
}

void normalise(std::vector<double>& v) {
  const double norm = std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
  for (double& entry : v) {
    entry /= norm;
  }
}

// Power iteration on P B P + bound I, P the projection to sum 0. Its dominant eigenvector is that
// of P B P, because no eigenvalue is larger than `bound` in size.
std::optional<std::vector<double>> curved_direction(const SimilarityPart& part, const Lift& lift,
                                                    const Workers& workers) {
  const std::size_t m = part.size();
  std::vector<double> image(m);
  const std::vector<double> ones(m, 1.0);
  part.multiply(ones, image, workers.team);
  const double bound = *std::max_element(image.begin(), image.end()) + std::abs(lift.diagonal);
  if (m < 2 || bound <= 0) {
    return std::nullopt;
  }
  Rng rng(m, 0);
  std::vector<double> direction(m);
  for (double& entry : direction) {
    entry = rng.uniform();
  }
  for (int product = 0; product < kSaddleProducts; ++product) {
    stop_if_asked(workers.control);
    centre(direction);
    normalise(direction);
    part.multiply(direction, image, workers.team);
    double curvature = lift.diagonal;
    for (std::size_t i = 0; i < m; ++i) {
      curvature += direction[i] * image[i];
    }
    if (curvature > kLeastCurvature * bound) {
      return direction;
    }
    for (std::size_t i = 0; i < m; ++i) {
      direction[i] = image[i] + (lift.diagonal + bound) * direction[i];
    }
  }
  return std::nullopt;
}

}  // namespace

bool leave_saddle(const SimilarityPart& part, const Lift& lift, std::vector<double>& x,
                  const Workers& workers) {
  std::vector<std::uint32_t> support;
  for (std::uint32_t i = 0; i < x.size(); ++i) {
    if (x[i] > 0) {
      support.push_back(i);
    }
  }
  const SimilarityPart inside = part.kept(support);
  auto direction = curved_direction(inside, lift, workers);
  if (!direction) {
    return false;
  }
  std::vector<double> there(support.size());
  for (std::size_t k = 0; k < support.size(); ++k) {
    there[k] = x[support[k]];
  }
  std::vector<double> payoff(support.size());
  payoffs(inside, lift, there, payoff, workers.team);
  const bool uphill =
      std::inner_product(payoff.begin(), payoff.end(), direction->begin(), 0.0) >= 0;
  double length = std::numeric_limits<double>::infinity();
  std::size_t vanished = 0;
  for (std::size_t k = 0; k < support.size(); ++k) {
    double& d = (*direction)[k];
    d = uphill ? d : -d;
    if (d < 0 && there[k] < -d * length) {
      length = there[k] / -d;
      vanished = k;
    }
  }
  for (std::size_t k = 0; k < support.size(); ++k) {
    x[support[k]] = k == vanished ? 0.0 : std::max(0.0, there[k] + length * (*direction)[k]);
  }
  return true;
}

}  // namespace shiftcut::methods
