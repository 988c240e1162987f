// Frank-Wolfe on the relaxed problem (Thiel, Chehreghani, Dubhashi 2019): labels become rows x_o of
// the simplex, and
//   f(Z) = sum over o != p of S_op x_o.x_p
// is raised block by block: with g = (S Z)_o, its own term left out, and s the best vertex, x_o
// goes towards s. f is linear in one row, so the exact line search goes all the way where g.(s -
// x_o) > 0 and else not at all; f grows by 2 g.(s - x_o). From vertices this is the local search.
#pragma once

#include <optional>
#include <vector>

#include "core/context.hpp"
#include "core/partition.hpp"
#include "problem/problem.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

inline constexpr float kStartShare = 0.0625F;

/// From an interior start: x_o = (1 - w) uniform + w (a random vertex), w = kStartShare, so that
/// the first objects decide on little and the later ones on what has been decided, not on a random
/// start. Once all rows are vertices the local search goes on, which takes the same steps, and with
/// K free may open clusters (the relaxation has sqrt(n) then, at most 64). `labels` is filled in; a
/// local optimum unless stopped. All of the returned Restart but `seconds` is filled in.
Restart frank_wolfe(const Problem& problem, std::vector<ClusterId>& labels,
                    std::optional<std::size_t> clusters, const Context& context);

/// How a relaxation went.
struct Relaxation {
  double objective = 0;            // f at the start
  std::vector<double> objectives;  // f after each sweep
  std::vector<double> gaps;  // of each sweep: the sum over objects of max(0, g.(s - x_o)) as seen
  std::size_t changed = 0;   // rows, over all sweeps
  std::size_t interior = 0;  // rows that are left so: all vertices are as good for them
};

/// The relaxation alone, to its end, for experiments on its convergence: from
/// x_o = (1 - share) uniform + share e_label with `clusters` clusters, sweeps in fresh random order
/// until one changes no row. `labels` goes out as the vertices the rows are at.
Relaxation relax(const Problem& problem, std::vector<ClusterId>& labels, std::size_t clusters,
                 float share, const Context& context);

}  // namespace shiftcut
