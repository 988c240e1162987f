// The parts of shiftcut._core in files of their own: feedback, and the paper's other methods, one
// file per family.
#pragma once

#include <nanobind/nanobind.h>

namespace shiftcut_python {

void bind_agglomerative(nanobind::module_& module);
void bind_cut_search(nanobind::module_& module);
void bind_dominant_sets(nanobind::module_& module);
void bind_feedback(nanobind::module_& module);
void bind_spectral(nanobind::module_& module);

}  // namespace shiftcut_python
