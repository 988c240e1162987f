// Long rows by a few coordinates. With orthonormal directions U that nearly span the clusters'
// vectors s, and x = U u + residual,
//   x.s = u.(U^T s) + residual.s,  where  |residual.s| <= |residual| |s - U U^T s|,
// so a few dozen numbers often decide what would take hundreds. The directions are the vectors' own
// and the principal ones of the rows, since clusters drift along those more than across. A row's
// coordinates are computed when they are first needed.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/kernels/kernels.hpp"
#include "core/memory.hpp"
#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "descent/tuning.hpp"

namespace shiftcut {

class Projection {
 public:
  using RowOf = std::function<const float*(ObjectId)>;
  static constexpr std::size_t kDimensions = descent_tuning::kDimensions;
  static_assert(kDimensions % kPanel == 0);

  /// For `rows` rows of `length` numbers; takes kDimensions floats per row once it is built.
  Projection(std::size_t rows, std::size_t length) : rows_(rows), length_(length) {}

  [[nodiscard]] bool is_set() const { return generation_ > 0; }

  /// Takes the directions of these vectors and principal ones of the rows, kDimensions in all.
  /// Forgets all coordinates.
  void rebuild(std::span<const double* const> vectors, const RowOf& row, ThreadTeam& team);

  /// The directions, orthonormal.
  [[nodiscard]] const PackedColumns<float>& directions() const { return packed_; }

  [[nodiscard]] bool has_coordinates(ObjectId row) const {
    return generation_of_[row] == generation_;
  }
  [[nodiscard]] const float* coordinates(ObjectId row) const {
    return coordinates_.data() + row * kDimensions;
  }
  /// Bounds |residual| / |x|.
  [[nodiscard]] float residual(ObjectId row) const { return residual_[row]; }
  /// Sets the coordinates of a row of length `norm`, each with an error of at most `error` * norm.
  void set_coordinates(ObjectId row, const float* values, double norm, double error);

  /// Writes U^T s, padded with zeros to kDimensions; returns a bound on |s - U U^T s|.
  double project(const double* s, double* out) const;

 private:
  void find_principal(const RowOf& row, ThreadTeam& team);

  std::size_t rows_;
  std::size_t length_;
  std::vector<double> principal_;   // principal directions of the rows, contiguous
  std::vector<double> directions_;  // orthonormal, contiguous
  PackedColumns<float> packed_;
  std::uint32_t generation_ = 0;
  std::vector<std::uint32_t> generation_of_;  // per row: the one its coordinates belong to
  std::vector<float> residual_;
  UninitializedArray<float> coordinates_;
};

}  // namespace shiftcut
