// Where the entries of lists go when these are read backwards, on all threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/thread_team.hpp"
#include "neighbors/tuning.hpp"

namespace shiftcut {

/// Reads n lists backwards: each(i, use) calls use(target, entry) for the entries of list i, and
/// put(place, i, entry) writes one of them to its place. Places are ordered by target, then by i,
/// then as in the list. Returns the offsets of the n targets; room(count) is called once before
/// anything is written.
template <class Each, class Room, class Put>
std::vector<std::size_t> reverse_lists(std::size_t n, ThreadTeam& team, const Each& each,
                                       const Room& room, const Put& put) {
  const std::size_t parts = std::min(n, kReversedParts);
  std::vector<std::vector<std::uint32_t>> counts(parts);
  const auto for_each_part = [&](const auto& use) {
    team.for_each(parts, [&](std::size_t part, int) {
      for (std::size_t i = part * n / parts; i < (part + 1) * n / parts; ++i) {
        team.poll_each(i);
        use(part, i);
      }
    });
  };
  for (std::vector<std::uint32_t>& of_part : counts) {
    team.poll();
    of_part.assign(n, 0);
  }
  for_each_part([&](std::size_t part, std::size_t i) {
    each(i, [&](std::size_t target, std::size_t) { ++counts[part][target]; });
  });
  std::vector<std::size_t> offsets(n + 1, 0);
  for (std::size_t target = 0; target < n; ++target) {  // counts become places after the offset
    std::uint32_t before = 0;
    for (std::vector<std::uint32_t>& of_part : counts) {
      const std::uint32_t here = of_part[target];
      of_part[target] = before;
      before += here;
    }
    offsets[target + 1] = offsets[target] + before;
  }
  room(offsets.back());
  for_each_part([&](std::size_t part, std::size_t i) {
    each(i, [&](std::size_t target, std::size_t entry) {
      put(offsets[target] + counts[part][target]++, i, entry);
    });
  });
  return offsets;
}

}  // namespace shiftcut
