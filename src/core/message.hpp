// Messages in one line: see include/shiftcut/message.hpp.
#pragma once

#include <string>
#include <utility>

#include <fmt/core.h>

#include "shiftcut/message.hpp"

namespace shiftcut {

/// A message with its facts as text; numbers that need a format of their own come formatted.
template <class... Facts>
Message message(std::string code, std::string parameter, std::string text, const Facts&... facts) {
  return {std::move(code), std::move(parameter), std::move(text), {fmt::format("{}", facts)...}};
}

/// Throws InvalidArgument.
template <class... Facts>
[[noreturn]] void refuse(std::string code, std::string parameter, std::string text,
                         const Facts&... facts) {
  throw InvalidArgument(message(std::move(code), std::move(parameter), std::move(text), facts...));
}

}  // namespace shiftcut
