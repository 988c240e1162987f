#include "problem/shift_terms.hpp"

#include "shiftcut/words.hpp"

namespace shiftcut {

ShiftTerms shift_terms(const ShiftOptions& shift, double n, double total) {
  switch (shift.kind) {
    case ShiftKind::constant:
      return {shift.strength * shift.constant, 0};
    case ShiftKind::by_default:
    case ShiftKind::automatic:
    case ShiftKind::adaptive:
      return {-shift.strength * total / n / n, shift.strength / n};
    case ShiftKind::none:
    case ShiftKind::matrix:
      break;
  }
  return {};
}

std::string shift_name(ShiftKind kind) {
  const bool is_adaptive = kind == ShiftKind::by_default || kind == ShiftKind::automatic;
  return std::string(word_of(is_adaptive ? ShiftKind::adaptive : kind));
}

}  // namespace shiftcut
