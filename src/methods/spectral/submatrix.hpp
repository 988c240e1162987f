// The similarities among some of the objects.
#pragma once

#include <span>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

/// Those of `members`, in ascending order and each once: a copy. A dense matrix of all objects is
/// not copied.
Similarities submatrix(const Similarities& similarities, std::span<const ObjectId> members,
                       ThreadTeam& team);

}  // namespace shiftcut::methods
