// Searches that leave hard labels: simulated annealing lets the cost rise on the way, Frank-Wolfe
// starts from the interior of the simplex. Both move through a soft assignment
// (soft_assignment.hpp) and finish by a descent, so they return local optima.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "problem/problem.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// Draws labels from the Boltzmann distribution p(c) ~ exp(-R / tau) at a temperature tau that
/// falls from sweep to sweep, then descends from the best labels seen (Kirkpatrick, Gelatt, Vecchi
/// 1983; for clustering, Hofmann, Buhmann 1997).
///
/// Starts at `labels` and leaves the solution there. It costs no more than any labels a sweep ended
/// with, and is a local optimum unless stopped. One thread, except for the final descent. Fills in
/// all of the returned Restart but `seconds`.
Restart anneal(const Problem& problem, std::vector<ClusterId>& labels,
               std::optional<std::size_t> clusters, const Context& context);

/// Turns affinities into heat bath weights ~ exp(2 a / tau), the largest being 1.
void heat_bath_weights(std::span<double> affinities, double tau);

/// Block-coordinate Frank-Wolfe on the relaxed problem (Thiel, Chehreghani, Dubhashi 2019): labels
/// become points x_o of the simplex, and the blocks of
///   f(x) = sum over o != p of S_op x_o.x_p
/// are maximised in turn.
///
/// Starts from x_o = (1 - w) uniform + w (a random vertex) with a small w: the first objects then
/// decide on little, and later ones on what has been decided, not on a random start. Once every x_o
/// is a vertex, the descent takes the same steps and, with K free, may open clusters. Leaves the
/// solution in `labels`, a local optimum unless stopped. Fills in all of the returned Restart but
/// `seconds`.
Restart frank_wolfe(const Problem& problem, std::vector<ClusterId>& labels,
                    std::optional<std::size_t> clusters, const Context& context);

}  // namespace shiftcut
