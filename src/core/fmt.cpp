// fmt's formatting code, compiled once. Elsewhere only <fmt/core.h> is included, whose templates
// call fmt::vformat(): header-only fmt would cost three seconds in every source that formats, and
// a shared library would have to be installed wherever the program runs.
#define FMT_HEADER_ONLY 1
#include <fmt/format.h>

namespace shiftcut {

// An inline function is compiled where its address is taken.
[[gnu::used]] std::string (*const kFormat)(fmt::string_view, fmt::format_args) = &fmt::vformat;

}  // namespace shiftcut
