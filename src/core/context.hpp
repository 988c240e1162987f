// What a search needs besides its problem: random numbers, threads, when to stop, and who watches.
// It holds references only, so a copy with one of them replaced is cheap:
//   Rng own(seed, r);
//   descend(problem, labels, clusters, context.with(own));
#pragma once

#include <cstddef>
#include <functional>
#include <utility>

#include "core/rng.hpp"
#include "core/stop_check.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// Called after a sweep with the restart so far and the moves of that sweep.
using AfterSweep = std::function<void(const Restart&, std::size_t moves)>;

/// Passed as `const Context&`: what it refers to may change, and outlives every copy. Searches that
/// make restarts give restart r a stream of its own of (seed, r) and do not draw from `rng`, so
/// that neither threads nor other restarts change what it does.
struct Context {
  Rng& rng;
  ThreadTeam& team;
  StopCheck& stop;
  // Empty: nobody watches.
  AfterSweep after_sweep = {};  // NOLINT(readability-redundant-member-init)
  // What the attempts of a search are called in the checkpoint; null: they are not kept. Copies
  // with something replaced do not keep theirs.
  const char* kept_as = nullptr;

  [[nodiscard]] const Control& control() const { return stop.control(); }
  [[nodiscard]] bool should_stop() const { return stop.should_stop(); }

  [[nodiscard]] Context with(Rng& other) const { return {other, team, stop, after_sweep}; }
  [[nodiscard]] Context with(ThreadTeam& other) const { return {rng, other, stop, after_sweep}; }
  [[nodiscard]] Context with(AfterSweep other) const { return {rng, team, stop, std::move(other)}; }
  [[nodiscard]] Context unwatched() const { return {rng, team, stop, {}}; }
};

}  // namespace shiftcut
