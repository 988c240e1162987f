// The groupings at all strengths of the path that a shift was chosen from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shiftcut {

/// Labels at each point of Result::shift_path. Objects that the path kept together share a node, so
/// that large data take little more than one number per object, however long the path is.
struct PathLabels {
  static constexpr std::uint32_t kNoNode = 0xFFFFFFFF;  // of a row of weight 0

  std::vector<std::uint32_t> node_of;               // of each object
  std::vector<std::vector<std::int32_t>> of_nodes;  // at each point, from 0

  [[nodiscard]] std::size_t points() const { return of_nodes.size(); }
};

/// Labels of all objects at a point; -1 for those without a node.
std::vector<std::int32_t> labels_at_point(const PathLabels& path, std::size_t point);

/// The same groupings with numbers that stay along the path as far as possible: at `point` those of
/// `labels`, which are of the objects, and from there on those of the point before.
PathLabels numbered_after(const PathLabels& path, std::size_t point,
                          std::span<const std::int32_t> labels);

/// Objects that are in one cluster at a point and in another, or the same, at the next.
struct Flow {
  std::int32_t from = 0;
  std::int32_t to = 0;
  std::size_t objects = 0;
};

/// From `point` to `point` + 1, by `from` and then `to`.
std::vector<Flow> flows_from(const PathLabels& path, std::size_t point);

}  // namespace shiftcut
