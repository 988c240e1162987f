// The different rows, moved and scaled so that float32 holds them and their squares well.
#pragma once

#include <vector>

#include "core/thread_team.hpp"
#include "neighbors/row_groups.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

/// A row for each group, less the median of every column: unlike the mean it stays with the bulk of
/// the rows when a few lie very far out, and the bulk keeps its digits. Then times a power of two,
/// so that no entry exceeds 2.
class ScaledRows {
 public:
  ScaledRows(const FeatureRows& rows, const RowGroups& groups, ThreadTeam& team);

  [[nodiscard]] std::size_t size() const { return groups_.size(); }
  [[nodiscard]] std::size_t length() const { return rows_.length(); }

  /// Writes the row of a group, `length()` numbers.
  void row(std::size_t group, double* out) const;

  /// Moves and scales another row in the same way.
  void place(double* row) const;

 private:
  const FeatureRows& rows_;
  const RowGroups& groups_;
  std::vector<double> centre_;
  double scale_ = 1;
};

}  // namespace shiftcut
