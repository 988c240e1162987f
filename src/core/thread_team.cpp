#include "core/thread_team.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

namespace shiftcut {

namespace {

// The gate holds the number of workers inside a job in its low bits and the job's number above.
// Jobs are opened and closed by adding kTurn, so an odd number means open.
constexpr std::uint32_t kTurn = std::uint32_t{1} << 12;

constexpr std::uint32_t inside(std::uint32_t gate) { return gate % kTurn; }
constexpr std::uint32_t turn(std::uint32_t gate) { return gate / kTurn; }
constexpr bool is_open(std::uint32_t gate) { return turn(gate) % 2 == 1; }

// Waits until `value` differs from `old`: spins briefly, since a sweep hands out work every few
// microseconds, then sleeps.
void wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t old, int spins) {
  for (int i = 0; i < spins; ++i) {
    if (value.load(std::memory_order_acquire) != old) {
      return;
    }
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  while (value.load(std::memory_order_acquire) == old) {
    value.wait(old, std::memory_order_acquire);
  }
}

}  // namespace

std::vector<double> zeros(std::size_t count, const ThreadTeam& team) {
  constexpr std::size_t kPiece = std::size_t{1} << 22;
  std::vector<double> all;
  all.reserve(count);
  while (all.size() < count) {
    team.poll();
    all.resize(std::min(count, all.size() + kPiece));
  }
  return all;
}

int available_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    return std::max(1, CPU_COUNT(&set));
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

ThreadTeam::ThreadTeam(int threads) {
  const int cores = available_cores();
  const int wanted = threads > 0 ? threads : cores;
  spins_ = wanted <= cores ? 20000 : 0;
  workers_.reserve(static_cast<std::size_t>(wanted - 1));
  try {
    for (int worker = 1; worker < wanted; ++worker) {
      workers_.emplace_back([this, worker] { work(worker); });
    }
  } catch (const std::system_error&) {
    shrink_if_memory_is_short();
  } catch (const std::bad_alloc&) {
    shrink_if_memory_is_short();
  }
  missing_ = wanted - this->threads();
}

ThreadTeam::~ThreadTeam() { shrink_to(1); }

// If the address space is too small for another stack, it is too small for the work as well: half
// of the workers are given up.
void ThreadTeam::shrink_if_memory_is_short() {
  rlimit space = {};
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
    shrink_to((threads() + 1) / 2);
  }
}

void ThreadTeam::shrink_to(int threads) {
  staying_.store(threads);
  gate_.fetch_add(2 * kTurn);  // a new job, closed at once
  gate_.notify_all();
  while (this->threads() > threads) {
    workers_.back().join();
    workers_.pop_back();
  }
}

void ThreadTeam::for_each(std::size_t count, const std::function<void(std::size_t, int)>& task) {
  if (workers_.empty() || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) {
      poll();
      task(i, 0);
    }
    return;
  }
  task_ = &task;
  count_ = count;
  next_.store(0, std::memory_order_relaxed);
  gate_.fetch_add(kTurn, std::memory_order_release);
  gate_.notify_all();
  take_tasks(0);
  const std::uint32_t before = emptied_.load(std::memory_order_relaxed);
  if (inside(gate_.fetch_add(kTurn, std::memory_order_acq_rel)) > 0) {
    wait_for_change(emptied_, before, spins_);
  }
  if (error_) {
    std::rethrow_exception(std::exchange(error_, nullptr));
  }
}

void ThreadTeam::work(int worker) {
  std::uint32_t last = 0;  // job
  while (true) {
    std::uint32_t gate = gate_.load(std::memory_order_acquire);
    if (worker >= staying_.load()) {
      return;
    }
    if (!is_open(gate) || turn(gate) == last) {
      wait_for_change(gate_, gate, spins_);
      continue;
    }
    if (!gate_.compare_exchange_weak(gate, gate + 1, std::memory_order_acq_rel)) {
      continue;
    }
    last = turn(gate);
    take_tasks(worker);
    const std::uint32_t then = gate_.fetch_sub(1, std::memory_order_acq_rel);
    if (inside(then) == 1 && !is_open(then)) {
      emptied_.fetch_add(1, std::memory_order_release);
      emptied_.notify_one();
    }
  }
}

void ThreadTeam::take_tasks(int worker) {
  try {
    for (std::size_t i = next_.fetch_add(1, std::memory_order_relaxed); i < count_;
         i = next_.fetch_add(1, std::memory_order_relaxed)) {
      poll();
      (*task_)(i, worker);
    }
  } catch (...) {
    const std::scoped_lock lock(error_mutex_);
    if (!error_) {
      error_ = std::current_exception();
    }
    next_.store(count_, std::memory_order_relaxed);
  }
}

}  // namespace shiftcut
