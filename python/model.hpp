// shiftcut._core.Run and shiftcut._core.Model: what a fit leaves, and what assigns new rows.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "shiftcut/neighbors.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut_python {

/// The result of a run, for later questions about it.
struct PythonRun {
  shiftcut::Result result;
  std::shared_ptr<const shiftcut::NeighborTable> neighbors;
};

void bind_model(nanobind::module_& module);

}  // namespace shiftcut_python
