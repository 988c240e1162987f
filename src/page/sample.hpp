// Which objects of large data a page shows.
#pragma once

#include <cstdint>
#include <vector>

#include "core/partition.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

/// At most `most` objects (all if there are no more), in ascending order: from each cluster a
/// random sample in proportion to its size, and at least one object of each of the largest
/// clusters, on which at most half of the sample is spent.
std::vector<ObjectId> fair_sample(const Result& result, std::size_t most);

/// These objects of a table alone, in their order; without ids.
Input rows_alone(const Input& input, const std::vector<ObjectId>& rows);

}  // namespace shiftcut
