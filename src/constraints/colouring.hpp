// Objects that may not share a cluster, as a graph whose colours are clusters: whether K of them
// are enough.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/partition.hpp"

namespace shiftcut {

/// Who may not be with whom: sorted, without repeats, symmetric.
using ConflictLists = std::vector<std::vector<ObjectId>>;

struct Colouring {
  enum class Verdict { found, impossible, unknown };

  Verdict verdict = Verdict::found;
  std::vector<ClusterId> colours;  // if found: no conflict has one colour, all are below K
  std::vector<ObjectId> clique;    // if impossible by it: K + 1 objects all in conflict
  std::vector<ObjectId> core;      // if impossible: objects, all in one piece, that prove it
};

/// Colours with at most `most` colours. First each with the lowest that is free, then by saturation
/// (Brelaz 1979), which is mostly enough; where it takes more, a piece is searched exhaustively
/// within a bound, beyond which the verdict is unknown.
Colouring colour(const ConflictLists& conflicts, std::size_t most);

/// A large set of objects all in conflict with each other, greedily: the largest found from every
/// one of them. Not empty unless there are no objects.
std::vector<ObjectId> find_clique(const ConflictLists& conflicts);

}  // namespace shiftcut
