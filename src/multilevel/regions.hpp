// Regions of a graph: nodes found by going along edges, nearest first.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "core/partition.hpp"
#include "multilevel/level.hpp"

namespace shiftcut {

class Regions {
 public:
  explicit Regions(const SparseLevel& level) : level_(level), seen_(level.size(), 0) {}

  /// `node` and what can be reached from it through nodes that `belongs` accepts, breadth first, up
  /// to `most` nodes.
  template <class Belongs>
  std::vector<ObjectId> around(ObjectId node, const Belongs& belongs,
                               std::size_t most = std::numeric_limits<std::size_t>::max()) {
    const std::uint32_t stamp = ++stamp_;
    std::vector<ObjectId> found{node};
    seen_[node] = stamp;
    for (std::size_t i = 0; i < found.size() && found.size() < most; ++i) {
      level_.for_each_neighbor(found[i], [&](ObjectId u) {
        if (seen_[u] != stamp && found.size() < most && belongs(u)) {
          seen_[u] = stamp;
          found.push_back(u);
        }
      });
    }
    reached_ += found.size();
    return found;
  }

  /// The part of that region that is nearer to one of its ends than to the other. Never all of it
  /// unless it is one node.
  template <class Belongs>
  std::vector<ObjectId> half(ObjectId node, const Belongs& belongs) {
    const ObjectId one = around(node, belongs).back();
    const ObjectId other = around(one, belongs).back();
    if (one == other) {
      return {one};
    }
    // Both grow at once; what the first takes is marked for it.
    const std::uint32_t first = ++stamp_;
    const std::uint32_t second = ++stamp_;
    std::vector<ObjectId> found{one, other};
    seen_[one] = first;
    seen_[other] = second;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::uint32_t mark = seen_[found[i]];
      level_.for_each_neighbor(found[i], [&](ObjectId u) {
        if (seen_[u] != first && seen_[u] != second && belongs(u)) {
          seen_[u] = mark;
          found.push_back(u);
        }
      });
    }
    reached_ += found.size();
    std::erase_if(found, [&](ObjectId v) { return seen_[v] != first; });
    return found;
  }

  /// Nodes reached so far.
  [[nodiscard]] std::size_t seen() const { return reached_; }

 private:
  const SparseLevel& level_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t stamp_ = 0;
  std::size_t reached_ = 0;
};

}  // namespace shiftcut
