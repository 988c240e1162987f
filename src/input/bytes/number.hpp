// Text to number, the same in every locale.
#pragma once

#include <string_view>

namespace shiftcut {

enum class NumberKind { finite, not_finite, text };

/// Reads all of `text` as a decimal number into `value`. `not_finite`: nan, inf or too large for a
/// double; `text`: no number at all. What is too small for a double is 0.
NumberKind parse_number(std::string_view text, double& value);

}  // namespace shiftcut
