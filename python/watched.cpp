#include "watched.hpp"

#include <nanobind/stl/string.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace shiftcut_python {

namespace nb = nanobind;

namespace {

constexpr auto kLook = std::chrono::milliseconds(100);

// What the running thread leaves for the watching one. Copies `phase`, which may not live on.
struct News {
  shiftcut::Progress progress;
  std::string phase;
};

class Watch {
 public:
  Watch(const std::function<void(const shiftcut::Control&)>& work, bool with_progress)
      : thread_([this, &work, with_progress] { run(work, with_progress); }) {}

  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Never leaves the thread behind: the data it reads is the caller's.
  ~Watch() {
    stop_.store(true);
    const nb::gil_scoped_release without_gil;
    thread_.join();
  }

  /// Waits a moment. True when the run has ended.
  bool wait() {
    const nb::gil_scoped_release without_gil;
    std::unique_lock lock(mutex_);
    return ended_cv_.wait_for(lock, kLook, [this] { return ended_; });
  }

  std::optional<News> take_news() {
    const std::lock_guard lock(mutex_);
    return std::exchange(news_, std::nullopt);
  }

  void rethrow() const {
    if (error_) {
      std::rethrow_exception(error_);
    }
  }

 private:
  void run(const std::function<void(const shiftcut::Control&)>& work, bool with_progress) {
    shiftcut::Control control;
    control.stop = &stop_;
    if (with_progress) {
      control.progress = [this](const shiftcut::Progress& progress) {
        const std::lock_guard lock(mutex_);
        news_ = News{progress, std::string(progress.phase)};
      };
    }
    try {
      work(control);
    } catch (...) {
      error_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
    ended_cv_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable ended_cv_;
  std::atomic<bool> stop_{false};
  bool ended_ = false;
  std::optional<News> news_;
  std::exception_ptr error_;
  std::thread thread_;  // last: it uses all of the above
};

nb::dict as_dict(const News& news) {
  const shiftcut::Progress& progress = news.progress;
  nb::dict out;
  out["phase"] = news.phase;
  out["done"] = progress.done;
  out["total"] = progress.total;
  out["restart"] = progress.restart;
  out["restarts"] = progress.restarts;
  out["sweep"] = progress.sweep;
  out["moves"] = progress.moves;
  out["cost"] = progress.has_cost ? nb::cast(progress.cost) : nb::none();
  out["seconds"] = progress.seconds;
  out["seconds_left"] = progress.seconds_left >= 0 ? nb::cast(progress.seconds_left) : nb::none();
  return out;
}

// Where no thread can be started: the work on this one, which looks up whenever the work reports
// from it.
void unwatched(const std::function<void(const shiftcut::Control&)>& work,
               const nb::object& progress) {
  const std::thread::id here = std::this_thread::get_id();
  std::atomic<bool> stop{false};
  std::exception_ptr error;
  shiftcut::Control control;
  control.stop = &stop;
  control.progress = [&](const shiftcut::Progress& now) {
    if (stop.load() || std::this_thread::get_id() != here) {
      return;
    }
    const nb::gil_scoped_acquire with_gil;
    try {
      if (PyErr_CheckSignals() != 0) {
        throw nb::python_error();
      }
      if (!progress.is_none()) {
        progress(as_dict(News{now, std::string(now.phase)}));
      }
    } catch (...) {
      error = std::current_exception();
      stop.store(true);
    }
  };
  try {
    const nb::gil_scoped_release without_gil;
    work(control);
  } catch (...) {
    if (!error) {
      throw;
    }
  }
  if (error) {
    std::rethrow_exception(error);
  }
}

}  // namespace

void watched(const std::function<void(const shiftcut::Control&)>& work,
             const nb::object& progress) {
  std::optional<Watch> watch;
  try {
    watch.emplace(work, !progress.is_none());
  } catch (const std::system_error&) {
    unwatched(work, progress);
    return;
  }
  while (!watch->wait()) {
    if (PyErr_CheckSignals() != 0) {
      throw nb::python_error();
    }
    if (progress.is_none()) {
      continue;
    }
    if (const auto news = watch->take_news()) {
      progress(as_dict(*news));
    }
  }
  watch->rethrow();
}

}  // namespace shiftcut_python
