#include "methods.hpp"

namespace shiftcut_python {

void bind_power_iteration(nanobind::module_& /*module*/) {}

}  // namespace shiftcut_python
