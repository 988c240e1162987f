// Long work that Python can watch and stop.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>

#include "shiftcut/control.hpp"

namespace shiftcut_python {

/// Calls `work` on a thread of its own, without the GIL. The calling thread meanwhile looks for
/// Ctrl-C several times a second, and calls `progress` (None, or a function of one dictionary).
/// Whatever a signal handler or `progress` raises stops the work and is raised here, as is what
/// `work` throws; the work has ended by then. Where the system starts no thread the work is done on
/// the calling one, which looks for Ctrl-C whenever it reports progress.
void watched(const std::function<void(const shiftcut::Control&)>& work,
             const nanobind::object& progress);

}  // namespace shiftcut_python
