// What a person shows on the map, as answers about pairs: two clusters are one, an object belongs
// to a cluster, a selection is a cluster of its own. Answers come in rounds, few first, until the
// grouping follows: a link binds the two objects it names, not all that look like them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "shiftcut/feedback.hpp"
#include "shiftcut/layout.hpp"

namespace shiftcut {

using Labels = std::vector<std::int32_t>;

class Lesson {
 public:
  Lesson() = default;
  virtual ~Lesson() = default;
  Lesson(const Lesson&) = delete;
  Lesson& operator=(const Lesson&) = delete;
  Lesson(Lesson&&) = delete;
  Lesson& operator=(Lesson&&) = delete;

  /// Whether a grouping shows what was taught.
  [[nodiscard]] virtual bool is_learned(const Labels& labels) const = 0;
  /// What to add; empty: there is no more to say.
  [[nodiscard]] virtual std::vector<Answer> next(const Labels& labels) = 0;
};

/// Must-links between members of both clusters.
std::unique_ptr<Lesson> merge(const Labels& labels, std::int32_t a, std::int32_t b);

/// Must-links of the objects to typical members of the cluster, those in its middle on the map.
std::unique_ptr<Lesson> move_to(const Labels& labels, const Layout& layout,
                                std::vector<std::uint32_t> objects, std::int32_t cluster);

/// A must-link of the object to typical members of its cluster.
std::unique_ptr<Lesson> pin(const Labels& labels, const Layout& layout, std::uint32_t object);

/// Must-links within the selection, and cannot-links between it and the clusters it is taken from;
/// if there is room for another cluster, to the others as well.
std::unique_ptr<Lesson> split(const Labels& labels, std::vector<std::uint32_t> selection,
                              bool has_room);

}  // namespace shiftcut
