#include "core/kernels/best_label.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/kernels/simd.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kEdgeLanes = 8;
using Doubles [[gnu::vector_size(64)]] = double;
using Labels [[gnu::vector_size(64)]] = std::int64_t;

constexpr double kNone = -std::numeric_limits<double>::infinity();
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

SHIFTCUT_INLINE void keep_larger(Doubles& most, const Doubles& other) {
  most = other > most ? other : most;
}

SHIFTCUT_INLINE double largest(Doubles v) {
  keep_larger(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3));
  keep_larger(v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5));
  keep_larger(v, __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6));
  return v[0];
}

SHIFTCUT_INLINE void keep_smaller(Labels& least, const Labels& other) {
  least = other < least ? other : least;
}

SHIFTCUT_INLINE std::int64_t smallest(Labels v) {
  keep_smaller(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3));
  keep_smaller(v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5));
  keep_smaller(v, __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6));
  return v[0];
}

// `Groups` groups of eight lanes: the edges come first, then copies of the node's own label. The
// last lane is always such a copy and so ends up with the weight of the edges to it.
template <std::size_t Groups, bool IsWeighted>
SHIFTCUT_INLINE BestLabel best_of_groups(LabelledEdges& edges, std::uint32_t own,
                                         double own_penalty, double same_weight) {
  const Labels own_label = Labels{} + static_cast<std::int64_t>(own);
  std::memcpy(edges.labels.data() + edges.count, &own_label, sizeof(own_label));
  if (Groups > 4) {
    std::memcpy(edges.labels.data() + edges.count + kEdgeLanes, &own_label, sizeof(own_label));
  }
  Labels labels[Groups];
  std::memcpy(labels, edges.labels.data(), sizeof(labels));
  Doubles weights[Groups] = {};
  for (std::size_t e = 0; e < edges.count; ++e) {
    const Labels label = Labels{} + edges.labels[e];
    const Doubles weight = Doubles{} + (IsWeighted ? edges.weights[e] : same_weight);
    for (std::size_t g = 0; g < Groups; ++g) {
      weights[g] += labels[g] == label ? weight : Doubles{};
    }
  }

  Doubles scores[Groups];
  std::memcpy(scores, edges.penalties.data(), sizeof(scores));
  Doubles most = Doubles{} + kNone;
  for (std::size_t g = 0; g < Groups; ++g) {
    scores[g] = labels[g] == own_label ? Doubles{} + kNone : weights[g] - scores[g];
    keep_larger(most, scores[g]);
  }
  BestLabel best{-1, 0, largest(most), kNone, weights[Groups - 1][kEdgeLanes - 1]};
  if (!(best.score > best.own_weight - own_penalty)) {
    return best;
  }

  Labels first = Labels{} + kLargest;
  for (std::size_t g = 0; g < Groups; ++g) {
    keep_smaller(first, scores[g] == best.score ? labels[g] : Labels{} + kLargest);
  }
  best.label = smallest(first);
  Doubles next = Doubles{} + kNone;
  Doubles weight = Doubles{} + kNone;
  for (std::size_t g = 0; g < Groups; ++g) {
    keep_larger(next, labels[g] == best.label ? Doubles{} + kNone : scores[g]);
    keep_larger(weight, labels[g] == best.label ? weights[g] : Doubles{} + kNone);
  }
  best.next_score = largest(next);
  best.weight = largest(weight);
  return best;
}

template <bool IsWeighted>
SHIFTCUT_INLINE BestLabel best_of(LabelledEdges& edges, std::uint32_t own, double own_penalty,
                                  double weight) {
  switch (edges.count / kEdgeLanes) {
    case 0:
      return best_of_groups<1, IsWeighted>(edges, own, own_penalty, weight);
    case 1:
      return best_of_groups<2, IsWeighted>(edges, own, own_penalty, weight);
    case 2:
      return best_of_groups<3, IsWeighted>(edges, own, own_penalty, weight);
    case 3:
      return best_of_groups<4, IsWeighted>(edges, own, own_penalty, weight);
    case 4:
    case 5:
      return best_of_groups<6, IsWeighted>(edges, own, own_penalty, weight);
    default:
      return best_of_groups<8, IsWeighted>(edges, own, own_penalty, weight);
  }
}

}  // namespace

BestLabel best_label(LabelledEdges& edges, std::uint32_t own, double own_penalty, double weight) {
  return run_simd([&]() SHIFTCUT_INLINED {
    return weight == 0 ? best_of<true>(edges, own, own_penalty, weight)
                       : best_of<false>(edges, own, own_penalty, weight);
  });
}

}  // namespace shiftcut
