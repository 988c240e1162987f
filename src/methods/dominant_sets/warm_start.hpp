// The first replicator steps from the barycentre, in single precision. They take almost all the
// time of a peel: every set starts with all remaining objects, and dozens of steps pass before most
// of them have died out. Payoffs accurate to about six digits lead to the same few survivors.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/memory.hpp"
#include "methods/dominant_sets/dynamics.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut::methods {

/// A symmetric matrix of floats with a zero diagonal: half the memory of doubles, and half the time
/// of a product, which is the time of reading it.
class FloatMatrix {
 public:
  FloatMatrix() = default;
  /// (entry + added) * factor off the diagonal, for `size` rows of doubles one after another.
  FloatMatrix(const double* rows, std::size_t size, double added, double factor, ThreadTeam& team);

  [[nodiscard]] std::size_t size() const { return size_; }

  /// Becomes the rows and columns of `from` at these positions (ascending). Reuses its memory,
  /// which can take longer to allocate than many products.
  void keep(const FloatMatrix& from, std::span<const std::uint32_t> positions, ThreadTeam& team);

  /// out = this x, up to a few float roundings. The same for any number of threads.
  void multiply(std::span<const float> x, std::span<double> out, ThreadTeam& team) const;

 private:
  void resize(std::size_t size);
  [[nodiscard]] const float* row(std::size_t i) const { return entries_.data() + i * size_; }
  [[nodiscard]] float* row(std::size_t i) { return entries_.data() + i * size_; }

  std::size_t size_ = 0;
  std::size_t capacity_ = 0;  // entries
  UninitializedArray<float> entries_;
};

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
  double diagonal_;  // in the unit of `matrix_`
  FloatMatrix matrix_;
  std::array<FloatMatrix, 2> spare_;  // for the objects left in a run
  std::vector<std::uint32_t> at_;     // the place of a position in `matrix_`, ascending
};

}  // namespace shiftcut::methods
