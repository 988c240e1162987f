// The first replicator steps from the barycentre, roughly. Almost all time of a peel goes there:
// every set starts with all objects that are left, and dozens of steps pass before most of them
// have died out. Payoffs that are right to about six digits lead to the same few survivors.
#pragma once

#include <array>
#include <optional>

#include "methods/dominant_sets/dynamics.hpp"
#include "methods/dominant_sets/half_matrix.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut::methods {

/// Where rough steps stop, but for the tests.
struct ApproachLimits {
  std::size_t few = 200;  // objects left, for which exact steps take no time
  std::size_t max_steps = 1000;
};

class Approach {
 public:
  /// Of all objects. B must not be negative off the diagonal; lift.everywhere must not be above 0:
  /// it would hide in a float what objects differ by.
  Approach(const DenseArray& similarities, const Lift& lift, ThreadTeam& team);

  [[nodiscard]] std::size_t size() const { return at_.size(); }

  /// Takes objects away: positions 0 .. size-1 stand for those that are left.
  void remove(std::span<const std::uint32_t> positions, ThreadTeam& team);

  /// Steps from the barycentre until few are left (those rarer than a millionth of the commonest,
  /// with a payoff below the mean, are taken out), or x all but rests. None where floats would not
  /// do from the start, as all payoffs are much the same.
  [[nodiscard]] std::optional<Population> run(const ApproachLimits& limits, const Workers& workers);

 private:
  double diagonal_;  // in the unit of `half_`
  HalfMatrix half_;
  std::array<HalfMatrix, 2> spare_;  // for those that are left in a run
  std::vector<std::uint32_t> at_;    // where a position lies in `half_`, ascending
};

}  // namespace shiftcut::methods
