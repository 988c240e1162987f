// Objects that may not share a cluster, for a search: whether labels keep to it, and how to mend
// them if not.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "links/colouring.hpp"

namespace shiftcut {

class Apart {
 public:
  /// `colours` keep all conflicts apart, with as many colours as there may be clusters; with K free
  /// nobody asks for them.
  Apart(ConflictLists conflicts, std::vector<ClusterId> colours)
      : conflicts_(std::move(conflicts)), colours_(std::move(colours)) {}

  [[nodiscard]] bool holds(std::span<const ClusterId> labels) const;

  /// Changes labels until holds(): an object in conflict goes to an empty cluster, or where K
  /// clusters leave none to one where it is in no conflict; where there is none of these, its whole
  /// piece of the conflict graph is labelled by the colours. Labels stay below K.
  void mend(std::span<ClusterId> labels, std::optional<std::size_t> clusters) const;

  [[nodiscard]] const ConflictLists& conflicts() const { return conflicts_; }

 private:
  [[nodiscard]] bool in_conflict(ObjectId v, std::span<const ClusterId> labels) const;
  void paint_piece(ObjectId v, std::span<ClusterId> labels) const;

  ConflictLists conflicts_;
  std::vector<ClusterId> colours_;
};

}  // namespace shiftcut
