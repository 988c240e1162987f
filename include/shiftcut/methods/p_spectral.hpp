// p-spectral clustering (Buehler, Hein 2009). A cluster is split in two along the vector that makes
//   F_p(u) = sum_{i<j} w_ij |u_i - u_j|^p / min_c sum_i g_i |u_i - c|^p
// least, the second eigenvector of the graph p-Laplacian. At p = 2 that is the eigenvector of
// spectral clustering; as p approaches 1, its best threshold approaches the optimal Cheeger cut. g
// is 1 or, normalised, the degrees. p decreases from 2 by factors of 0.9, and each minimum is the
// start of the next. For K clusters, the cluster to split is the one whose split gives the least
// total ratio (normalised) cut.
#pragma once

#include <span>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/methods/similarities.hpp"

namespace shiftcut::methods {

enum class CutCriterion {
  cheeger,  // cut / the smaller g of the two sides, in the cluster that is split
  ratio,    // cut / g summed over both sides, each cut against the whole graph
};

struct PSpectralOptions {
  std::size_t clusters = 2;
  double p = 1.2;  // in (1, 2]; closer to 1, cuts are better and take more steps
  bool normalized = true;
  CutCriterion criterion = CutCriterion::cheeger;
  int max_steps = 100;  // at each p, for each split
  int threads = 1;      // 0: one per core
};

struct PSpectralResult {
  Labels labels;   // exactly K clusters
  double cut = 0;  // ratio cut or, normalised, normalised cut: sum over clusters of cut / g
  int steps = 0;   // of all splits
};

/// Takes the best threshold, by the criterion, of all vectors on the way down from p = 2. A
/// disconnected cluster is split between its components, the largest first, each to the side with
/// less g. Each step costs a few passes over the similarities that compute a power of each, and
/// dozens that do not; a matrix of n objects needs n^2 floats of additional memory.
/// Throws std::invalid_argument for negative similarities, more clusters than objects, p out of
/// range and, normalised, for an object of degree 0.
PSpectralResult p_spectral(const Similarities& similarities, const PSpectralOptions& options,
                           const Control& control = {});

struct PEigenpair {
  double value = 0;             // F_p, which at a minimum is the second eigenvalue
  std::vector<double> vector;   // largest entry 1 or -1; sum g |u|^p least among its shifts
  std::vector<double> history;  // F_p at the start and after each step, at the final p
  bool converged = false;
};

/// The minimum that the path from p = 2 leads to; F_p has others. At least two objects. `clusters`
/// and `criterion` have no effect.
PEigenpair p_eigenpair(const Similarities& similarities, const PSpectralOptions& options,
                       const Control& control = {});

/// F_p of a vector that is not constant; 1 < p <= 2.
double p_functional(const Similarities& similarities, std::span<const double> u, double p,
                    bool normalized, int threads = 1);

}  // namespace shiftcut::methods
