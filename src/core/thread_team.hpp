// A few threads that share out numbered tasks. Plain std::thread rather than OpenMP: the thread
// sanitizer can follow it, and a library that others link brings no second thread pool along.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

namespace shiftcut {

class ThreadTeam {
 public:
  /// A team of `threads` in all, the caller counted in; 0 means one a core. Where the system starts
  /// no more of them the team is smaller, in the worst case the caller alone.
  explicit ThreadTeam(int threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ThreadTeam(ThreadTeam&&) = delete;
  ThreadTeam& operator=(ThreadTeam&&) = delete;

  [[nodiscard]] int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// How many of those asked for could not be started.
  [[nodiscard]] int missing() const { return missing_; }

  /// Calls task(i, worker) once for every i in 0 .. count-1, worker in 0 .. threads-1, and returns
  /// when all are done. Which thread takes which task is open: a task may depend on i alone. The
  /// first exception is thrown again here. One for_each at a time.
  void for_each(std::size_t count, const std::function<void(std::size_t, int)>& task);

 private:
  void leave_room();
  void shrink_to(int threads);
  void work(int worker);
  void take_tasks(int worker);

  std::vector<std::thread> workers_;
  const std::function<void(std::size_t, int)>* task_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};
  // A worker enters an open job by counting itself in; a job that is closed waits only for those
  // who did. So a worker that the system keeps waiting holds nobody up.
  std::atomic<std::uint32_t> gate_{0};
  std::atomic<std::uint32_t> emptied_{0};  // changes when the last worker leaves a closed job
  std::atomic<int> staying_{std::numeric_limits<int>::max()};  // workers from here on leave
  int spins_ = 0;
  int missing_ = 0;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

/// The cores this process may use.
int available_cores();

}  // namespace shiftcut
