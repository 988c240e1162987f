// Sections of the page whose data take some work, each as JSON.
#pragma once

#include "page/json.hpp"
#include "page/standing.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// Objects between clusters, and those that hardly belong to theirs.
Json standing_section(const Standings& standings, const Input& input, const Result& result);

/// What sets the largest clusters apart (describe_clusters()). Of many rows of a table, those
/// `drawn` are described.
Json described_section(const Input& input, const Options& options, const Result& result,
                       const NeighborTable* neighbors, const std::vector<ObjectId>& drawn,
                       const Control& control);

/// Mean similarities between groups of objects, as whole numbers from -1000 to 1000 that grow with
/// the square root.
Json blocks_section(const Blocks& blocks);

/// Clusters against known classes; null where none are known.
Json classes_section(const Input& input, const Result& result);

}  // namespace shiftcut
