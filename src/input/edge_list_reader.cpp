// Edge lists: see edge_list_reader.hpp.
#include "input/edge_list_reader.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "input/block_list.hpp"
#include "input/csr_rows.hpp"
#include "input/fields.hpp"
#include "input/limits.hpp"
#include "input/line_reader.hpp"
#include "input/name_table.hpp"
#include "input/number.hpp"
#include "input/reject.hpp"
#include "input/sparse_shape.hpp"

namespace shiftcut {

namespace {

constexpr const char* kForm = "2 or 3, OBJECT OBJECT [WEIGHT]";

std::string_view skip_spaces(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_space(text[at])) {
    ++at;
  }
  return text.substr(at);
}

// Takes the first field off `rest`, with the blanks and the one comma after it.
std::string_view take_field(const LineReader& lines, std::string_view& rest) {
  std::size_t end = 0;
  while (end < rest.size() && !is_space(rest[end]) && rest[end] != ',') {
    ++end;
  }
  const std::string_view field = rest.substr(0, end);
  rest = skip_spaces(rest.substr(end));
  const bool comma = rest.starts_with(',');
  if (comma) {
    rest = skip_spaces(rest.substr(1));
  }
  if (field.empty() || (comma && rest.empty())) {
    reject_line(lines.file(), lines.number(),
                fmt::format("found an empty field beside a comma; allowed: {}", kForm));
  }
  return field;
}

std::size_t split_edge(const LineReader& lines, std::string_view line,
                       std::string_view (&fields)[3]) {
  std::size_t count = 0;
  for (std::string_view rest = line; !rest.empty(); ++count) {
    const std::string_view field = take_field(lines, rest);
    if (count < 3) {
      fields[count] = field;
    }
  }
  return count;
}

Entry parse_edge(const LineReader& lines, std::string_view line, NameTable& ids) {
  std::string_view fields[3];
  const std::size_t count = split_edge(lines, line, fields);
  if (count < 2 || count > 3) {
    reject_line(
        lines.file(), lines.number(),
        fmt::format("found {} {}; allowed: {}", count, count == 1 ? "field" : "fields", kForm));
  }
  Entry edge;
  edge.value = 1;
  if (count == 3 && parse_number(fields[2], edge.value) != NumberKind::finite) {
    reject_line(lines.file(), lines.number(),
                fmt::format("found weight {}; allowed: a finite number", quoted(fields[2])));
  }
  edge.row = ids.index_of(fields[0]);
  edge.column = ids.index_of(fields[1]);
  return edge;
}

}  // namespace

Input read_edge_list(ByteSource& source, const ReadOptions& options) {
  Input input;
  input.name = source.name();
  input.shape = sparse_shape(options.shape, source.name());
  if (input.shape == Shape::features) {
    reject(source.name(), "found an edge list read as features; allowed: --as graph");
  }
  LineReader lines(source);
  NameTable ids;
  BlockList<Entry> edges;
  while (lines.next()) {
    const std::string_view line = skip_spaces(lines.line());
    if (line.empty() || line.front() == '#' || line.front() == '%') {
      continue;
    }
    edges.push_back(parse_edge(lines, line, ids));
    if (ids.size() > kMostObjects) {
      reject_line(lines.file(), lines.number(),
                  fmt::format("found over {} objects; allowed: at most that many", kMostObjects));
    }
  }
  if (ids.size() == 0) {
    reject(source.name(), "found no edges; allowed: one or more lines OBJECT OBJECT [WEIGHT]");
  }
  input.ids = ids.take_names();
  input.values = csr_rows(edges, input.ids.size(), input.ids.size(), Mirror::yes, source.name());
  return input;
}

}  // namespace shiftcut
