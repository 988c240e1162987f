// web/dist/report.html, as CMake found it.
#pragma once

#include <string_view>

namespace shiftcut {

/// The page without data; empty where it was not built.
std::string_view page_template();

}  // namespace shiftcut
