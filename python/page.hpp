// shiftcut._core.page: a run as one HTML page.
#pragma once

#include <nanobind/nanobind.h>

namespace shiftcut_python {

void bind_page(nanobind::module_& module);

}  // namespace shiftcut_python
