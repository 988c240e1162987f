// Two ways to improve on solutions that no single move improves. Recombination crosses two
// solutions: objects that share a cluster in both move as one, so that the child can be like one
// parent in one place and like the other elsewhere (as Sanders and Schulz 2012 combine partitions).
// Perturbation changes one solution at random (merges two clusters, splits one, moves part of one),
// descends again, and keeps the result if it is lower.
#pragma once

#include <optional>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "descent/restarts.hpp"
#include "problem/problem.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

struct RecombineOptions {
  std::optional<std::size_t> clusters;
  bool is_thorough = true;  // ends with a multilevel cycle instead of a descent
};

/// The lowest of two solutions for a graph and of their child. A single-move local optimum if both
/// are, unless stopped. Fills in all of its one Restart except `seconds`.
Solution recombine(const Problem& problem, const Solution& one, const Solution& other,
                   const RecombineOptions& options, const Context& context);

struct PerturbOptions {
  std::optional<std::size_t> clusters;
  int sweeps = 1;  // work of all trials together; there is at least one trial
};

/// Perturbs `labels`, a local optimum of cost `cost`; returns the lowest local optimum met in
/// `labels`. Fills in all of the Restart except `seconds`.
Restart perturb(const Problem& problem, std::vector<ClusterId>& labels, double cost,
                const PerturbOptions& options, const Context& context);

/// The same on a graph, where a trial costs time for the changed region only. Leaves the method of
/// the Restart to the caller.
Restart perturb_graph(const Problem& problem, std::vector<ClusterId>& labels, double cost,
                      const PerturbOptions& options, const Context& context);

}  // namespace shiftcut
