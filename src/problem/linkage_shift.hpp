// The shift for graphs of log-odds that two records match, of which blocking left out most pairs.
//
// The log-odds z_ij = log(p_ij / (1 - p_ij)) of a pair contain how rare matches are among all
// candidate pairs, pi = mean p. For the ends of a path i-k-j of two likely matches that is the
// wrong prior: they match whenever both steps do. Their evidence is therefore judged at
//   pi_ij = pi + t_ij (rho - pi),  t_ij = max over k of p_ik p_kj (p_ik, p_kj >= 1/2),
// so that X_ij = z_ij + logit pi_ij - logit pi where pi_ij > pi (a change of priors as in Saerens,
// Latinne, Decaestecker 2002). Pairs without a probability count as log-odds of -a: blocking says
// little about a pair whose other evidence puts it into one cluster. As a shift,
//   alpha_ij = a without an edge, -(logit pi_ij - logit pi) with one.
#pragma once

#include <cstddef>
#include <memory>

#include "core/thread_team.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut {

struct LinkageShift {
  /// Log-odds minus strength * (alpha - a): what is left to subtract is strength * a from all
  /// pairs.
  std::shared_ptr<const SparseMatrix> edges;
  double absent = 0;       // a
  double base_rate = 0;    // pi
  std::size_t raised = 0;  // pairs judged at a higher prior
};

/// `log_odds` is symmetric and finite. The same on any number of threads.
LinkageShift linkage_shift(const SparseMatrix& log_odds, double strength, ThreadTeam& team);

}  // namespace shiftcut
