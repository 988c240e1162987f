// From similarities and a shift to the problem a search works on: S = X - strength * alpha.
#pragma once

#include "core/thread_team.hpp"
#include "problem/problem.hpp"
#include "problem/similarities.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

/// The shift with `by_default` and `automatic` spelled out: adaptive, or linkage for log-odds.
ShiftOptions explicit_shift(ShiftOptions shift, const Similarities& similarities);

/// Throws InvalidArgument unless strength and constant are finite, the strength is >= 0 and a
/// matrix is n x n.
void check_shift(const ShiftOptions& shift, std::size_t n);

/// A shift given as a matrix is subtracted entry by entry, all others are kept as a few numbers
/// (shift_terms.hpp). The problem refers to the data of `similarities`, which must outlive it.
/// Throws as check_shift() does, and for numbers too large to add up.
Problem make_problem(const Similarities& similarities, const ShiftOptions& shift, ThreadTeam& team,
                     const Control& control);

/// What a weight of 1 given to a pair adds to S: 1, or where similarities have the data's own
/// units (linear), the mean similarity of an object to itself.
double evidence_unit(const Similarities& similarities, const Problem& problem, ThreadTeam& team);

}  // namespace shiftcut
