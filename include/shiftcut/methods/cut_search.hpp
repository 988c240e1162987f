// The classical cut costs of a grouping into exactly K clusters, and a local search that lowers
// them. With cut(k) the similarity from cluster k to all others, vol(k) the degrees in k, W_kk the
// similarity inside k (all over ordered pairs, the diagonal included) and |k| the size:
//   min_cut              sum cut(k)
//   ratio_association    - sum W_kk / |k|
//   ratio_cut            sum cut(k) / |k|
//   normalized_cut       sum cut(k) / vol(k)                                (Shi, Malik 2000)
//   adaptive_ratio_cut   sum over k < l of cut(k, l) (|k|^(-1/(p-1)) + |l|^(-1/(p-1)))^(p-1), p > 1
//                        (Buehler, Hein 2009); p = 2 is the ratio cut
// The search starts from random labels with no cluster empty. A sweep visits the objects in random
// order and moves each to the cluster that lowers the cost most, if any does, never leaving a
// cluster empty; the search ends when a sweep moves nothing. The restart of the lowest cost wins.
//
// Negative similarities are allowed for min_cut, ratio_association and ratio_cut. normalized_cut
// needs every degree above 0; adaptive_ratio_cut needs non-negative similarities of different
// objects, because the weight of a negative cut would be meaningless.
//
// A sweep takes O(nK), and O(n) per move, on a matrix, and O(m + nK) on a graph of m edges; K times
// that for adaptive_ratio_cut. On a matrix, each running restart holds K n numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

enum class CutCost { min_cut, ratio_association, ratio_cut, normalized_cut, adaptive_ratio_cut };

/// By the names above; throws std::invalid_argument for others.
CutCost cut_cost_named(std::string_view name);

struct CutSearchOptions {
  std::size_t clusters = 2;
  CutCost cost = CutCost::normalized_cut;
  double p = 1.5;  // of adaptive_ratio_cut
  int restarts = 10;
  int max_sweeps = 1000;  // a safeguard: a few dozen are typical
  std::uint64_t seed = 0;
  int threads = 0;  // 0: all; restarts run in parallel
};

struct CutSearchResult {
  Labels labels;  // 0 is the largest cluster; all K have objects
  double cost = 0;
  int sweeps = 0;             // of the best restart
  bool converged = true;      // its last sweep moved nothing
  std::vector<double> costs;  // of each restart
};

/// The same for any number of threads. Throws std::invalid_argument for input not allowed above, or
/// Interrupted when asked to stop.
CutSearchResult cut_search(const Similarities& similarities, const CutSearchOptions& options,
                           const Control& control = {});

/// The cost of given labels 0 .. K-1, no cluster empty (else std::invalid_argument).
double cut_cost(const Similarities& similarities, std::span<const std::int32_t> labels,
                CutCost cost, double p = 1.5);

/// The cost of correlation clustering (Bansal, Blum, Chawla 2004): negative similarities inside
/// clusters and positive ones between them. Over ordered pairs, the diagonal included, and with X
/// the similarities minus a threshold:
///   R_CC = 1/2 sum_intra (|X| - X) + 1/2 sum_inter (|X| + X)
/// That is the min cut plus 1/2 sum (|X| - X), and the cost of the shifted min cut on X plus
/// 1/2 sum (|X| + X): constants, so all three have the same best groupings.
struct CorrelationCost {
  double cost = 0;           // R_CC
  double disagreements = 0;  // the same over unordered pairs of different objects
};

/// Pairs of a graph that share no edge count as 0 - threshold, without being visited. Throws
/// std::invalid_argument unless there is one label per object.
CorrelationCost correlation_cost(const Similarities& similarities,
                                 std::span<const std::int32_t> labels, double threshold = 0);

}  // namespace shiftcut::methods
