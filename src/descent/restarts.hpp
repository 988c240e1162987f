// Several attempts at one problem, side by side where that pays; the lowest cost wins.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "descent/descend.hpp"
#include "problem/problem.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

struct Solution {
  std::vector<ClusterId> labels;
  double cost = 0;
  std::vector<Restart> restarts;  // what was done for it, in order
  bool is_repaired = false;       // objects were moved in the end to keep to what is known of them
};

/// Random labels. With K free: on a graph every object by itself, else a few random clusters, other
/// ones being opened where they are needed.
std::vector<ClusterId> random_labels(const Problem& problem, std::optional<std::size_t> clusters,
                                     Rng& rng);

/// How many attempts run side by side: as many as threads, unless what each keeps per object is not
/// small beside the data, or it makes better use of the threads itself.
int lanes_for(const Problem& problem, std::size_t attempts, const ThreadTeam& team);

/// Streams first, first + 1, ... of the random numbers of a seed, one for each attempt.
struct Streams {
  std::uint64_t seed = 0;
  std::uint64_t first = 0;
};

/// Attempt r; it may depend on r and its random numbers alone, not on how many threads it has.
using Attempt = std::function<Solution(std::size_t r, const Context& context)>;

/// The best of attempts 0 .. count-1 (of equal ones the first), with the restarts of all. Attempt r
/// draws from stream first + r. Stopped early, the best of those that ran; the first always does.
Solution best_of(std::size_t count, int lanes, const Streams& streams, const Context& context,
                 const Attempt& attempt);

}  // namespace shiftcut
