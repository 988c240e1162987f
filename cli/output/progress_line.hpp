// One line on the terminal that tells how far long work is, and Ctrl-C as a flag.
#pragma once

#include <atomic>

#include "shiftcut/control.hpp"

/// Shows progress on standard error while it lives, if that is a terminal and `quiet` is not asked
/// for. The line appears after a second, so that quick work prints nothing.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ProgressLine(ProgressLine&&) = delete;
  ProgressLine& operator=(ProgressLine&&) = delete;

  /// To hand to the library: this line and the flag that Ctrl-C sets.
  [[nodiscard]] shiftcut::Control control();

  /// Takes the line off the screen; it comes back with the next progress.
  void clear();

 private:
  void show(const shiftcut::Progress& progress);

  bool enabled_;
  bool shown_ = false;
  double last_shown_;
  double start_;
};

/// Makes Ctrl-C, a request to terminate and the loss of the terminal (unless nohup has the program
/// ignore it) set the flag. A second one ends the program at once, but that the terminal is lost
/// may be told more than once: by the system, and by the shell.
void catch_interrupts();

/// The flag alone, without a line.
[[nodiscard]] shiftcut::Control interrupts();
