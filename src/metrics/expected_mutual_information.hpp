// The mutual information two groupings of given class sizes have by chance.
#pragma once

#include <cstdint>
#include <span>

namespace shiftcut {

/// The exact mean over all assignments with these class sizes, in nats; both sum to `objects`.
double expected_mutual_information(std::span<const std::uint64_t> row_sums,
                                   std::span<const std::uint64_t> column_sums,
                                   std::uint64_t objects);

}  // namespace shiftcut
