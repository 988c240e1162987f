// Reports the progress of reading a few times a second, and stops it when the caller asks to.
#pragma once

#include <chrono>
#include <cstdint>

#include "shiftcut/control.hpp"

namespace shiftcut {

class ReadingMeter {
 public:
  /// `total` in bytes; 0: unknown.
  ReadingMeter(const Control& control, std::uint64_t total)
      : control_(control), total_(total), begin_(Clock::now()), last_(begin_) {}

  /// Throws Interrupted if the caller asked to stop; reports at most ten times a second.
  void advance(std::uint64_t done) {
    if (control_.stop_requested()) {
      throw Interrupted();
    }
    const auto now = Clock::now();
    if (!control_.progress || now - last_ < std::chrono::milliseconds(100)) {
      return;
    }
    last_ = now;
    Progress progress;
    progress.phase = "reading";
    progress.done = done;
    progress.total = total_;
    progress.seconds = std::chrono::duration<double>(now - begin_).count();
    if (total_ > 0 && done > 0 && done <= total_) {
      progress.seconds_left =
          progress.seconds * static_cast<double>(total_ - done) / static_cast<double>(done);
    }
    control_.progress(progress);
  }

  [[nodiscard]] const Control& control() const { return control_; }

 private:
  using Clock = std::chrono::steady_clock;
  Control control_;
  std::uint64_t total_;
  Clock::time_point begin_;
  Clock::time_point last_;
};

}  // namespace shiftcut
