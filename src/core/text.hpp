// Small pieces of the messages all rooms write.
#pragma once

#include <string>
#include <string_view>

namespace shiftcut {

/// The text as it may stand in a one-line message: control bytes shown as \xNN, at most `longest`
/// bytes, in single quotes.
std::string quoted(std::string_view text, std::size_t longest = 40);

}  // namespace shiftcut
