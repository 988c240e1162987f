// What the dynamics that look for a dominant set have in common: objects of a part play against
// each other; x, on the simplex, says how much of the population each is.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/thread_team.hpp"
#include "methods/dominant_sets/similarity_part.hpp"
#include "shiftcut/control.hpp"

namespace shiftcut::methods {

/// Makes B = A + everywhere e e^T + diagonal I out of the similarities A. A shift lambda off the
/// diagonal is {-lambda, lambda}; the hierarchy's alpha is {alpha, -alpha}.
struct Lift {
  double everywhere = 0;
  double diagonal = 0;
};

struct DynamicsLimits {
  double tolerance = 1e-8;
  std::size_t max_steps = 1000;
};

/// Where a dynamics has come to.
struct Population {
  std::vector<double> x;
  std::size_t steps = 0;
  bool converged = false;
};

/// The threads to use and the caller's wish to stop.
struct Workers {
  ThreadTeam& team;
  const Control& control;
};

/// 1/m each.
std::vector<double> barycentre(std::size_t objects);

/// out = B x; returns f = x^T B x. On the simplex `everywhere` only adds a constant to both.
double payoffs(const SimilarityPart& part, const Lift& lift, std::span<const double> x,
               std::span<double> out, ThreadTeam& team);

/// Throws Interrupted if the caller asked to stop.
void stop_if_asked(const Control& control);

}  // namespace shiftcut::methods
