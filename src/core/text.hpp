// Small pieces of the messages all rooms write.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "shiftcut/text.hpp"

namespace shiftcut {

/// The text as it may stand in a one-line message: harmless, at most `longest` bytes of it (whole
/// letters), in single quotes.
std::string quoted(std::string_view text, std::size_t longest = 40);

/// The texts with commas between them: "a, b, c".
std::string comma_separated(std::span<const std::string> texts);

}  // namespace shiftcut
