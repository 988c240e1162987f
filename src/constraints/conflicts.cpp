#include "constraints/conflicts.hpp"

#include <algorithm>

namespace shiftcut {

bool Conflicts::in_conflict(ObjectId v, std::span<const ClusterId> labels) const {
  return std::any_of(lists_[v].begin(), lists_[v].end(),
                     [&](ObjectId u) { return labels[u] == labels[v]; });
}

bool Conflicts::satisfied_by(std::span<const ClusterId> labels) const {
  for (ObjectId v = 0; v < labels.size(); ++v) {
    if (in_conflict(v, labels)) {
      return false;
    }
  }
  return true;
}

// A piece is everyone that conflicts lead to; outside it nobody minds.
void Conflicts::paint_piece(ObjectId v, std::span<ClusterId> labels) const {
  std::vector<ObjectId> piece{v};
  std::vector<bool> seen(labels.size(), false);
  seen[v] = true;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    labels[piece[i]] = colours_[piece[i]];
    for (const ObjectId u : lists_[piece[i]]) {
      if (!seen[u]) {
        seen[u] = true;
        piece.push_back(u);
      }
    }
  }
}

void Conflicts::repair(std::span<ClusterId> labels, std::optional<std::size_t> clusters) const {
  const std::size_t largest = *std::max_element(labels.begin(), labels.end());
  std::vector<std::size_t> sizes(std::max({clusters.value_or(0), labels.size(), largest + 1}), 0);
  for (const ClusterId k : labels) {
    ++sizes[k];
  }
  ClusterId empty = 0;
  for (ObjectId v = 0; v < labels.size(); ++v) {
    if (!in_conflict(v, labels)) {
      continue;
    }
    const auto is_open = [&](ClusterId k) {
      return std::none_of(lists_[v].begin(), lists_[v].end(),
                          [&](ObjectId u) { return labels[u] == k; });
    };
    ClusterId to = kNoCluster;
    while (empty < clusters.value_or(sizes.size()) && sizes[empty] > 0) {
      ++empty;
    }
    if (empty < clusters.value_or(sizes.size())) {
      to = empty;
    } else if (clusters) {
      for (std::size_t step = 1; step < *clusters && to == kNoCluster; ++step) {
        const auto k = static_cast<ClusterId>((labels[v] + step) % *clusters);
        to = is_open(k) ? k : to;
      }
    }
    if (to == kNoCluster) {
      paint_piece(v, labels);
      continue;
    }
    if (--sizes[labels[v]] == 0 && labels[v] < empty) {
      empty = labels[v];
    }
    ++sizes[to];
    labels[v] = to;
  }
}

}  // namespace shiftcut
