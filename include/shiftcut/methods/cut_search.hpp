// The classical cut costs of a grouping into exactly K clusters, and a local search that lowers
// them. With cut(k) the similarity from cluster k to all others, vol(k) the degrees in k, W_kk the
// similarity inside k (all over ordered pairs, the diagonal included) and |k| the size:
//   min_cut              sum cut(k)
//   ratio_association    - sum W_kk / |k|
//   ratio_cut            sum cut(k) / |k|
//   normalized_cut       sum cut(k) / vol(k)                                (Shi, Malik 2000)
//   adaptive_ratio_cut   sum over k < l of cut(k, l) (|k|^(-1/(p-1)) + |l|^(-1/(p-1)))^(p-1), p > 1
//                        (Buehler, Hein 2009); p = 2 is the ratio cut
// The search: random labels with no cluster empty; sweeps over the objects in fresh random order,
// each going where the cost falls most, if it falls, and never leaving a cluster empty; until a
// sweep moves nothing. The lowest cost of all restarts wins.
//
// Negative similarities are fine for min_cut, ratio_association and ratio_cut. normalized_cut needs
// every degree above 0; adaptive_ratio_cut needs similarities of different objects of 0 or more,
// for else a cut could be negative and its weight mean nothing.
//
// A sweep takes O(nK) and O(n) a move on a matrix, O(m + nK) on a graph of m edges; times K for
// adaptive_ratio_cut. Each restart that runs holds K n numbers on a matrix.
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
  int max_sweeps = 1000;  // a guard: a few dozen are usual
  std::uint64_t seed = 0;
  int threads = 0;  // 0: all; restarts run side by side
};

struct CutSearchResult {
  Labels labels;  // 0 is the largest cluster; all K have objects
  double cost = 0;
  int sweeps = 0;             // of the best restart
  bool converged = true;      // its last sweep moved nothing
  std::vector<double> costs;  // of each restart
};

/// The same for any number of threads. Throws std::invalid_argument for what is not allowed above,
/// Interrupted when told to stop.
CutSearchResult cut_search(const Similarities& similarities, const CutSearchOptions& options,
                           const Control& control = {});

/// The cost of given labels 0 .. K-1, no cluster empty (else std::invalid_argument).
double cut_cost(const Similarities& similarities, std::span<const std::int32_t> labels,
                CutCost cost, double p = 1.5);

}  // namespace shiftcut::methods
