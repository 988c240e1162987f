// Matrix Market files: a banner, a line with the size, then entries or values. Variants that
// Shiftcut has no use for (complex, hermitian, skew-symmetric) are rejected. Format:
// https://math.nist.gov/MatrixMarket/formats.html
#include <algorithm>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>

#include <fmt/core.h>

#include "core/memory.hpp"
#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/block_list.hpp"
#include "input/bytes/line_blocks.hpp"
#include "input/bytes/parse.hpp"
#include "input/bytes/reject.hpp"
#include "input/graph/sparse_rows.hpp"
#include "input/limits.hpp"
#include "input/matrix/dense_input.hpp"
#include "input/readers.hpp"

namespace shiftcut {

namespace {

struct MtxHeader {
  bool coordinate = false;  // a list of entries; otherwise all values, column by column
  bool pattern = false;     // entries without values: each is 1
  bool symmetric = false;   // only the lower triangle is listed
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t entries = 0;  // lines that follow
};

// Advances to the next line that is neither blank nor a comment; false at the end.
bool next_mtx_line(LineReader& lines) {
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (!line.starts_with('%') && !std::all_of(line.begin(), line.end(), is_space)) {
      return true;
    }
  }
  return false;
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
  if (count != 5 || lower_case(fields[0]) != "%%matrixmarket") {
    reject_line(lines.file(), lines.number(),
                fmt::format("found {}; allowed: %%MatrixMarket matrix array|coordinate "
                            "real|integer|pattern general|symmetric",
                            quoted(lines.line())));
  }
  const std::string layout = lower_case(fields[2]);
  const std::string type = lower_case(fields[3]);
  const std::string symmetry = lower_case(fields[4]);
  require_word(lines, lower_case(fields[1]), {"matrix"}, "object");
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

std::uint64_t read_mtx_count(const LineReader& lines, std::string_view field, const char* what,
                             std::uint64_t most) {
  const std::optional<std::uint64_t> count = parse_count(field, most);
  if (!count) {
    reject_line(
        lines.file(), lines.number(),
        fmt::format("found {} {}; allowed: a whole number up to {}", what, quoted(field), most));
  }
  return *count;
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
  header.rows = read_mtx_count(lines, fields[0], "rows", kMostObjects);
  header.columns = read_mtx_count(lines, fields[1], "columns", kMostObjects);
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
        read_mtx_count(lines, fields[2], "entries", std::numeric_limits<std::int64_t>::max() / 2);
  } else {
    header.entries =
        header.symmetric ? header.rows * (header.rows + 1) / 2 : header.rows * header.columns;
  }
}

MtxHeader read_mtx_header(LineReader& lines) {
  MtxHeader header;
  read_banner(lines, header);
  read_sizes(lines, header);
  return header;
}

// Where a line is, for messages.
struct Place {
  const std::string& file;
  std::uint64_t line;
};

Place place_of(const LineReader& lines) { return {lines.file(), lines.number()}; }

double read_value(const Place& at, std::string_view field) {
  double value = 0;
  if (parse_number(field, value) != NumberKind::finite) {
    reject_line(at.file, at.line, fmt::format("found {}; allowed: a finite number", quoted(field)));
  }
  return value;
}

// Rows and columns are counted from 1 in the file.
std::uint32_t read_index(const Place& at, std::string_view field, const char* what,
                         std::uint64_t most) {
  const std::uint64_t index = parse_count(field, most).value_or(0);
  if (index == 0) {
    reject_line(at.file, at.line,
                fmt::format("found {} {}; allowed: 1 to {}", what, quoted(field), most));
  }
  return static_cast<std::uint32_t>(index - 1);
}

void require_fields(const Place& at, std::size_t found, std::size_t wanted, const char* form) {
  if (found != wanted) {
    reject_line(at.file, at.line,
                fmt::format("found {} {}; allowed: {}, {}", found, found == 1 ? "field" : "fields",
                            wanted, form));
  }
}

// Rejects the next line of the body unless the header promises it.
void require_promised(const Place& at, std::uint64_t count, const MtxHeader& header) {
  if (count == header.entries) {
    reject_line(at.file, at.line,
                fmt::format("found more than {} entries; allowed: the {} its header promises",
                            header.entries, header.entries));
  }
}

void require_all(const std::string& file, std::uint64_t count, const MtxHeader& header) {
  if (count != header.entries) {
    reject(file, fmt::format("found {} entries; allowed: the {} its header promises", count,
                             header.entries));
  }
}

// ---- A list of entries: blocks of lines on all threads, as edge lists are read ----

struct EntryBlock {
  EntryList::Block entries;
  bool is_usual = true;  // else the lines are read one by one
};

class EntryBlockParser {
 public:
  EntryBlockParser(std::string_view lines, const MtxHeader& header, EntryBlock& out)
      : lines_(lines), header_(header), out_(out) {}

  void run() {
    out_.entries.places.reserve(lines_in(lines_, '\n'));
    const char* at = lines_.data();
    const char* const end = at + lines_.size();
    while (at != nullptr && at < end) {
      at = *at == '%' ? std::find(at, end, '\n') + 1 : take_entry(at);
    }
    out_.is_usual = at != nullptr;
  }

 private:
  static const char* skip_blanks(const char* at) {
    while (is_space(*at)) {
      ++at;
    }
    return at;
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  // Counted from 1 in the file.
  static bool take_index(const char*& at, std::uint64_t most, std::uint32_t& index) {
    const char* const begin = at;
    std::uint64_t number = 0;
    while (is_digit(*at) && at - begin < 15) {
      number = number * 10 + static_cast<std::uint64_t>(*at++ - '0');
    }
    index = static_cast<std::uint32_t>(number - 1);
    return number >= 1 && number <= most && (is_space(*at) || *at == '\n');
  }

  // Every block ends in a line feed, so that no loop leaves it.
  const char* take_entry(const char* at) {
    at = skip_blanks(at);
    if (*at == '\n') {
      return at + 1;
    }
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    if (!take_index(at, header_.rows, row)) {
      return nullptr;
    }
    at = skip_blanks(at);
    if (!take_index(at, header_.columns, column) || (header_.symmetric && row < column)) {
      return nullptr;
    }
    at = skip_blanks(at);
    double value = 1;
    if (!header_.pattern) {
      const char* const begin = at;
      while (!is_space(*at) && *at != '\n') {
        ++at;
      }
      if (parse_number({begin, static_cast<std::size_t>(at - begin)}, value) !=
          NumberKind::finite) {
        return nullptr;
      }
      at = skip_blanks(at);
    }
    if (*at != '\n') {
      return nullptr;
    }
    out_.entries.add(row, column, value);
    return at + 1;
  }

  std::string_view lines_;
  const MtxHeader& header_;
  EntryBlock& out_;
};

void read_entry(const Place& at, std::string_view line, const MtxHeader& header,
                EntryList& entries) {
  if (line.find('\0') != std::string_view::npos) {
    reject_line(at.file, at.line, "found a NUL byte; allowed: text (UTF-8)");
  }
  if (line.starts_with('%') || std::all_of(line.begin(), line.end(), is_space)) {
    return;
  }
  require_promised(at, entries.size(), header);
  std::string_view fields[3];
  const std::size_t count = split_fields(line, fields);
  require_fields(at, count, header.pattern ? 2 : 3,
                 header.pattern ? "ROW COLUMN" : "ROW COLUMN VALUE");
  const std::uint32_t row = read_index(at, fields[0], "row", header.rows);
  const std::uint32_t column = read_index(at, fields[1], "column", header.columns);
  if (header.symmetric && row < column) {
    reject_line(at.file, at.line,
                fmt::format("found row {}, column {}; allowed in a symmetric matrix: the lower "
                            "triangle, where the row is not less than the column",
                            row + 1, column + 1));
  }
  entries.add(row, column, header.pattern ? 1.0 : read_value(at, fields[2]));
}

EntryList read_entries(LineReader& lines, const MtxHeader& header, ThreadTeam& team) {
  EntryList entries;
  const char line_end = lines.line_end();
  parse_blocks<EntryBlock>(
      lines, team,
      [&](const LineBlock& block, EntryBlock& out) {
        out.is_usual = line_end == '\n' && block.lines().find('\0') == std::string_view::npos;
        if (out.is_usual) {
          EntryBlockParser(block.lines(), header, out).run();
        }
      },
      [&](const LineBlock& block, EntryBlock& parsed, std::uint64_t first) {
        const std::size_t left = header.entries - entries.size();
        if (parsed.is_usual && parsed.entries.places.size() <= left) {
          entries.append(std::move(parsed.entries));
        } else {
          for_each_line(block, line_end, first, [&](std::string_view line, std::uint64_t number) {
            read_entry({lines.file(), number}, line, header, entries);
          });
        }
      });
  require_all(lines.file(), entries.size(), header);
  return entries;
}

// Some steps store a number for each column. Where the header promises far more columns than there
// are entries, those without entries are left out; the others keep their order.
void drop_empty_columns(SparseMatrix& matrix, Input& input) {
  const std::size_t promised = matrix.columns_count;
  if (promised <= kAlwaysAllowedExtent || promised / kExtentPerEntry <= matrix.columns.size()) {
    return;
  }
  std::vector<std::uint32_t> used = matrix.columns;
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (std::uint32_t& column : matrix.columns) {
    column = static_cast<std::uint32_t>(std::ranges::lower_bound(used, column) - used.begin());
  }
  matrix.columns_count = std::max<std::size_t>(used.size(), 1);
  input.notes.push_back(message("empty_columns", "",
                                "{} of {} columns hold no entries and were left out",
                                promised - matrix.columns_count, promised));
}

Input read_coordinate(LineReader& lines, const MtxHeader& header, ShapeChoice choice,
                      ThreadTeam& team) {
  const Shape shape = sparse_shape(choice, lines.file());
  if (shape == Shape::features && header.symmetric) {
    reject(lines.file(), "found a symmetric matrix read as features; allowed: a general one");
  }
  if (shape == Shape::graph && header.rows != header.columns) {
    reject(lines.file(), message("bad_input", "shape",
                                 "found {} rows and {} columns; allowed for a graph: as many "
                                 "columns as rows ({shape=features} reads rows of features)",
                                 header.rows, header.columns));
  }
  EntryList entries = read_entries(lines, header, team);
  check_objects(header.rows, entries.size(), lines.file());
  Input input;
  input.name = lines.file();
  input.shape = shape;
  lines.add_note_on_end(input.notes);
  SparseMatrix matrix =
      sparse_rows(entries, header.rows, header.columns, header.symmetric ? Mirror::yes : Mirror::no,
                  lines.file(), team);
  if (shape == Shape::features) {
    drop_empty_columns(matrix, input);
  }
  if (shape == Shape::graph && !header.symmetric) {
    symmetrise(matrix, lines.file());
  }
  input.values = std::move(matrix);
  return input;
}

// The whole matrix from its lower triangle, which is listed column by column.
std::vector<double> mirrored(const std::vector<double>& triangle, std::size_t n) {
  std::vector<double> values(n * n);
  std::size_t at = 0;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i, ++at) {
      values[i * n + j] = values[j * n + i] = triangle[at];
    }
  }
  return values;
}

std::vector<double> row_by_row(const std::vector<double>& by_column, std::size_t rows,
                               std::size_t columns) {
  std::vector<double> values(rows * columns);
  transpose(by_column.data(), columns, rows, values.data(), columns);
  return values;
}

Input read_array(LineReader& lines, const MtxHeader& header, ShapeChoice choice,
                 const ByteSource& source) {
  // A line has two bytes or more. If the file is large enough for what its header promises, memory
  // must be, too; if not, reading ends with an error before it fills the memory.
  if (source.is_plain_file() && source.file_size() / 2 >= header.entries) {
    require_memory(8.0 * (static_cast<double>(header.entries) +
                          static_cast<double>(header.rows) * static_cast<double>(header.columns)),
                   message("", "", "{}: needs {} x {} numbers, twice while they are read,",
                           source.name(), header.rows, header.columns),
                   "write the array as .npy, in float32");
  }
  BlockList<double> listed;
  while (next_mtx_line(lines)) {
    require_promised(place_of(lines), listed.size(), header);
    std::string_view fields[1];
    require_fields(place_of(lines), split_fields(lines.line(), fields), 1, "VALUE");
    listed.push_back(read_value(place_of(lines), fields[0]));
  }
  require_all(lines.file(), listed.size(), header);
  std::vector<double> values = listed.take();
  values = header.symmetric ? mirrored(values, header.rows)
                            : row_by_row(values, header.rows, header.columns);
  Input input = dense_input(DenseArray::own(std::move(values), header.rows, header.columns), choice,
                            Shape::similarity, source, FiniteCheck::done);
  lines.add_note_on_end(input.notes);
  return input;
}

}  // namespace

Input read_mtx(ByteSource& source, const ReadOptions& options) {
  LineReader lines(source);
  const MtxHeader header = read_mtx_header(lines);
  if (!header.coordinate) {
    return read_array(lines, header, options.shape, source);
  }
  ThreadTeam team(reading_threads(options, source));
  return read_coordinate(lines, header, options.shape, team);
}

}  // namespace shiftcut
