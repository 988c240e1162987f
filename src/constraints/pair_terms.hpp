// What pairs add to S, kept beside a problem that has no matrix to add it to.
#pragma once

#include <span>
#include <utility>

#include "core/partition.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut {

class PairTerms {
 public:
  PairTerms() = default;  // none
  /// Symmetric. What stands on the diagonal counts in the cost alone.
  explicit PairTerms(SparseMatrix matrix) : matrix_(std::move(matrix)) {}

  [[nodiscard]] bool empty() const { return matrix_.values.empty(); }
  [[nodiscard]] bool touch(ObjectId i) const { return !empty() && !columns(i).empty(); }

  /// Calls visit(j, value) for all j that i has a term with, itself left out.
  template <class Visit>
  void for_each(ObjectId i, const Visit& visit) const {
    if (empty()) {
      return;
    }
    for (auto e = begin(i); e < end(i); ++e) {
      if (matrix_.columns[e] != i) {
        visit(ObjectId{matrix_.columns[e]}, matrix_.values[e]);
      }
    }
  }

  [[nodiscard]] double between(ObjectId i, ObjectId j) const {
    for (auto e = begin(i); !empty() && e < end(i); ++e) {
      if (matrix_.columns[e] == j) {
        return matrix_.values[e];
      }
    }
    return 0;
  }

  /// Summed over ordered pairs of one label, i = j included.
  [[nodiscard]] double within(std::span<const ClusterId> labels) const {
    double sum = 0;
    for (ObjectId i = 0; !empty() && i < labels.size(); ++i) {
      for (auto e = begin(i); e < end(i); ++e) {
        sum += labels[matrix_.columns[e]] == labels[i] ? matrix_.values[e] : 0.0;
      }
    }
    return sum;
  }

 private:
  [[nodiscard]] std::size_t begin(ObjectId i) const {
    return empty() ? 0 : static_cast<std::size_t>(matrix_.offsets[i]);
  }
  [[nodiscard]] std::size_t end(ObjectId i) const {
    return empty() ? 0 : static_cast<std::size_t>(matrix_.offsets[i + 1]);
  }
  [[nodiscard]] std::span<const std::uint32_t> columns(ObjectId i) const {
    return std::span(matrix_.columns).subspan(begin(i), end(i) - begin(i));
  }

  SparseMatrix matrix_;
};

}  // namespace shiftcut
