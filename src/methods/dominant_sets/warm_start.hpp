// The first replicator steps from the barycentre, in single precision. They take almost all the
// time of a peel: every set starts with all remaining objects, and dozens of steps pass before most
// of them have died out. Payoffs accurate to about six digits lead to the same few survivors.
#pragma once

#include <array>
#include <optional>

#include "methods/dominant_sets/dynamics.hpp"
#include "methods/dominant_sets/half_matrix.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut::methods {

/// Where single precision steps stop; the defaults except in tests.
struct WarmStartLimits {
  std::size_t few = 200;  // objects left: exact steps cost next to nothing
  std::size_t max_steps = 1000;
};

class WarmStart {
 public:
  /// For all objects. B must not be negative off the diagonal; lift.everywhere must not be above 0,
  /// because a float could not hold the differences between objects beside it.
  WarmStart(const DenseArray& similarities, const Lift& lift, ThreadTeam& team);

  [[nodiscard]] std::size_t size() const { return at_.size(); }

  /// Removes objects: positions 0 .. size-1 then stand for those that are left.
  void remove(std::span<const std::uint32_t> positions, ThreadTeam& team);

  /// Steps from the barycentre until few objects are left (those rarer than a millionth of the most
  /// frequent one, with a payoff below the mean, are removed), or x is nearly at rest. None where
  /// all payoffs are so similar that floats cannot tell them apart.
  [[nodiscard]] std::optional<Population> run(const WarmStartLimits& limits,
                                              const Workers& workers);

 private:
  double diagonal_;  // in the unit of `half_`
  HalfMatrix half_;
  std::array<HalfMatrix, 2> spare_;  // for those that are left in a run
  std::vector<std::uint32_t> at_;    // where a position lies in `half_`, ascending
};

}  // namespace shiftcut::methods
