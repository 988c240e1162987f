// How a caller watches and stops long work: the library itself neither prints nor exits.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string_view>

namespace shiftcut {

class Checkpoint;

/// What long work is doing right now. Fields that do not apply are 0.
struct Progress {
  std::string_view phase;   // "reading", "similarity", "neighbours", "shift path", "search", ...
  std::uint64_t done = 0;   // of `total`: bytes read, tiles of a matrix, ...
  std::uint64_t total = 0;  // 0: unknown
  int restart = 0;          // 1-based, of `restarts`
  int restarts = 0;
  int sweep = 0;          // 1-based
  std::size_t moves = 0;  // in this sweep
  double cost = 0;        // lowest so far; meaningful once `has_cost`
  bool has_cost = false;
  double seconds = 0;        // since the phase began
  double seconds_left = -1;  // an estimate; negative: unknown
};

/// Thrown when the caller asks to stop before there is anything to return, as while reading.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

/// Calls back with progress (never from two threads at once) and polls a flag to stop.
struct Control {
  std::function<void(const Progress&)> progress;
  const std::atomic<bool>* stop = nullptr;
  /// Where run() keeps what it has finished, and finds what an earlier run has; null: nowhere.
  Checkpoint* checkpoint = nullptr;

  [[nodiscard]] bool stop_requested() const {
    return stop != nullptr && stop->load(std::memory_order_relaxed);
  }
};

}  // namespace shiftcut
