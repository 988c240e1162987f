// Perturbation: the best grouping so far is changed on purpose (two clusters merged, one split in
// two, a group of objects moved) and descends again; what comes out lower is kept.
#pragma once

#include <optional>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "problem/problem.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// Clusters so few that sweeps, and so restarts, are quick.
inline constexpr std::size_t kFewClusters = 4;

/// Whether a pool of answers takes the place of changes: small graphs, K given.
bool has_pool(const Problem& problem, std::optional<std::size_t> clusters);

struct TrialOptions {
  std::optional<std::size_t> clusters;
  int sweeps = 1;  // what all trials together may take
};

/// Tries changes of `labels`, a local optimum of cost `cost`. Labels and cost are those of the
/// lowest local optimum met. On a graph a trial takes time for the changed region only, else for a
/// few sweeps; there is one at least. All of the returned Restart but `seconds` is filled in.
Restart perturb(const Problem& problem, std::vector<ClusterId>& labels, double cost,
                const TrialOptions& options, const Context& context);

}  // namespace shiftcut
