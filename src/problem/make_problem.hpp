// From data and options to a problem: which view fits, and the shift with it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/thread_team.hpp"
#include "problem/problem.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/features.hpp"
#include "shiftcut/message.hpp"
#include "shiftcut/neighbors.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

struct MadeProblem {
  Problem problem;
  std::string similarity;         // "linear", "cosine", "rbf", "neighbors", "precomputed"
  std::string distance;           // under linear
  std::string scale;              // of features
  std::vector<Message> warnings;  // on the data
  FeatureScaling scaling = {};    // of dense features
  std::shared_ptr<const NeighborTable> neighbors = {};  // if the options ask to keep them
};

/// Features become products of rows or a graph where the similarity allows it, else an n x n
/// matrix; matrices and graphs are taken as they are; a shift given as a matrix is subtracted entry
/// by entry; `by_default` and `automatic` are adaptive here, or for log-odds none. The problem
/// looks at `input`, which must outlive it. Throws std::invalid_argument for combinations that make
/// no sense.
MadeProblem make_problem(const Input& input, const Options& options, ThreadTeam& team,
                         const Control& control);

/// The graph of neighbours that a run kept, with its shift, which is no matrix: as make_problem()
/// makes it, without searching for them.
MadeProblem problem_of_neighbors(const NeighborTable& neighbors, const Options& options,
                                 ThreadTeam& team);

/// What the weight of a pair is in units of: 1, or where similarities have the data's own units,
/// the mean similarity of an object to itself.
double pair_unit(const MadeProblem& made, ThreadTeam& team);

}  // namespace shiftcut
