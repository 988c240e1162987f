#include "problem/shift_terms.hpp"

#include "shiftcut/words.hpp"

namespace shiftcut {

ShiftTerms shift_terms(const ShiftOptions& shift, std::size_t n, double total) {
  const auto count = static_cast<double>(n);
  switch (shift.kind) {
    case ShiftKind::constant:
      return {shift.strength * shift.constant, 0};
    case ShiftKind::by_default:
    case ShiftKind::automatic:
    case ShiftKind::adaptive:
      return {-shift.strength * total / count / count, shift.strength / count};
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
