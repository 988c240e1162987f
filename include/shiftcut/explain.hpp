// Why an object is in its cluster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// S of the object and another one, evidence included.
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
  std::optional<SeenCluster> next;       // the best other one; none where there may be no other
  double margin = 0;                     // by how much its own is better; moving costs twice that
  std::vector<std::size_t> must_link;    // objects it is certain to be with, itself left out
  std::vector<std::size_t> cannot_link;  // those it, or one of them, is certain not to be with
  std::vector<std::size_t> uncertain;    // those it has a pair with a weight with
  /// In `next`: an object of its group, or of that of one it must be with, where a cluster may have
  /// one of a group.
  std::optional<std::size_t> rival;
};

/// Explains the place of `object` in the grouping `result` of run(input, options). At most `ties`
/// ties for a cluster. O(n) similarities, after what they need: neighbours are
/// searched again unless the run kept them (Options::keep_neighbors).
/// Throws std::invalid_argument for an object that is none.
Explanation explain(const Input& input, const Options& options, const Result& result,
                    std::size_t object, std::size_t ties = 5, const Control& control = {});

/// In words and numbers, some lines.
std::string to_text(const Explanation& explanation, const Input& input);

/// One JSON object; ends in a newline.
std::string to_json(const Explanation& explanation);

}  // namespace shiftcut
