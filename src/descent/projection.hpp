// Long rows by a few coordinates: in directions U that nearly hold the clusters' vectors, with
// x = U u + rest,
//   x.s = u.(U^T s) + rest.s,  and  |rest.s| <= |rest| |s - U U^T s|,
// so a few numbers often decide what else takes hundreds. The directions are the vectors' own and,
// as clusters drift along them more than across, the leading ones of the rows. A row's coordinates
// are found when they are first wanted.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/kernels/kernels.hpp"
#include "core/memory.hpp"
#include "core/partition.hpp"
#include "core/thread_team.hpp"

namespace shiftcut {

class Projection {
 public:
  using RowOf = std::function<const float*(ObjectId)>;
  static constexpr std::size_t kCount = 2 * kPanel;  // of directions

  /// Of so many rows, `length` numbers each; takes kCount floats a row once it is turned.
  Projection(std::size_t rows, std::size_t length) : rows_(rows), length_(length) {}

  [[nodiscard]] bool is_set() const { return turn_ > 0; }

  /// Takes the directions of these vectors and leading ones of the rows, kCount in all. All
  /// coordinates are unknown then.
  void turn_to(std::span<const double* const> vectors, const RowOf& row, ThreadTeam& team);

  /// The directions, each of length 1.
  [[nodiscard]] const PackedColumns<float>& directions() const { return packed_; }

  [[nodiscard]] bool knows(ObjectId row) const { return turn_of_[row] == turn_; }
  [[nodiscard]] const float* coordinates(ObjectId row) const {
    return coordinates_.data() + row * kCount;
  }
  /// At least |rest| / |x|.
  [[nodiscard]] float rest(ObjectId row) const { return rest_[row]; }
  /// Of a row of length `norm`, the coordinates in the same unit, each off by `error` of that.
  void set_coordinates(ObjectId row, const float* values, double norm, double error);

  /// Writes U^T s, zeros up to kCount; returns at least |s - U U^T s|.
  double project(const double* s, double* out) const;

 private:
  void find_leading(const RowOf& row, ThreadTeam& team);

  std::size_t rows_;
  std::size_t length_;
  std::vector<double> leading_;     // directions of the rows, one after another
  std::vector<double> directions_;  // at right angles
  PackedColumns<float> packed_;
  std::uint32_t turn_ = 0;
  std::vector<std::uint32_t> turn_of_;  // per row: when its coordinates were found
  std::vector<float> rest_;
  UninitializedArray<float> coordinates_;
};

}  // namespace shiftcut
