// What the portfolio does for a number of restarts, in about the time local search takes for as
// many.
#pragma once

#include <cstddef>

#include "problem/problem.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

struct Plan {
  std::size_t multilevel_starts = 0;
  int cycles = 1;                 // of each multilevel start, at most
  double least_gain = 0;          // of a cycle, for another one
  bool recombines_fully = true;   // end each recombination with a multilevel cycle
  std::size_t sample_starts = 0;  // attempts on a sample (coarse_start.hpp)
  int sample_trials = 0;          // perturbations of the best of them
  std::size_t sample_keep = 1;    // their solutions that are extended to all objects
  std::size_t random_starts = 0;
  int perturb_sweeps = 0;
};

std::size_t edges_of(const GraphProblem& graph);
bool has_few_clusters(const SearchOptions& options);

/// `has_start`: labels to start from are given.
Plan plan_for(const Problem& problem, const SearchOptions& options, bool has_start);

}  // namespace shiftcut
