// The similarities among some of the objects, for methods that remove objects: positions 0 ..
// size-1 stand for the objects kept. Nothing is copied until a third of the stored objects are
// gone; then the rest is copied into a compact matrix and the previous copy is freed. All copies
// alive at a time take less memory than the similarities given: 4/9, 16/81, ... of it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/memory.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

class SimilarityPart {
 public:
  /// All objects, not copied: `similarities` must outlive every part of it. They are taken to be
  /// symmetric, and the diagonal to be zero.
  explicit SimilarityPart(const Similarities& similarities);

  [[nodiscard]] std::size_t size() const { return at_.size(); }
  [[nodiscard]] std::uint32_t object(std::size_t position) const { return objects_[position]; }

  /// The part of these positions, in that order (ascending).
  [[nodiscard]] SimilarityPart kept(std::span<const std::uint32_t> positions) const;
  /// The part of all others.
  [[nodiscard]] SimilarityPart without(std::span<const std::uint32_t> positions) const;

  /// out = A x. The same for any number of threads. O(size^2) or O(edges); less where few entries
  /// of x are not zero.
  void multiply(std::span<const double> x, std::span<double> out, ThreadTeam& team) const;

  /// out += factor * row `position`.
  void add_row(std::size_t position, double factor, std::span<double> out) const;

 private:
  // The stored similarities. Dense: rows of `width` numbers one after another.
  struct Store {
    const double* dense = nullptr;
    const SparseMatrix* graph = nullptr;
    std::size_t width = 0;
    UninitializedArray<double> own_dense;
    SparseMatrix own_graph;
  };

  SimilarityPart() = default;
  void compact();
  void copy_dense(Store& to) const;
  void copy_graph(Store& to) const;
  void multiply_dense(std::span<const double> spread, std::span<double> out,
                      ThreadTeam& team) const;
  void multiply_graph(std::span<const double> spread, std::span<double> out,
                      ThreadTeam& team) const;
  void add_dense_rows(std::span<const std::uint32_t> positions, std::span<const double> x,
                      std::span<double> out, ThreadTeam& team) const;
  [[nodiscard]] bool is_whole() const { return at_.size() == store_->width; }

  std::shared_ptr<const Store> store_;
  std::vector<std::uint32_t> at_;       // the place of a position in the store, ascending
  std::vector<std::uint32_t> objects_;  // the object at a position
};

}  // namespace shiftcut::methods
