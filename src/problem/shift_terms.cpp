#include "problem/shift_terms.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

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
  switch (kind) {
    case ShiftKind::by_default:
    case ShiftKind::automatic:
    case ShiftKind::adaptive:
      return "adaptive";
    case ShiftKind::constant:
      return "constant";
    case ShiftKind::none:
      return "none";
    case ShiftKind::matrix:
      break;
  }
  return "matrix";
}

void check_shift(const ShiftOptions& shift) {
  if (!std::isfinite(shift.strength) || shift.strength < 0) {
    throw std::invalid_argument(
        fmt::format("--shift-strength: found {}; allowed: a number of 0 or more", shift.strength));
  }
  if (!std::isfinite(shift.constant)) {
    throw std::invalid_argument(
        fmt::format("--shift constant={}: allowed: a finite number", shift.constant));
  }
}

}  // namespace shiftcut
