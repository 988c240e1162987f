// Objects that may not share a cluster, for a search: whether labels keep to it, and how to mend
// them if not.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "constraints/colouring.hpp"
#include "core/partition.hpp"

namespace shiftcut {

class Conflicts {
 public:
  /// `colours` keep all conflicts apart, with as many colours as there may be clusters; with K free
  /// nobody asks for them.
  Conflicts(ConflictLists lists, std::vector<ClusterId> colours)
      : lists_(std::move(lists)), colours_(std::move(colours)) {}

  [[nodiscard]] bool satisfied_by(std::span<const ClusterId> labels) const;

  /// Changes labels until satisfied_by(): an object in conflict goes to an empty cluster, or where
  /// K clusters leave none to one where it is in no conflict; where there is none of these, its
  /// whole piece of the conflict graph is labelled by the colours. Labels stay below K.
  void repair(std::span<ClusterId> labels, std::optional<std::size_t> clusters) const;

  [[nodiscard]] const ConflictLists& lists() const { return lists_; }

 private:
  [[nodiscard]] bool in_conflict(ObjectId v, std::span<const ClusterId> labels) const;
  void paint_piece(ObjectId v, std::span<ClusterId> labels) const;

  ConflictLists lists_;
  std::vector<ClusterId> colours_;
};

}  // namespace shiftcut
