// A team of threads that share numbered tasks. Plain std::thread instead of OpenMP: the thread
// sanitizer understands it, and programs that link the library get no second thread pool.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/stop_check.hpp"

namespace shiftcut {

class ThreadTeam {
 public:
  /// A team of `threads` threads including the caller's; 0 means one per core. If the system cannot
  /// start them all the team is smaller, in the worst case the caller alone.
  explicit ThreadTeam(int threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ThreadTeam(ThreadTeam&&) = delete;
  ThreadTeam& operator=(ThreadTeam&&) = delete;

  [[nodiscard]] int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// How many threads could not be started.
  [[nodiscard]] int missing() const { return missing_; }

  /// Calls task(i, worker) once for every i in 0 .. count-1, worker in 0 .. threads-1, and returns
  /// when all are done. Any thread may take any task, so results may depend on i alone. Rethrows
  /// the first exception of a task. One for_each at a time. Within a StopScope it throws
  /// Interrupted between two tasks once the run must stop.
  void for_each(std::size_t count, const std::function<void(std::size_t, int)>& task);

  /// For loops on the caller's thread: throws Interrupted within a StopScope once the run must
  /// stop.
  void poll() const {
    if (stop_ != nullptr && stop_->should_stop()) {
      throw Interrupted();
    }
  }

  /// The same for step i of a loop with very short steps.
  void poll_each(std::size_t i) const {
    if (i % 4096 == 0) {
      poll();
    }
  }

 private:
  friend class StopScope;

  void shrink_if_memory_is_short();
  void shrink_to(int threads);
  void work(int worker);
  void take_tasks(int worker);

  StopCheck* stop_ = nullptr;
  std::vector<std::thread> workers_;
  const std::function<void(std::size_t, int)>* task_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};
  // A worker enters an open job by counting itself in, and closing a job waits only for those who
  // did. So a worker that the system does not schedule holds nobody up.
  std::atomic<std::uint32_t> gate_{0};
  std::atomic<std::uint32_t> emptied_{0};  // changes when the last worker leaves a closed job
  std::atomic<int> staying_{
      std::numeric_limits<int>::max()};  // workers with this number or a higher one leave
  int spins_ = 0;
  int missing_ = 0;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

/// For work that has nothing to return when stopped half-way: while this lives, the team's
/// for_each() and poll() throw Interrupted once `stop` says so.
class StopScope {
 public:
  StopScope(ThreadTeam& team, StopCheck& stop)
      : team_(team), before_(std::exchange(team.stop_, &stop)) {}
  ~StopScope() { team_.stop_ = before_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  StopScope(StopScope&&) = delete;
  StopScope& operator=(StopScope&&) = delete;

 private:
  ThreadTeam& team_;
  StopCheck* before_;
};

/// A large array of zeros. Filling it takes a while, so the team is polled meanwhile.
std::vector<double> zeros(std::size_t count, const ThreadTeam& team);

/// The cores this process may use.
int available_cores();

}  // namespace shiftcut
