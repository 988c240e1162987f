// Progress of work whose amount is known beforehand, reported to the caller.
#pragma once

#include <algorithm>
#include <mutex>
#include <string_view>

#include "core/stop_check.hpp"
#include "shiftcut/control.hpp"

namespace shiftcut {

/// Counts the parts done, on all threads of one piece of work.
class WorkMeter {
 public:
  WorkMeter(const Control& control, std::string_view phase, std::size_t total)
      : control_(control), phase_(phase), total_(total) {}

  void add(std::size_t part = 1) {
    if (!control_.progress) {
      return;
    }
    const std::scoped_lock lock(mutex_);
    done_ = std::min(total_, done_ + part);
    Progress progress;
    progress.phase = phase_;
    progress.done = done_;
    progress.total = total_;
    progress.seconds = seconds_since(start_);
    control_.progress(progress);
  }

 private:
  const Control& control_;
  std::string_view phase_;
  std::size_t total_;
  std::size_t done_ = 0;
  Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
};

/// Does work `times` times, reporting progress in parts: `work(count)` does it count times.
template <class Work>
void in_parts(int times, StopCheck& stop, WorkMeter& meter, const Work& work) {
  constexpr int kPart = 256;
  for (int done = 0; done < times && !stop.should_stop(); done += kPart) {
    work(std::min(kPart, times - done));
    meter.add(kPart);
  }
}

}  // namespace shiftcut
