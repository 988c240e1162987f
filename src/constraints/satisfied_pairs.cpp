#include "constraints/satisfied_pairs.hpp"

#include <cmath>

namespace shiftcut {

std::vector<bool> satisfied_pairs(const LinkOptions& pairs, std::span<const ClusterId> labels) {
  std::vector<bool> kept;
  for (const ObjectPair& pair : pairs.must_link) {
    kept.push_back(labels[pair.a] == labels[pair.b]);
  }
  for (const ObjectPair& pair : pairs.cannot_link) {
    kept.push_back(labels[pair.a] != labels[pair.b]);
  }
  return kept;
}

double significantly_more(const std::vector<bool>& first, const std::vector<bool>& second) {
  double more = 0;
  double differ = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] != second[i]) {
      more += second[i] ? 1 : -1;
      ++differ;
    }
  }
  return more - std::sqrt(differ);
}

}  // namespace shiftcut
