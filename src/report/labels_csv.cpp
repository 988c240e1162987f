// The labels as a table to join with other tables by id.
#include <fmt/format.h>

#include <cassert>
#include <iterator>
#include <string_view>

#include "shiftcut/report.hpp"

namespace shiftcut {
namespace {

/// Appends a cell as RFC 4180 wants it; any bytes are kept as they are.
void append_cell(std::string& out, std::string_view cell) {
  const bool padded = !cell.empty() && (cell.front() == ' ' || cell.back() == ' ');
  if (!padded && cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += cell;
    return;
  }
  out += '"';
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace

std::string labels_csv(const Result& result, const Input& input) {
  assert(input.ids.empty() || input.ids.size() == result.labels.size());
  std::string out = "id,label\n";
  out.reserve(result.labels.size() * 12);
  for (std::size_t i = 0; i < result.labels.size(); ++i) {
    if (input.ids.empty()) {
      fmt::format_to(std::back_inserter(out), "{}", i);
    } else {
      append_cell(out, input.ids[i]);
    }
    fmt::format_to(std::back_inserter(out), ",{}\n", result.labels[i]);
  }
  return out;
}

}  // namespace shiftcut
