// The body of a Matrix Market file: see mtx_reader.hpp.
#include "input/mtx_reader.hpp"

#include <charconv>

#include <fmt/format.h>

#include "core/text.hpp"
#include "input/block_list.hpp"
#include "input/csr_rows.hpp"
#include "input/dense_input.hpp"
#include "input/fields.hpp"
#include "input/mtx_header.hpp"
#include "input/number.hpp"
#include "input/reject.hpp"
#include "input/sparse_shape.hpp"
#include "input/transposed.hpp"

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

Input read_coordinate(LineReader& lines, const MtxHeader& header, ShapeChoice choice) {
  const Shape shape = sparse_shape(choice, lines.file());
  if (shape == Shape::features && header.symmetric) {
    reject(lines.file(), "found a symmetric matrix read as features; allowed: a general one");
  }
  if (shape == Shape::graph && header.rows != header.columns) {
    reject(lines.file(), fmt::format("found {} rows and {} columns; allowed for a graph: as many "
                                     "columns as rows (--as features reads rows of features)",
                                     header.rows, header.columns));
  }
  BlockList<Entry> entries;
  for_each_line(lines, header, [&] {
    std::string_view fields[3];
    const std::size_t count = split_fields(lines.line(), fields);
    require_fields(lines, count, header.pattern ? 2 : 3,
                   header.pattern ? "ROW COLUMN" : "ROW COLUMN VALUE");
    const Entry entry{parse_place(lines, fields[0], "row", header.rows),
                      parse_place(lines, fields[1], "column", header.columns),
                      header.pattern ? 1.0 : parse_value(lines, fields[2])};
    if (header.symmetric && entry.row < entry.column) {
      reject_line(lines.file(), lines.number(),
                  fmt::format("found row {}, column {}; allowed in a symmetric matrix: the lower "
                              "triangle, where the row is not less than the column",
                              entry.row + 1, entry.column + 1));
    }
    entries.push_back(entry);
  });
  require_objects(header.rows, entries.size(), lines.file());
  Input input;
  input.name = lines.file();
  input.shape = shape;
  SparseMatrix matrix = csr_rows(entries, header.rows, header.columns,
                                 header.symmetric ? Mirror::yes : Mirror::no, lines.file());
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
  BlockList<double> listed;
  for_each_line(lines, header, [&] {
    std::string_view fields[1];
    require_fields(lines, split_fields(lines.line(), fields), 1, "VALUE");
    listed.push_back(parse_value(lines, fields[0]));
  });
  std::vector<double> values = listed.take();
  values = header.symmetric ? mirrored(values, header.rows)
                            : transposed(values.data(), header.columns, header.rows);
  return dense_input(DenseArray::own(std::move(values), header.rows, header.columns), choice,
                     Shape::similarity, source, FiniteCheck::done);
}

}  // namespace

Input read_mtx(ByteSource& source, const ReadOptions& options) {
  LineReader lines(source);
  const MtxHeader header = read_mtx_header(lines);
  return header.coordinate ? read_coordinate(lines, header, options.shape)
                           : read_array(lines, header, options.shape, source);
}

}  // namespace shiftcut
