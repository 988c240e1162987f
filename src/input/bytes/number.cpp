// Numbers by std::from_chars: see number.hpp.
#include "input/bytes/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace shiftcut {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// std::from_chars does not tell too large from too small: the place of the first digit that is not
// zero, with the exponent, does.
bool is_too_large(std::string_view text) {
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t leading = mantissa.find_first_of("123456789");
  if (leading == std::string_view::npos) {
    return false;
  }
  const auto place = static_cast<long long>(point) - static_cast<long long>(leading);
  long long exponent = 0;
  if (e < text.size()) {
    const bool negative = e + 1 < text.size() && text[e + 1] == '-';
    for (std::size_t i = e + 1; i < text.size() && exponent < 1'000'000'000'000'000; ++i) {
      exponent = is_digit(text[i]) ? exponent * 10 + (text[i] - '0') : exponent;
    }
    exponent = negative ? -exponent : exponent;
  }
  return place + exponent > 0;
}

}  // namespace

NumberKind parse_number(std::string_view text, double& value) {
  const char* begin = text.data();
  const char* const end = begin + text.size();
  if (begin != end && *begin == '+') {
    ++begin;
    if (begin != end && *begin == '-') {
      return NumberKind::text;
    }
  }
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (stop != end || error == std::errc::invalid_argument) {
    return NumberKind::text;
  }
  if (error == std::errc::result_out_of_range) {
    value = 0;
    return is_too_large(text) ? NumberKind::not_finite : NumberKind::finite;
  }
  return std::isfinite(value) ? NumberKind::finite : NumberKind::not_finite;
}

}  // namespace shiftcut
