// A problem is what a search works on: similarities less their shift, S = X - strength * alpha, and
// the constraints. Every kind has size(), shifted(i, j), cost(labels) and tolerance(); each search
// uses what else a kind offers.
#pragma once

#include <span>
#include <variant>

#include "problem/dense_problem.hpp"
#include "problem/gram_problem.hpp"
#include "problem/graph_problem.hpp"
#include "problem/sparse_gram_problem.hpp"

namespace shiftcut {

using Problem = std::variant<GramProblem, SparseGramProblem, DenseProblem, GraphProblem>;

std::size_t size(const Problem& problem);

/// The problem of the nodes of `constraints`, whose evidence is in the units of S: a partition of
/// the nodes costs what that of their objects does, less the evidence within its clusters.
Problem linked(const Problem& problem, const Constraints& constraints, ThreadTeam& team);

/// Objects that must not share a cluster; null: there are none.
const Conflicts* conflicts(const Problem& problem);

/// S_ij.
double shifted(const Problem& problem, ObjectId i, ObjectId j);

/// R = - sum over clusters of sum over ordered pairs i, j in it, i = j included, of S_ij.
double cost(const Problem& problem, std::span<const ClusterId> labels, ThreadTeam& team);

/// What moving `object` to cluster `to` adds to the cost: twice its affinity to its own cluster
/// less that to the other. O(n) pairs.
double cost_change(const Problem& problem, std::span<const ClusterId> labels, ObjectId object,
                   ClusterId to);

/// Min Cut: the sum of S over ordered pairs in different clusters = R + sum S.
double min_cut_cost(const Problem& problem, std::span<const ClusterId> labels, ThreadTeam& team);

/// Correlation Clustering: half the sum of |S| - S within clusters and of |S| + S between them
/// = Min Cut + half the sum of |S| - S. O(n^2) pairs.
double correlation_cost(const Problem& problem, std::span<const ClusterId> labels,
                        ThreadTeam& team);

}  // namespace shiftcut
