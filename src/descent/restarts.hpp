// Several attempts at one problem, side by side where that pays; the lowest cost wins. Threads
// never change the result: attempt r draws from its own stream of random numbers.
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
  std::vector<Restart> restarts;  // all attempts, in order
  bool is_repaired = false;       // objects were moved at the end to satisfy constraints
  // Of the solution that bounds on sizes were not applied to, where they changed it.
  std::optional<double> unbounded_cost = {};  // NOLINT(readability-redundant-member-init)
  std::size_t moved = 0;                      // objects that are elsewhere than in that
};

/// Random labels. With K free, every object of a graph is a cluster of its own; otherwise there are
/// a few random clusters, and descents open others as needed.
std::vector<ClusterId> random_labels(const Problem& problem, std::optional<std::size_t> clusters,
                                     Rng& rng);

/// How many attempts to run side by side: one per thread, unless what each of them keeps per object
/// would not be small beside the data.
int lanes_for(const Problem& problem, std::size_t attempts, const ThreadTeam& team);

/// The random numbers of attempts: streams first, first + 1, ... of a seed.
struct Streams {
  std::uint64_t seed = 0;
  std::uint64_t first = 0;
};

/// Attempt r. Its result may depend on r and its random numbers, but not on its number of threads.
using Attempt = std::function<Solution(std::size_t r, const Context& context)>;

/// What `make` returns, kept in the checkpoint under the context's name and this number, or found
/// there: labels of `objects` objects. Short work, and what a stop has cut short, is not kept.
Solution kept(const Context& context, std::uint64_t number, std::size_t objects,
              const std::function<Solution()>& make);

/// The best of attempts 0 .. count-1 (the first in a tie), with the restarts of all. If stopped
/// early, the best of those that ran; the first always runs.
Solution best_of(std::size_t count, int lanes, const Streams& streams, const Context& context,
                 const Attempt& attempt);

}  // namespace shiftcut
