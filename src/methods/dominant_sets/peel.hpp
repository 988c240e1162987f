// Dominant sets one after another: each is taken away before the next is looked for.
#pragma once

#include "methods/dominant_sets/dominant_set.hpp"

namespace shiftcut::methods {

struct Peeled {
  std::vector<DominantSet> sets;
  std::vector<std::uint32_t> rest;  // objects in none, ascending
};

/// Peels at most `most` sets (0: all there are).
Peeled peel(const Similarities& similarities, const Lift& lift, const DynamicsOptions& options,
            std::size_t most, const Workers& workers);

}  // namespace shiftcut::methods
