// A run that Python can watch and stop.
#pragma once

#include <nanobind/nanobind.h>

#include "shiftcut/shiftcut.hpp"

namespace shiftcut_python {

/// shiftcut::run() on a thread of its own, without the GIL. The calling thread meanwhile looks for
/// Ctrl-C several times a second, and calls `progress` (None, or a function of one dictionary).
/// Whatever a signal handler or `progress` raises stops the run and is raised here; the run has
/// ended by then.
shiftcut::Result watched_run(const shiftcut::Input& input, const shiftcut::Options& options,
                             nanobind::object progress);

}  // namespace shiftcut_python
