// How far a grouping is as somebody said.
#pragma once

#include <span>
#include <vector>

#include "core/partition.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

/// Whether each pair is kept, those that belong together first.
std::vector<bool> satisfied_pairs(const LinkOptions& pairs, std::span<const ClusterId> labels);

/// How many more pairs the second keeps, less the square root of how many the two differ on: above
/// 0 where it surely is the better one (the sign test at one standard deviation).
double significantly_more(const std::vector<bool>& first, const std::vector<bool>& second);

}  // namespace shiftcut
