// Banner and sizes: see mtx_header.hpp.
#include "input/matrix/mtx_header.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "core/text.hpp"
#include "input/bytes/fields.hpp"
#include "input/bytes/limits.hpp"
#include "input/bytes/reject.hpp"

namespace shiftcut {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

void require_word(const LineReader& lines, const std::string& word,
                  std::initializer_list<const char*> allowed, const char* what) {
  std::string list;
  for (const char* one : allowed) {
    if (word == one) {
      return;
    }
    list += list.empty() ? one : fmt::format(", {}", one);
  }
  reject_line(lines.file(), lines.number(),
              fmt::format("found {} {}; allowed: {}", what, quoted(word), list));
}

void read_banner(LineReader& lines, MtxHeader& header) {
  if (!lines.next()) {
    reject(lines.file(), "found an empty file; allowed: a Matrix Market file");
  }
  std::string_view fields[5];
  const std::size_t count = split_fields(lines.line(), fields);
  if (count != 5 || lower(fields[0]) != "%%matrixmarket") {
    reject_line(lines.file(), lines.number(),
                fmt::format("found {}; allowed: %%MatrixMarket matrix array|coordinate "
                            "real|integer|pattern general|symmetric",
                            quoted(lines.line())));
  }
  const std::string layout = lower(fields[2]);
  const std::string type = lower(fields[3]);
  const std::string symmetry = lower(fields[4]);
  require_word(lines, lower(fields[1]), {"matrix"}, "object");
  require_word(lines, layout, {"array", "coordinate"}, "layout");
  if (layout == "array") {
    require_word(lines, type, {"real", "integer"}, "type");
  } else {
    require_word(lines, type, {"real", "integer", "pattern"}, "type");
  }
  require_word(lines, symmetry, {"general", "symmetric"}, "symmetry");
  header.coordinate = layout == "coordinate";
  header.pattern = type == "pattern";
  header.symmetric = symmetry == "symmetric";
}

std::uint64_t parse_count(const LineReader& lines, std::string_view field, const char* what,
                          std::uint64_t most) {
  std::uint64_t count = 0;
  const char* const end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, count);
  if (stop != end || error != std::errc{} || count > most) {
    reject_line(
        lines.file(), lines.number(),
        fmt::format("found {} {}; allowed: a whole number up to {}", what, quoted(field), most));
  }
  return count;
}

void read_sizes(LineReader& lines, MtxHeader& header) {
  if (!next_mtx_line(lines)) {
    reject(lines.file(),
           "found no line with the size of the matrix; allowed: one after the "
           "comments");
  }
  const std::size_t wanted = header.coordinate ? 3 : 2;
  std::string_view fields[3];
  const std::size_t count = split_fields(lines.line(), fields);
  if (count != wanted) {
    reject_line(lines.file(), lines.number(),
                fmt::format("found {} numbers; allowed: {}", count,
                            header.coordinate ? "3, ROWS COLUMNS ENTRIES" : "2, ROWS COLUMNS"));
  }
  header.rows = parse_count(lines, fields[0], "rows", kMostObjects);
  header.columns = parse_count(lines, fields[1], "columns", kMostObjects);
  if (header.rows == 0 || header.columns == 0) {
    reject_line(lines.file(), lines.number(),
                fmt::format("found {} rows and {} columns; allowed: one or more of both",
                            header.rows, header.columns));
  }
  if (header.symmetric && header.rows != header.columns) {
    reject_line(lines.file(), lines.number(),
                fmt::format("found {} rows and {} columns of a symmetric matrix; allowed: as many "
                            "columns as rows",
                            header.rows, header.columns));
  }
  if (header.coordinate) {
    header.entries =
        parse_count(lines, fields[2], "entries", std::numeric_limits<std::int64_t>::max() / 2);
  } else {
    header.entries =
        header.symmetric ? header.rows * (header.rows + 1) / 2 : header.rows * header.columns;
  }
}

}  // namespace

bool next_mtx_line(LineReader& lines) {
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (!line.starts_with('%') && !std::all_of(line.begin(), line.end(), is_space)) {
      return true;
    }
  }
  return false;
}

MtxHeader read_mtx_header(LineReader& lines) {
  MtxHeader header;
  read_banner(lines, header);
  read_sizes(lines, header);
  return header;
}

}  // namespace shiftcut
