// A set of centres, and which of them a row is nearest to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/kernels/kernels.hpp"

namespace shiftcut {

/// In float32: the nearest centre has the least |c|^2 / 2 - x.c, which is one product with the
/// |c|^2 / 2 standing as an entry more.
class Centres {
 public:
  /// Centres of `length` numbers each, one after another.
  Centres(const std::vector<float>& centres, std::size_t length);

  /// Of rows of length + 1 numbers, the last of them 1: the numbers of their nearest centres.
  void nearest(std::span<const float* const> rows, std::uint32_t* out) const;

 private:
  std::vector<PackedColumns<float>> packed_;
};

}  // namespace shiftcut
