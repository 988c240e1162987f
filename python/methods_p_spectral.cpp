#include "methods.hpp"

namespace shiftcut_python {

void bind_p_spectral(nanobind::module_& /*module*/) {}

}  // namespace shiftcut_python
