#include "output/progress_line.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>

#include <fmt/core.h>

#include "label/terminal_keys.hpp"
#include "label/text_width.hpp"

namespace {

std::atomic<bool> g_stop{false};  // NOLINT: a signal handler can reach nothing else

extern "C" void on_interrupt(int signal) {
  if (g_stop.exchange(true) && signal != SIGHUP) {
    restore_terminal();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

void catch_signal(int signal) {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string duration(double seconds) {
  if (seconds < 90) {
    return fmt::format("{:.0f} s", seconds);
  }
  return seconds < 5400 ? fmt::format("{:.0f} min", seconds / 60)
                        : fmt::format("{:.1f} h", seconds / 3600);
}

std::string text_of(const shiftcut::Progress& progress) {
  if (progress.phase == "search") {
    std::string text = fmt::format("search: restart {} of {}, sweep {}, {} moves", progress.restart,
                                   progress.restarts, progress.sweep, progress.moves);
    if (progress.has_cost) {
      text += fmt::format(", cost {:.6g}", progress.cost);
    }
    if (progress.seconds_left >= 0) {
      text += fmt::format(", about {} left", duration(progress.seconds_left));
    }
    return text;
  }
  if (progress.total > 0) {
    const double share = static_cast<double>(progress.done) / static_cast<double>(progress.total);
    std::string text = fmt::format("{}: {:.0f}%", progress.phase, 100 * share);
    if (share > 0.01 && progress.seconds > 0) {
      text += fmt::format(", about {} left", duration(progress.seconds * (1 - share) / share));
    }
    return text;
  }
  return fmt::format("{}: {:.1f} MB", progress.phase, static_cast<double>(progress.done) / 1e6);
}

}  // namespace

void catch_interrupts() {
  catch_signal(SIGINT);
  catch_signal(SIGTERM);
  struct sigaction before = {};
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
    catch_signal(SIGHUP);
  }
}

shiftcut::Control interrupts() {
  shiftcut::Control control;
  control.stop = &g_stop;
  return control;
}

ProgressLine::ProgressLine(bool quiet)
    : enabled_(!quiet && isatty(STDERR_FILENO) == 1), last_shown_(now() + 0.8), start_(now()) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (shown_) {
    (void)std::fputs("\r\x1b[K", stderr);
    shown_ = false;
  }
}

shiftcut::Control ProgressLine::control() {
  shiftcut::Control control = interrupts();
  if (enabled_) {
    control.progress = [this](const shiftcut::Progress& progress) { show(progress); };
  }
  return control;
}

void ProgressLine::show(const shiftcut::Progress& progress) {
  if (now() - last_shown_ < 0.2) {
    return;
  }
  last_shown_ = now();
  shown_ = true;
  const std::string text = harmless(text_of(progress));
  (void)std::fprintf(stderr, "\r\x1b[K%s [%s]", text.c_str(), duration(now() - start_).c_str());
  (void)std::fflush(stderr);
}
