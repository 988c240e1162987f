// Which pairs to ask a person about: a strategy scores a sample of the pairs whose answers are
// still open, and the best are asked.
#pragma once

#include <span>
#include <vector>

#include "core/rng.hpp"
#include "core/thread_team.hpp"
#include "feedback/pair_view.hpp"
#include "shiftcut/feedback.hpp"

namespace shiftcut {

/// Up to `count` pairs, the best first, no object more than once unless there are too few. Fewer
/// only if nearly all pairs are settled. Looks at a few thousand pairs, and at every edge of a
/// graph once.
std::vector<Question> choose_pairs(const PairView& view, std::span<const ClusterId> labels,
                                   Strategy strategy, std::size_t count, Rng& rng,
                                   ThreadTeam& team);

}  // namespace shiftcut
