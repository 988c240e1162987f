// The body of a Matrix Market file: see mtx_reader.hpp.
#include "input/matrix/mtx_reader.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/memory.hpp"
#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/block_list.hpp"
#include "input/bytes/fields.hpp"
#include "input/bytes/number.hpp"
#include "input/bytes/reject.hpp"
#include "input/graph/csr_rows.hpp"
#include "input/graph/entry_list.hpp"
#include "input/graph/sparse_shape.hpp"
#include "input/matrix/dense_input.hpp"
#include "input/matrix/mtx_header.hpp"
#include "input/matrix/transposed.hpp"

namespace shiftcut {

namespace {

double parse_value(const LineReader& lines, std::string_view field) {
  double value = 0;
  if (parse_number(field, value) != NumberKind::finite) {
    reject_line(lines.file(), lines.number(),
                fmt::format("found {}; allowed: a finite number", quoted(field)));
  }
  return value;
}

std::uint32_t parse_place(const LineReader& lines, std::string_view field, const char* what,
                          std::uint64_t most) {
  std::uint64_t place = 0;
  const char* const end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, place);
  if (stop != end || error != std::errc{} || place == 0 || place > most) {
    reject_line(lines.file(), lines.number(),
                fmt::format("found {} {}; allowed: 1 to {}", what, quoted(field), most));
  }
  return static_cast<std::uint32_t>(place - 1);
}

void require_fields(const LineReader& lines, std::size_t found, std::size_t wanted,
                    const char* form) {
  if (found != wanted) {
    reject_line(lines.file(), lines.number(),
                fmt::format("found {} {}; allowed: {}, {}", found, found == 1 ? "field" : "fields",
                            wanted, form));
  }
}

// Calls use() for each line of the body. There must be as many as the header says.
template <class Use>
void for_each_line(LineReader& lines, const MtxHeader& header, Use use) {
  std::uint64_t count = 0;
  while (next_mtx_line(lines)) {
    if (count == header.entries) {
      reject_line(lines.file(), lines.number(),
                  fmt::format("found more than {} entries; allowed: the {} its header promises",
                              header.entries, header.entries));
    }
    ++count;
    use();
  }
  if (count != header.entries) {
    reject(lines.file(), fmt::format("found {} entries; allowed: the {} its header promises", count,
                                     header.entries));
  }
}

void note_end(const LineReader& lines, Input& input) {
  if (auto note = lines.note_on_end()) {
    input.notes.push_back(std::move(*note));
  }
}

// Columns nobody has an entry in tell nothing, but some steps keep a number for each column: where
// a header promises far more of them than there are entries, only the others are kept, in order.
void drop_empty_columns(SparseMatrix& matrix, Input& input) {
  constexpr std::size_t kAlwaysFine = std::size_t{1} << 20;
  constexpr std::size_t kColumnsPerEntry = 1024;
  const std::size_t promised = matrix.columns_count;
  if (promised <= kAlwaysFine || promised / kColumnsPerEntry <= matrix.columns.size()) {
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

Input read_coordinate(LineReader& lines, const MtxHeader& header, ShapeChoice choice) {
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
  EntryList entries;
  for_each_line(lines, header, [&] {
    std::string_view fields[3];
    const std::size_t count = split_fields(lines.line(), fields);
    require_fields(lines, count, header.pattern ? 2 : 3,
                   header.pattern ? "ROW COLUMN" : "ROW COLUMN VALUE");
    const std::uint32_t row = parse_place(lines, fields[0], "row", header.rows);
    const std::uint32_t column = parse_place(lines, fields[1], "column", header.columns);
    if (header.symmetric && row < column) {
      reject_line(lines.file(), lines.number(),
                  fmt::format("found row {}, column {}; allowed in a symmetric matrix: the lower "
                              "triangle, where the row is not less than the column",
                              row + 1, column + 1));
    }
    entries.add(row, column, header.pattern ? 1.0 : parse_value(lines, fields[2]));
  });
  require_objects(header.rows, entries.size(), lines.file());
  Input input;
  input.name = lines.file();
  input.shape = shape;
  note_end(lines, input);
  SparseMatrix matrix = csr_rows(entries, header.rows, header.columns,
                                 header.symmetric ? Mirror::yes : Mirror::no, lines.file());
  if (shape == Shape::features) {
    drop_empty_columns(matrix, input);
  }
  if (shape == Shape::graph && !header.symmetric) {
    require_symmetric(matrix, lines.file());
  }
  input.values = std::move(matrix);
  return input;
}

// The lower triangle, column by column, to all of the matrix.
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

Input read_array(LineReader& lines, const MtxHeader& header, ShapeChoice choice,
                 const ByteSource& source) {
  // A line has two bytes or more: a file that may hold what its header promises must fit.
  if (source.is_plain_file() && source.file_size() / 2 >= header.entries) {
    require_memory(8.0 * (static_cast<double>(header.entries) +
                          static_cast<double>(header.rows) * static_cast<double>(header.columns)),
                   message("", "", "{}: needs {} x {} numbers, twice while they are read,",
                           source.name(), header.rows, header.columns),
                   "write the array as .npy, in float32");
  }
  BlockList<double> listed;
  for_each_line(lines, header, [&] {
    std::string_view fields[1];
    require_fields(lines, split_fields(lines.line(), fields), 1, "VALUE");
    listed.push_back(parse_value(lines, fields[0]));
  });
  std::vector<double> values = listed.take();
  values = header.symmetric ? mirrored(values, header.rows)
                            : transposed(values.data(), header.columns, header.rows);
  Input input = dense_input(DenseArray::own(std::move(values), header.rows, header.columns), choice,
                            Shape::similarity, source, FiniteCheck::done);
  note_end(lines, input);
  return input;
}

}  // namespace

Input read_mtx(ByteSource& source, const ReadOptions& options) {
  LineReader lines(source);
  const MtxHeader header = read_mtx_header(lines);
  return header.coordinate ? read_coordinate(lines, header, options.shape)
                           : read_array(lines, header, options.shape, source);
}

}  // namespace shiftcut
