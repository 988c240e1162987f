#include "constraints/pairs.hpp"

#include <cmath>

namespace shiftcut {

std::vector<PairEvidence> evidence_of(const LinkOptions& pairs, double unit) {
  std::vector<PairEvidence> evidence;
  const auto add = [&](const std::vector<ObjectPair>& some, double sign) {
    for (const ObjectPair& pair : some) {
      if (!is_certain(pair)) {
        evidence.push_back({pair.a, pair.b, sign * unit * pair.weight});
      }
    }
  };
  add(pairs.must_link, 1);
  add(pairs.cannot_link, -1);
  return evidence;
}

std::vector<bool> satisfied_pairs(const LinkOptions& pairs, std::span<const ClusterId> labels) {
  std::vector<bool> satisfied;
  for (const ObjectPair& pair : pairs.must_link) {
    satisfied.push_back(labels[pair.a] == labels[pair.b]);
  }
  for (const ObjectPair& pair : pairs.cannot_link) {
    satisfied.push_back(labels[pair.a] != labels[pair.b]);
  }
  return satisfied;
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
