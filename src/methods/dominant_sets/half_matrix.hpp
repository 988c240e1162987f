// A symmetric matrix without its diagonal, one half of it and in floats: a quarter of the memory,
// and of the time of a product, which is the time of reading it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/memory.hpp"
#include "core/thread_team.hpp"

namespace shiftcut::methods {

class HalfMatrix {
 public:
  HalfMatrix() = default;
  /// (entry + added) * factor for `size` rows of doubles, one after another.
  HalfMatrix(const double* rows, std::size_t size, double added, double factor, ThreadTeam& team);

  [[nodiscard]] std::size_t size() const { return size_; }

  /// Becomes the rows and columns of `from` at these positions (ascending). Memory it has is used
  /// again: to have it from the system can take longer than many products.
  void keep(const HalfMatrix& from, std::span<const std::uint32_t> positions, ThreadTeam& team);

  /// out = this x, right to a few roundings of floats. The same for any number of threads. `room`
  /// is memory to work in, kept between calls.
  void multiply(std::span<const float> x, std::span<double> out, std::vector<float>& room,
                ThreadTeam& team) const;

 private:
  void resize(std::size_t size);
  // Entry j of row i, for j > i, is row(i)[j]. The first place is left free, so that no row begins
  // outside.
  [[nodiscard]] const float* row(std::size_t i) const { return entries_.data() + before(i); }
  [[nodiscard]] float* row(std::size_t i) { return entries_.data() + before(i); }
  [[nodiscard]] std::ptrdiff_t before(std::size_t i) const {
    const auto k = static_cast<std::ptrdiff_t>(i);
    return k * (static_cast<std::ptrdiff_t>(size_) - 1) - k * (k - 1) / 2 - k;
  }

  std::size_t size_ = 0;
  std::size_t room_ = 0;  // entries there is memory for
  UninitializedArray<float> entries_;
};

}  // namespace shiftcut::methods
