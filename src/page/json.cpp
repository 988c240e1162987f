#include "page/json.hpp"

#include <algorithm>

#include "page/tuning.hpp"
#include "shiftcut/text.hpp"

namespace shiftcut {

using namespace page_tuning;

std::string shown_name(std::string_view text, std::size_t most) {
  std::size_t bytes = 0;
  std::size_t letters = 0;
  while (bytes < text.size() && letters < most) {
    bytes += first_letter(text.substr(bytes)).bytes;
    ++letters;
  }
  const bool is_whole = bytes >= text.size();
  return harmless(text.substr(0, bytes)) + (is_whole ? "" : "\u2026");
}

std::string object_name(const Input& input, std::size_t object) {
  return input.ids.empty() ? std::to_string(object) : shown_name(input.ids[object]);
}

// All of these occur only within strings of JSON, where each may be written as its code.
std::string script_text(const Json& value) {
  const std::string plain = value.dump();
  std::string out;
  out.reserve(plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const std::string_view rest = std::string_view(plain).substr(i);
    if (rest.starts_with("\u2028") || rest.starts_with("\u2029")) {
      out += rest.starts_with("\u2028") ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (plain[i] == '<' || plain[i] == '>' || plain[i] == '&') {
      out += plain[i] == '<' ? "\\u003c" : plain[i] == '>' ? "\\u003e" : "\\u0026";
    } else {
      out += plain[i];
    }
  }
  return out;
}

}  // namespace shiftcut
