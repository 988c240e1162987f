// Pairs of objects that people have spoken about: what uncertain ones add to S, and how many a
// grouping satisfies.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "core/partition.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

inline bool is_certain(const ObjectPair& pair) { return pair.weight == ObjectPair::kCertain; }

/// What an uncertain pair adds to S_ab and S_ba.
struct PairEvidence {
  ObjectId a = 0;
  ObjectId b = 0;
  double value = 0;  // below 0 for a cannot-link
};

/// Of all uncertain pairs, must-links first. A weight of 1 counts `unit`.
std::vector<PairEvidence> evidence_of(const LinkOptions& pairs, double unit = 1);

/// Whether `labels` satisfy each pair, must-links first.
std::vector<bool> satisfied_pairs(const LinkOptions& pairs, std::span<const ClusterId> labels);

/// How many more pairs the second grouping satisfies, less the square root of how many the two
/// differ on: above 0 where it is significantly better (the sign test at one standard deviation).
double significantly_more(const std::vector<bool>& first, const std::vector<bool>& second);

/// What pairs add to S, stored beside a problem that has no matrix to add it to.
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
