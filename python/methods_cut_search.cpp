#include "methods.hpp"

namespace shiftcut_python {

void bind_cut_search(nanobind::module_& /*module*/) {}

}  // namespace shiftcut_python
