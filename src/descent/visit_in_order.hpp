// One object after another, in the order of a sweep, with a look at the clock now and then.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/partition.hpp"
#include "core/stop_check.hpp"
#include "descent/sweep_order.hpp"

namespace shiftcut {

/// Calls visit(object) for every object until told to stop.
template <class Visit>
void visit_in_order(const SweepOrder& order, StopCheck& stop, const Visit& visit) {
  constexpr std::size_t kCheckEvery = 256;  // objects
  std::vector<ObjectId> objects(kCheckEvery);
  for (std::size_t begin = 0; begin < order.size() && !stop.should_stop(); begin += kCheckEvery) {
    const std::size_t count = std::min(kCheckEvery, order.size() - begin);
    order.fill(begin, count, objects.data());
    for (std::size_t i = 0; i < count; ++i) {
      visit(objects[i]);
    }
  }
}

}  // namespace shiftcut
