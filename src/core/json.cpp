#include "core/json.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "shiftcut/text.hpp"

namespace shiftcut {

namespace {

constexpr std::string_view kInsteadOfNoLetter = "\xEF\xBF\xBD";

void write_escaped(std::string& out, char letter) {
  switch (letter) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\b':
      out += "\\b";
      break;
    case '\f':
      out += "\\f";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F) {
        out += fmt::format("\\u{:04x}", static_cast<unsigned>(letter));
      } else {
        out += letter;
      }
  }
}

void write_text(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    if (letter.code == kNoLetter) {
      out += kInsteadOfNoLetter;
    } else if (letter.code >= 0x80 && letter.code < 0xA0) {  // control codes of ISO 6429
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(letter.code));
    } else if (letter.bytes > 1) {
      out += text.substr(0, letter.bytes);
    } else {
      write_escaped(out, text.front());
    }
    text.remove_prefix(letter.bytes);
  }
  out += '"';
}

void write_number(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  const std::string digits = fmt::format("{}", number);
  out += digits;
  if (digits.find_first_of(".e") == std::string::npos) {
    out += ".0";
  }
}

void write_break(std::string& out, std::size_t indent, std::size_t level) {
  if (indent > 0) {
    out += '\n';
    out.append(indent * level, ' ');
  }
}

}  // namespace

Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

bool Json::is_member() const {
  const auto* list = std::get_if<List>(&value_);
  return list != nullptr && list->size() == 2 &&
         std::holds_alternative<std::string>(list->front().value_);
}

Json::Json(std::initializer_list<Json> items) {
  if (!std::all_of(items.begin(), items.end(), [](const Json& item) { return item.is_member(); })) {
    value_ = List(items);
    return;
  }
  Object members;
  members.keys.reserve(items.size());
  members.values.reserve(items.size());
  for (const Json& item : items) {
    members.keys.push_back(std::get<std::string>(item.items()[0].value_));
    members.values.push_back(item.items()[1]);
  }
  value_ = std::move(members);
}

Json Json::array() {
  Json list;
  list.value_ = List();
  return list;
}

Json& Json::operator[](std::string_view key) {
  if (std::holds_alternative<std::monostate>(value_)) {
    value_ = Object();
  }
  auto& [keys, values] = std::get<Object>(value_);
  const auto at = static_cast<std::size_t>(std::ranges::find(keys, key) - keys.begin());
  if (at == keys.size()) {
    values.emplace_back();
    keys.emplace_back(key);
  }
  return values[at];
}

void Json::push_back(Json item) {
  if (std::holds_alternative<std::monostate>(value_)) {
    value_ = List();
  }
  std::get<List>(value_).push_back(std::move(item));
}

std::string Json::dump(std::size_t indent) const {
  std::string out;
  write(out, indent, 0);
  return out;
}

void Json::write(std::string& out, std::size_t indent, std::size_t level) const {
  if (std::holds_alternative<std::monostate>(value_)) {
    out += "null";
  } else if (const auto* truth = std::get_if<bool>(&value_)) {
    out += *truth ? "true" : "false";
  } else if (const auto* whole = std::get_if<std::int64_t>(&value_)) {
    out += std::to_string(*whole);
  } else if (const auto* natural = std::get_if<std::uint64_t>(&value_)) {
    out += std::to_string(*natural);
  } else if (const auto* number = std::get_if<double>(&value_)) {
    write_number(out, *number);
  } else if (const auto* text = std::get_if<std::string>(&value_)) {
    write_text(out, *text);
  } else if (const auto* list = std::get_if<List>(&value_)) {
    out += '[';
    for (std::size_t i = 0; i < list->size(); ++i) {
      out += i > 0 ? "," : "";
      write_break(out, indent, level + 1);
      (*list)[i].write(out, indent, level + 1);
    }
    if (!list->empty()) {
      write_break(out, indent, level);
    }
    out += ']';
  } else {
    const auto& [keys, values] = std::get<Object>(value_);
    out += '{';
    for (std::size_t i = 0; i < keys.size(); ++i) {
      out += i > 0 ? "," : "";
      write_break(out, indent, level + 1);
      write_text(out, keys[i]);
      out += indent > 0 ? ": " : ":";
      values[i].write(out, indent, level + 1);
    }
    if (!keys.empty()) {
      write_break(out, indent, level);
    }
    out += '}';
  }
}

}  // namespace shiftcut
