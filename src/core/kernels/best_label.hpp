// The best cluster among those a node's edges lead to, for nodes of low degree: with w_k the total
// weight of the edges to label k and penalty_k what counts against it, the label that maximises
//   score_k = w_k - penalty_k.
// Every edge is compared with every other one, eight at a time, instead of being looked up in a
// hash table: quadratic in the degree, but free of unpredictable branches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace shiftcut {

/// The largest degree best_label() accepts.
inline constexpr std::size_t kMostLabels = 63;

/// The edges of one node, by the label of their other end.
struct LabelledEdges {
  static constexpr std::size_t kCapacity = kMostLabels + 17;

  alignas(64) std::array<std::int64_t, kCapacity> labels;
  alignas(64) std::array<double, kCapacity> weights;  // unused where all weights are equal
  alignas(64) std::array<double, kCapacity> penalties;
  std::size_t count = 0;
};

struct BestLabel {
  std::int64_t label;  // -1: no other label scores higher than the node's own
  double weight;       // of the edges to `label`
  double score;        // the highest of any other label; -infinity if there is none
  double next_score;   // the second highest, if `label` is set
  double own_weight;
};

/// The label with the highest score among those other than `own`, the lowest number in a tie. The
/// node's own label has the penalty `own_penalty`. All edges have weight `weight` unless it is 0;
/// then edges.weights counts.
BestLabel best_label(LabelledEdges& edges, std::uint32_t own, double own_penalty, double weight);

}  // namespace shiftcut
