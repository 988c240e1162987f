// The functions of include/shiftcut/blocks.hpp, arrays and tuples of arrays
// in and out.
#pragma once

#include <nanobind/nanobind.h>

namespace shiftcut_python {

void bind_blocks(nanobind::module_& module);

}  // namespace shiftcut_python
