// Numbers by std::from_chars, which knows no locale and reads what std::to_chars wrote exactly.
#include "input/bytes/parse.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace shiftcut {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// std::from_chars reports "too large" and "too small" alike. The position of the first nonzero
// digit and the exponent tell them apart.
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

std::string_view trimmed(std::string_view text) {
  text = skip_spaces(text);
  while (!text.empty() && is_space(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

std::size_t split_fields(std::string_view line, std::span<std::string_view> fields) {
  std::size_t count = 0;
  std::size_t at = 0;
  for (;;) {
    while (at < line.size() && is_space(line[at])) {
      ++at;
    }
    if (at == line.size()) {
      return count;
    }
    const std::size_t begin = at;
    while (at < line.size() && !is_space(line[at])) {
      ++at;
    }
    if (count < fields.size()) {
      fields[count] = line.substr(begin, at - begin);
    }
    ++count;
  }
}

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

std::optional<std::uint64_t> parse_count(std::string_view text, std::uint64_t most) {
  std::uint64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, count);
  return stop == end && error == std::errc{} && count <= most ? std::optional(count) : std::nullopt;
}

}  // namespace shiftcut
