// Gives the clusters of one grouping the numbers of those of another that they share most with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shiftcut {

/// Renumbers `labels` after `before`, of the same objects: the two clusters that share most objects
/// get the same number, then the next two, and so on; those left over get the lowest free numbers.
/// Objects count `weights` times; empty: once each. Labels below 0 are left as they are. Returns
/// how many objects then have another label than before.
std::size_t keep_numbers(std::span<const std::int32_t> before, std::span<std::int32_t> labels,
                         std::span<const std::uint32_t> weights = {});

}  // namespace shiftcut
