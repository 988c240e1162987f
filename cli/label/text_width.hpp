// Harmless text (shiftcut/text.hpp) on a terminal, as wide as it should be.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "shiftcut/text.hpp"

using shiftcut::harmless;

/// How many columns harmless text takes; East Asian letters and emoji take two.
std::size_t width_of(std::string_view text);

/// Harmless text cut to `width` columns, with an ellipsis where something is left out, and filled
/// up with blanks.
std::string fitted(std::string_view text, std::size_t width);
