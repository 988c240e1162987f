// Objects that must not share a cluster: whether labels satisfy that, how to repair labels that do
// not, and whether K clusters are enough. The last is graph colouring, with clusters as colours.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/partition.hpp"

namespace shiftcut {

/// The objects each one is in conflict with: sorted, without repeats, symmetric.
using ConflictLists = std::vector<std::vector<ObjectId>>;

struct Colouring {
  enum class Verdict { found, impossible, unknown };

  Verdict verdict = Verdict::found;
  std::vector<ClusterId> colours;  // if found: no conflict has one colour, all are below K
  std::vector<ObjectId> clique;    // if impossible by it: K + 1 objects all in conflict
  std::vector<ObjectId> core;      // if impossible: objects of one component that prove it
};

/// Colours with at most `most` colours: first greedily, then by saturation (Brelaz 1979), which is
/// mostly enough. Where it takes more, a component is searched exhaustively, up to a number of
/// steps beyond which the verdict is unknown.
Colouring colour(const ConflictLists& conflicts, std::size_t most);

/// A large set of objects all in conflict with each other, found greedily from each of them. Empty
/// only if there are no objects.
std::vector<ObjectId> find_clique(const ConflictLists& conflicts);

class Conflicts {
 public:
  /// `colours` satisfy all conflicts with as many colours as there may be clusters; with K free
  /// they are not needed.
  Conflicts(ConflictLists lists, std::vector<ClusterId> colours)
      : lists_(std::move(lists)), colours_(std::move(colours)) {}

  [[nodiscard]] bool satisfied_by(std::span<const ClusterId> labels) const;

  /// Changes labels until satisfied_by(): an object in conflict moves to an empty cluster, or, if
  /// all K are taken, to one where it is in no conflict; if there is none, its whole component of
  /// the conflict graph is labelled by the colours. Labels stay below K.
  void repair(std::span<ClusterId> labels, std::optional<std::size_t> clusters) const;

  [[nodiscard]] const ConflictLists& lists() const { return lists_; }

 private:
  [[nodiscard]] bool in_conflict(ObjectId v, std::span<const ClusterId> labels) const;
  void paint_piece(ObjectId v, std::span<ClusterId> labels) const;

  ConflictLists lists_;
  std::vector<ClusterId> colours_;
};

}  // namespace shiftcut
