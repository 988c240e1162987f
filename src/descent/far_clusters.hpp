// The best cluster for an object among those it has no edge to. Its affinity to such a cluster is
//   - |C| per_object(o) - per_degree R_C,
// so among clusters of one size only the one with the least degree sum R can be best: they are kept
// sorted by size, then R, and a look takes one step a size rather than one a cluster.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "core/partition.hpp"

namespace shiftcut {

class FarClusters {
 public:
  void insert(ClusterId k, double size, double degrees) { by_size_[size].emplace(degrees, k); }

  void erase(ClusterId k, double size, double degrees) {
    const auto it = by_size_.find(size);
    it->second.erase({degrees, k});
    if (it->second.empty()) {
      by_size_.erase(it);
    }
  }

  /// Calls visit(cluster, size, degrees) for the best cluster of each size that skip(cluster) does
  /// not rule out.
  template <class Skip, class Visit>
  void for_best_of_each_size(const Skip& skip, const Visit& visit) const {
    for (const auto& [size, clusters] : by_size_) {
      for (const auto& [degrees, k] : clusters) {
        if (!skip(k)) {
          visit(k, size, degrees);
          break;
        }
      }
    }
  }

 private:
  std::map<double, std::set<std::pair<double, ClusterId>>> by_size_;
};

}  // namespace shiftcut
