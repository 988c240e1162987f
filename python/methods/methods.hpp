// The parts of shiftcut._core that have a file of their own: feedback, and the paper's other
// methods, a file a family.
#pragma once

#include <nanobind/nanobind.h>

namespace shiftcut_python {

void bind_agglomerative(nanobind::module_& module);
void bind_cut_search(nanobind::module_& module);
void bind_dominant_sets(nanobind::module_& module);
void bind_feedback(nanobind::module_& module);
void bind_p_spectral(nanobind::module_& module);
void bind_power_iteration(nanobind::module_& module);
void bind_size_regularised_cut(nanobind::module_& module);

}  // namespace shiftcut_python
