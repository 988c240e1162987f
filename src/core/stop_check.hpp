// When a run must stop: on the caller's flag or at its time limit. Searches ask between pieces of
// work, at least every 50 ms.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>

#include "shiftcut/control.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Shared by all threads of a run. Once it says stop it keeps saying so, with the first reason.
class StopCheck {
 public:
  StopCheck(const Control& control, Clock::time_point start, double max_seconds)
      : control_(control), start_(start), max_seconds_(max_seconds) {}

  [[nodiscard]] bool should_stop() {
    if (reason_.load(std::memory_order_relaxed) != StopReason::converged) {
      return true;
    }
    if (control_.stop_requested()) {
      reason_.store(StopReason::interrupted, std::memory_order_relaxed);
      return true;
    }
    if (max_seconds_ > 0 && seconds_since(start_) >= max_seconds_) {
      reason_.store(StopReason::max_seconds, std::memory_order_relaxed);
      return true;
    }
    return false;
  }

  /// Until the time limit; infinite without one.
  [[nodiscard]] double seconds_left() const {
    return max_seconds_ > 0 ? std::max(0.0, max_seconds_ - seconds_since(start_))
                            : std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] const Control& control() const { return control_; }
  [[nodiscard]] StopReason reason() const { return reason_.load(std::memory_order_relaxed); }

 private:
  const Control& control_;
  Clock::time_point start_;
  double max_seconds_;
  std::atomic<StopReason> reason_{StopReason::converged};
};

}  // namespace shiftcut
