// What Python runs: arrow_to_csv.py.
#pragma once

namespace shiftcut {

extern const char* const kArrowScript;

}  // namespace shiftcut
