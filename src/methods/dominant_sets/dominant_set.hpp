// One dominant set among the objects of a part.
#pragma once

#include <optional>

#include "methods/dominant_sets/dynamics.hpp"
#include "methods/dominant_sets/warm_start.hpp"
#include "shiftcut/methods/dominant_sets.hpp"

namespace shiftcut::methods {

struct FoundSet {
  std::vector<std::uint32_t> positions;  // of the members in the part, ascending
  std::vector<double> weights;           // sum 1
  std::size_t steps = 0;
  bool converged = false;
};

/// Runs the dynamics from the barycentre until B = A + lift has a local maximum there: where the
/// replicator rests and an object left out would do better than the mean, it is let in; where the
/// dynamics rests on a saddle it is led off. None where no two objects have a positive similarity.
///
/// B must not be negative off the diagonal. A replicator run that is slow to rest is ended by
/// `settle`. `approach`, if not null, is of the same objects and lift, and makes the first steps of
/// a replicator.
std::optional<FoundSet> find_dominant_set(const SimilarityPart& part, const Lift& lift,
                                          const DynamicsOptions& options, const Workers& workers,
                                          Approach* approach = nullptr);

/// The steps allowed where the options leave it open: max(10^4, 10^(ceil(log10 n) + 1)), and ten
/// times that for `infection`, whose steps move one object.
std::size_t default_max_steps(Dynamics dynamics, std::size_t objects);

/// Throws std::invalid_argument, naming `method`, for what is not allowed.
void check_options(const DynamicsOptions& options, std::string_view method);

}  // namespace shiftcut::methods
