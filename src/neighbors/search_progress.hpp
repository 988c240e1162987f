// Tells how many pieces of a search for neighbours are done, and leaves it when told to stop.
#pragma once

#include "core/work_meter.hpp"
#include "shiftcut/control.hpp"

namespace shiftcut {

/// Shared by all threads.
class SearchProgress {
 public:
  SearchProgress(const Control& control, std::size_t total)
      : control_(control), meter_(control, "neighbours", total) {}

  /// Throws Interrupted if told to stop.
  void check() const {
    if (control_.stop_requested()) {
      throw Interrupted();
    }
  }

  /// Before a piece of work that counts `part` of the total. Throws Interrupted.
  void next(std::size_t part = 1) {
    check();
    meter_.add(part);
  }

 private:
  const Control& control_;
  WorkMeter meter_;
};

}  // namespace shiftcut
