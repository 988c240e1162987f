#include "methods/dominant_sets/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/message.hpp"
#include "methods/dominant_sets/tuning.hpp"
#include "methods/operations.hpp"

namespace shiftcut::methods {

namespace {

double least_dense(const DenseArray& dense) {
  const std::size_t n = dense.rows();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    const double* row = dense.f64() + i * n;
    for (std::size_t j = 0; j < n; ++j) {
      least = j == i ? least : std::min(least, row[j]);
    }
  }
  return least;
}

// 0 where two objects share no edge.
double least_of_graph(const SparseMatrix& graph) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < graph.rows; ++i) {
    std::size_t neighbors = 0;
    for (auto e = static_cast<std::size_t>(graph.offsets[i]);
         e < static_cast<std::size_t>(graph.offsets[i + 1]); ++e) {
      if (graph.columns[e] != i) {
        least = std::min(least, graph.values[e]);
        ++neighbors;
      }
    }
    if (neighbors + 1 < graph.rows) {
      return 0;
    }
  }
  return least;
}

double least_similarity(const Similarities& similarities) {
  if (objects(similarities) < 2) {
    return 0;
  }
  const auto* dense = std::get_if<DenseArray>(&similarities);
  return dense != nullptr ? least_dense(*dense)
                          : least_of_graph(std::get<SparseMatrix>(similarities));
}

// The objects of a part that have not died out.
struct Survivors {
  SimilarityPart part;
  std::vector<double> x;
  std::vector<std::uint32_t> at;  // their positions in the part that was given
};

Survivors select(const SimilarityPart& part, std::span<const double> x,
                 std::span<const std::uint32_t> at) {
  std::vector<std::uint32_t> positions;
  std::vector<double> weights;
  std::vector<std::uint32_t> places;
  for (std::uint32_t k = 0; k < x.size(); ++k) {
    if (x[k] > 0) {
      positions.push_back(k);
      weights.push_back(x[k]);
      places.push_back(at[k]);
    }
  }
  return {part.kept(positions), std::move(weights), std::move(places)};
}

// One step; returns how far x moved. Rounding may leave a payoff of zero slightly below it.
double step(std::span<double> x, std::span<double> payoff, double f) {
  double squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double next = x[i] * std::max(payoff[i], 0.0) / f;
    squares += (next - x[i]) * (next - x[i]);
    x[i] = next;
  }
  return std::sqrt(squares);
}

// Sets nearly extinct entries to zero; returns how many are not zero.
std::size_t remove_extinct(std::span<double> x, std::span<const double> payoff, double f,
                           double tolerance) {
  const double least = kExtinctShare * tolerance * *std::max_element(x.begin(), x.end());
  std::size_t left = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] < least && payoff[i] < f) {
      x[i] = 0;
    }
    left += x[i] > 0 ? 1 : 0;
  }
  return left;
}

}  // namespace

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

double shift_off_diagonal(const Similarities& similarities, std::optional<double> requested,
                          std::string_view method) {
  if (requested && *requested == 0) {
    return 0;
  }
  const double least = least_similarity(similarities);
  if (requested && !(*requested >= 0 && *requested <= least)) {
    refuse("out_of_range", "", "{}: found the shift {}; allowed: 0 to the least similarity, {}",
           method, *requested, least);
  }
  return requested.value_or(least);
}

Population replicate(const SimilarityPart& part, const Lift& lift, std::vector<double> x,
                     const DynamicsLimits& limits, const Workers& workers) {
  std::vector<std::uint32_t> all(part.size());
  std::iota(all.begin(), all.end(), 0U);
  Survivors now = select(part, x, all);
  std::vector<double> payoff(now.x.size());
  Population found;
  while (found.steps < limits.max_steps) {
    stop_if_asked(workers.control);
    const double f = payoffs(now.part, lift, now.x, payoff, workers.team);
    found.converged = f <= 0 || step(now.x, payoff, f) < limits.tolerance;
    if (found.converged) {
      break;
    }
    ++found.steps;
    if (remove_extinct(now.x, payoff, f, limits.tolerance) <= now.x.size() * 3 / 4) {
      now = select(now.part, now.x, now.at);
      payoff.resize(now.x.size());
    }
  }
  found.x.assign(part.size(), 0.0);
  for (std::size_t k = 0; k < now.x.size(); ++k) {
    found.x[now.at[k]] = now.x[k];
  }
  return found;
}

}  // namespace shiftcut::methods
