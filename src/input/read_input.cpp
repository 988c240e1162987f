// From a path to an Input: picks the reader. See include/shiftcut/read.hpp.
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/memory.hpp"
#include "core/text.hpp"
#include "input/bytes/byte_source.hpp"
#include "input/bytes/reject.hpp"
#include "input/graph/edge_list_reader.hpp"
#include "input/matrix/mtx_reader.hpp"
#include "input/matrix/npy_reader.hpp"
#include "input/pairs/label_reader.hpp"
#include "input/table/cell_reader.hpp"
#include "input/table/table_encoding.hpp"
#include "input/table/table_reader.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

namespace {

std::string without_gz(const std::string& path) {
  return path.ends_with(".gz") ? path.substr(0, path.size() - 3) : path;
}

Format format_of(const std::string& path, const ByteSource& source) {
  const std::string name = without_gz(path);
  constexpr std::pair<std::string_view, Format> kEndings[] = {{".csv", Format::csv},
                                                              {".tsv", Format::tsv},
                                                              {".npy", Format::npy},
                                                              {".mtx", Format::mtx},
                                                              {".edges", Format::edges}};
  for (const auto& [ending, format] : kEndings) {
    if (name.ends_with(ending)) {
      return format;
    }
  }
  const std::size_t dot = name.find_last_of("./");
  const bool has_ending = dot != std::string::npos && name[dot] == '.';
  reject(source.name(),
         fmt::format("found {}; allowed: .csv, .tsv, .npy, .mtx, .edges, each also with .gz, or "
                     "--format csv, tsv, npy, mtx or edges",
                     has_ending ? fmt::format("a name that ends in {}", quoted(name.substr(dot)))
                                : "a name without an ending"));
}

void require_no_table_options(const ReadOptions& options, const ByteSource& source) {
  const char* option = !options.label_column.empty()  ? "--label-column"
                       : !options.drop.empty()        ? "--drop"
                       : !options.categorical.empty() ? "--categorical"
                       : !options.header              ? "--no-header"
                       : options.delimiter != '\0'    ? "--delimiter"
                                                      : nullptr;
  if (option != nullptr) {
    reject(source.name(),
           fmt::format("found {} for a file that is no table; allowed: with CSV and TSV", option));
  }
}

Input read_as(Format format, ByteSource& source, const ReadOptions& options) {
  if (format != Format::csv && format != Format::tsv) {
    require_no_table_options(options, source);
  }
  switch (format) {
    case Format::npy:
      return read_npy(source, options);
    case Format::mtx:
      return read_mtx(source, options);
    case Format::edges:
      return read_edge_list(source, options);
    case Format::tsv:
      return read_table(source, options, '\t');
    case Format::csv:
    case Format::automatic:
      break;
  }
  return read_table(source, options, ',');
}

[[noreturn]] void refuse_size(const ByteSource& source) {
  throw std::runtime_error(fmt::format(
      "{}: does not fit into memory, of which {:.1f} GB are free; hand in fewer rows or "
      "columns, or numbers as float32 in an .npy file",
      source.name(), static_cast<double>(available_memory()) / 1e9));
}

}  // namespace

Input read_input(const std::string& path, const ReadOptions& options, const Control& control) {
  if (path == "-" && options.format == Format::automatic) {
    reject("standard input", "found no format; allowed: --format csv, tsv, npy, mtx or edges");
  }
  ByteSource source = ByteSource::open(path, control);
  try {
    const Format format =
        options.format == Format::automatic ? format_of(path, source) : options.format;
    Input input = read_as(format, source, options);
    input.checked = true;
    return input;
  } catch (const std::bad_alloc&) {
    refuse_size(source);
  } catch (const std::length_error&) {
    refuse_size(source);
  }
}

Input read_like(const std::string& path, const ReadOptions& options, const TableEncoding& encoding,
                const Control& control) {
  ByteSource source = ByteSource::open(path, control);
  const Format format =
      options.format == Format::automatic ? format_of(path, source) : options.format;
  if (format == Format::csv || format == Format::tsv) {
    return read_table_like(source, options, format == Format::tsv ? '\t' : ',', encoding);
  }
  Input input = read_as(format, source, options);
  input.checked = true;
  return input;
}

TableCells read_cells(const std::string& path, const ReadOptions& options,
                      std::span<const std::size_t> rows, const Control& control) {
  ByteSource source = ByteSource::open(path, control);
  const Format format =
      options.format == Format::automatic ? format_of(path, source) : options.format;
  if (format != Format::csv && format != Format::tsv) {
    reject(source.name(), "found no table, where cells are read; allowed: CSV and TSV");
  }
  return read_table_cells(source, options, format == Format::tsv ? '\t' : ',', rows);
}

LabelFile read_labels(const std::string& path, char delimiter) {
  ByteSource source = ByteSource::open(path);
  const bool tsv = without_gz(path).ends_with(".tsv");
  return read_label_source(source, delimiter != '\0' ? delimiter : tsv ? '\t' : '\0');
}

}  // namespace shiftcut
