// Why an object is in its cluster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/neighbors.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// S of the object and another one, evidence included; times the weight of the other, where rows
/// have weights.
struct Tie {
  std::size_t object = 0;
  double value = 0;
};

/// A cluster as the object sees it.
struct SeenCluster {
  std::int32_t cluster = -1;  // -1: one of its own
  std::size_t size = 0;
  double affinity = 0;    // S summed over the members other than the object
  std::vector<Tie> ties;  // the strongest, in decreasing order; only those above 0
};

struct Explanation {
  std::size_t object = 0;
  SeenCluster own;
  std::optional<SeenCluster> next;       // the best other one; none where no other is allowed
  double margin = 0;                     // of its own over `next`; moving there costs twice that
  std::vector<std::size_t> must_link;    // objects it must be with, without itself
  std::vector<std::size_t> cannot_link;  // those that it, or one of these, must not be with
  std::vector<std::size_t> uncertain;    // those it shares an uncertain pair with
  /// A member of `next` that keeps it out: of its own group, or of the group of an object it must
  /// be with, where a cluster may hold one object of a group.
  std::optional<std::size_t> rival;
};

/// Explains the place of `object` in the grouping `result` of run(input, options). At most `ties`
/// ties per cluster. O(n) similarities once they are prepared: neighbours are searched
/// again unless those of the run are given.
/// Throws std::invalid_argument for an object that does not exist.
Explanation explain(const Input& input, const Options& options, const Result& result,
                    std::size_t object, std::size_t ties = 5, const Control& control = {},
                    const NeighborTable* neighbors = nullptr);

/// A few lines for people.
std::string to_text(const Explanation& explanation, const Input& input);

/// One JSON object; ends in a newline.
std::string to_json(const Explanation& explanation);

}  // namespace shiftcut
