// How firmly objects stand in their clusters, and how similar clusters are to each other: sums of
// the shifted similarities S that the run minimised the cost of.
#pragma once

#include <cstdint>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/neighbors.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// The place of an object, per row of it where equal rows are one object.
struct Standing {
  ObjectId object = 0;  // a row of the input
  std::int32_t cluster = 0;
  std::int32_t next = -1;  // the best other cluster; -1: one of its own
  double own = 0;          // affinity to its cluster: S summed over the other members
  double other = 0;        // affinity to `next`
};

/// Mean S between groups of objects of one cluster each.
struct Blocks {
  std::vector<std::int32_t> clusters;  // of the groups, ascending; -1: all smaller clusters
  std::vector<std::size_t> sizes;      // in rows
  std::vector<double> means;           // groups x groups, symmetric
};

struct Standings {
  std::vector<Standing> all;  // of one row of each object judged, in ascending order
  bool is_sample = false;     // whether not all objects were judged
  bool has_next = true;       // whether objects could go anywhere else
  Blocks blocks;
};

/// `sample` are the rows to judge where all would take too long. Evidence about pairs is left out.
/// `neighbors` as for explain(). Throws Interrupted under a StopScope.
Standings standings(const Input& input, const Options& options, const Result& result,
                    const NeighborTable* neighbors, const std::vector<ObjectId>& sample,
                    ThreadTeam& team, const Control& control);

}  // namespace shiftcut
