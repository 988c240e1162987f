// Tells how many pieces of a search for neighbours are done, and leaves it when told to stop.
#pragma once

#include <mutex>

#include "core/stop_check.hpp"
#include "shiftcut/control.hpp"

namespace shiftcut {

/// Shared by all threads.
class SearchProgress {
 public:
  SearchProgress(const Control& control, std::size_t total) : control_(control), total_(total) {}

  /// Throws Interrupted if told to stop.
  void check() const {
    if (control_.stop_requested()) {
      throw Interrupted();
    }
  }

  /// Before a piece of work that counts `part` of the total. Throws Interrupted.
  void next(std::size_t part = 1) {
    check();
    if (!control_.progress) {
      return;
    }
    const std::scoped_lock lock(mutex_);
    Progress progress;
    progress.phase = "neighbours";
    progress.done = done_ += part;
    progress.total = total_;
    progress.seconds = seconds_since(start_);
    control_.progress(progress);
  }

 private:
  const Control& control_;
  std::size_t total_;
  std::size_t done_ = 0;
  Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
};

}  // namespace shiftcut
