#include "core/text.hpp"

#include <fmt/format.h>

namespace shiftcut {

std::string quoted(std::string_view text, std::size_t longest) {
  std::string out = "'";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  out += text.size() > longest ? "...'" : "'";
  return out;
}

}  // namespace shiftcut
