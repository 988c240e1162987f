#include "methods.hpp"

namespace shiftcut_python {

void bind_dominant_sets(nanobind::module_& /*module*/) {}

}  // namespace shiftcut_python
