// The best of the labels that the edges of a node lead to. Every edge is compared with every other
// one, eight at a time, rather than looked up in a table: for few edges that is faster, as nothing
// has to be guessed by the processor.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace shiftcut {

/// So many edges at most.
inline constexpr std::size_t kMostLabels = 63;

/// Where edges lead to. The score of a label is the weight of the edges to it, summed, less what
/// speaks against it.
struct LabelledEdges {
  static constexpr std::size_t kRoom = kMostLabels + 17;

  alignas(64) std::array<std::int64_t, kRoom> labels;
  alignas(64) std::array<double, kRoom> weights;  // not looked at where all are the same
  alignas(64) std::array<double, kRoom> against;
  std::size_t count = 0;
};

struct BestLabel {
  std::int64_t label;  // -1: none is better than its own
  double weight;       // of the edges to it
  double score;        // of the best, also where its own is better; -infinity: there is no other
  double next_score;   // of the second best, if there is a label
  double own_weight;
};

/// The label of the highest score among those other than `own`, of several the first by number;
/// against the node's own there is `own_against`. All weights are `weight` unless that is 0.
BestLabel best_label(LabelledEdges& edges, std::uint32_t own, double own_against, double weight);

}  // namespace shiftcut
