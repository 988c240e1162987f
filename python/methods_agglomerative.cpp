#include "methods.hpp"

namespace shiftcut_python {

void bind_agglomerative(nanobind::module_& /*module*/) {}

}  // namespace shiftcut_python
