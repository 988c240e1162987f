// Size regularised cut (Chen, Zhang, Ji 2005): the cut plus alpha times how unequal the sides are,
//   1/4 s' (L + alpha v v') s = cut + alpha/4 (size_1 - size_2)^2,   s in {-1, 1}^n,
// L = D - W, v the size of each object. The eigenvector of the smallest eigenvalue solves the
// relaxation to real s. For two clusters and v = 1 it is the constant shift of the similarities by
// alpha. For more clusters, the cluster is split whose split most lowers
//   cut + alpha/2 sum_k size_k^2 - alpha/4 (sum v)^2,
// which for two clusters is the cost above. Each Lanczos step costs a product with W.
#pragma once

#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

enum class CutSize {
  cardinality,  // each object counts 1
  volume,       // each object counts its degree
};

enum class CutThreshold {
  sweep,  // the place of least cost along the eigenvector; exactly K clusters
  zero,   // by sign; a cluster whose eigenvector has one sign stays whole: at most K clusters
};

struct SizeRegularisedCutOptions {
  std::size_t clusters = 2;
  double alpha = 0;  // above 0; no value suits all data
  CutSize size = CutSize::cardinality;
  CutThreshold threshold = CutThreshold::sweep;
  int threads = 1;  // 0: one per core
};

struct SizeRegularisedCut {
  Labels labels;
  double cost = 0;             // as above, each pair in the cut counted once
  double value = 0;            // smallest eigenvalue, of all objects
  std::vector<double> vector;  // its eigenvector, of length 1
};

/// For v = 1 the eigenvector is constant while alpha n is below the second eigenvalue of L: the
/// relaxation prefers not to cut. `zero` then makes one cluster, `sweep` uses the second
/// eigenvector of L. Where alpha outweighs L by 1e5 or more, the eigenvector, which no longer
/// changes, is computed at that weight. Throws std::invalid_argument for negative similarities,
/// more clusters than objects, alpha not above 0 and, under `volume`, for an object of degree 0.
SizeRegularisedCut size_regularised_cut(const Similarities& similarities,
                                        const SizeRegularisedCutOptions& options,
                                        const Control& control = {});

/// The cost above, of any labels 0 .. K-1.
double size_regularised_cost(const Similarities& similarities, const Labels& labels, double alpha,
                             CutSize size);

}  // namespace shiftcut::methods
