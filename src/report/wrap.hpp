// Breaks long sentences into the lines of a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shiftcut {

/// The words of `text` after `lead`, in lines of at most `width` characters, all but the first
/// indented by two; a longer word gets a line of its own. Ends in a newline. Control bytes become
/// spaces, and a character of UTF-8 counts as one.
std::string wrapped(std::string_view lead, std::string_view text, std::size_t width = 88);

}  // namespace shiftcut
