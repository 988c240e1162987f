#include "problem/shift_terms.hpp"

#include "core/message.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

ShiftTerms shift_terms(const ShiftOptions& shift, double n, double total) {
  switch (shift.kind) {
    case ShiftKind::constant:
      return {shift.strength * shift.constant, 0, 0};
    case ShiftKind::by_default:
    case ShiftKind::automatic:
    case ShiftKind::adaptive:
      return {-shift.strength * total / n / n, shift.strength / n, 0};
    case ShiftKind::degree:
      if (!(total > 0)) {
        refuse("not_applicable", "shift",
               "{shift}: found degree for similarities with a sum of {}; allowed: a sum above 0, "
               "or adaptive, none, constant=A or matrix=FILE",
               total);
      }
      return {0, 0, shift.strength / total};
    case ShiftKind::none:
    case ShiftKind::matrix:
    case ShiftKind::linkage:
      break;
  }
  return {};
}

std::string shift_name(ShiftKind kind) {
  const bool is_adaptive = kind == ShiftKind::by_default || kind == ShiftKind::automatic;
  return std::string(word_of(is_adaptive ? ShiftKind::adaptive : kind));
}

}  // namespace shiftcut
