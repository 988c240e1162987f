// Text of unknown origin on a terminal: harmless, and as wide as it should be.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// The text without anything a terminal would obey: control characters as \xNN, bytes that are no
/// UTF-8 and marks that turn the direction of writing as a replacement character.
std::string harmless(std::string_view text);

/// How many columns harmless text takes; East Asian letters and emoji take two.
std::size_t width_of(std::string_view text);

/// Harmless text cut to `width` columns, with an ellipsis where something is left out, and filled
/// up with blanks.
std::string fitted(std::string_view text, std::size_t width);
