// From a path to an Input: selects the reader by the format, and reports what does not fit into
// memory.
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "core/memory.hpp"
#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/byte_source.hpp"
#include "input/bytes/reject.hpp"
#include "input/readers.hpp"
#include "input/table/table_encoding.hpp"
#include "shiftcut/read.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

namespace {

std::string without_gz(const std::string& path) {
  return path.ends_with(".gz") ? path.substr(0, path.size() - 3) : path;
}

// By the options or else by the ending of the name.
Format format_of(const std::string& path, const ReadOptions& options, const ByteSource& source) {
  if (options.format != Format::automatic) {
    return options.format;
  }
  const std::string name = without_gz(path);
  const std::size_t dot = name.find_last_of("./");
  if (dot != std::string::npos && name[dot] == '.') {
    const std::string_view ending = std::string_view(name).substr(dot + 1);
    const auto format =
        ending == "graph" ? std::optional(Format::metis) : from_word<Format>(ending);
    if (format && *format != Format::automatic) {
      return *format;
    }
  }
  const bool has_ending = dot != std::string::npos && name[dot] == '.';
  reject(source.name(),
         message("unknown_format", "format",
                 "found {}; allowed: .csv, .tsv, .npy, .npz, .mtx, .edges, .graph, each also with "
                 ".gz, or {format} csv, tsv, npy, npz, mtx, edges or metis",
                 has_ending ? fmt::format("a name that ends in {}", quoted(name.substr(dot)))
                            : "a name without an extension"));
}

void reject_table_options(const ReadOptions& options, const ByteSource& source) {
  const std::string option = !options.label_column.empty()    ? "label_column"
                             : !options.weight_column.empty() ? "weight_column"
                             : !options.drop.empty()          ? "drop"
                             : !options.categorical.empty()   ? "categorical"
                             : !options.header                ? "header=false"
                             : options.delimiter != '\0'      ? "delimiter"
                                                              : "";
  if (!option.empty()) {
    reject(source.name(),
           message("not_applicable", option.substr(0, option.find('=')),
                   "found {" + option +
                       "} for a file that is not a table; allowed: only with CSV and TSV"));
  }
}

Input read_as(Format format, ByteSource& source, const ReadOptions& options) {
  if (format != Format::csv && format != Format::tsv) {
    reject_table_options(options, source);
  }
  switch (format) {
    case Format::npy:
      return read_npy(source, options);
    case Format::npz:
      return read_npz(source, options);
    case Format::mtx:
      return read_mtx(source, options);
    case Format::edges:
      return read_edge_list(source, options);
    case Format::metis:
      return read_metis(source, options);
    case Format::tsv:
      return read_table(source, options, '\t');
    case Format::csv:
    case Format::automatic:
      break;
  }
  return read_table(source, options, ',');
}

[[noreturn]] void reject_size(const ByteSource& source) {
  throw ResourceError(
      message("not_enough_memory", "",
              "{}: does not fit into memory, of which {} GB are free; use fewer rows or columns, "
              "or numbers as float32 in an .npy file",
              source.name(), fmt::format("{:.1f}", static_cast<double>(available_memory()) / 1e9)));
}

}  // namespace

int reading_threads(const ReadOptions& options, const ByteSource& source) {
  const bool is_small = source.file_size() > 0 && source.file_size() < kWorthThreads;
  return options.threads == 0 && is_small ? 1 : options.threads;
}

Input read_input(const std::string& path, const ReadOptions& options, const Control& control) {
  if (path == "-" && options.format == Format::automatic) {
    reject("standard input", message("unknown_format", "format",
                                     "found no format; allowed: {format} csv, tsv, npy, npz, mtx, "
                                     "edges or metis"));
  }
  ByteSource source = ByteSource::open(path, control);
  try {
    Input input = read_as(format_of(path, options, source), source, options);
    input.checked = true;
    return input;
  } catch (const std::bad_alloc&) {
    reject_size(source);
  } catch (const std::length_error&) {
    reject_size(source);
  }
}

Input read_training(const std::string& path, const ReadOptions& options,
                    std::shared_ptr<const TableEncoding>& encoding, const Control& control) {
  encoding = nullptr;
  if (path == "-" && options.format == Format::automatic) {
    return read_input(path, options, control);  // which refuses it
  }
  ByteSource source = ByteSource::open(path, control);
  const Format format = format_of(path, options, source);
  try {
    Input input = format == Format::csv || format == Format::tsv
                      ? read_table(source, options, format == Format::tsv ? '\t' : ',', &encoding)
                      : read_as(format, source, options);
    input.checked = true;
    return input;
  } catch (const std::bad_alloc&) {
    reject_size(source);
  } catch (const std::length_error&) {
    reject_size(source);
  }
}

Input read_like(const std::string& path, const ReadOptions& options, const TableEncoding& encoding,
                const Control& control) {
  ByteSource source = ByteSource::open(path, control);
  const Format format = format_of(path, options, source);
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
  const Format format = format_of(path, options, source);
  if (format != Format::csv && format != Format::tsv) {
    reject(source.name(),
           "found a file that is not a table, whose cells cannot be shown; allowed: CSV and TSV");
  }
  return read_table_cells(source, options, format == Format::tsv ? '\t' : ',', rows);
}

LabelFile read_labels(const std::string& path, char delimiter) {
  ByteSource source = ByteSource::open(path);
  const bool tsv = without_gz(path).ends_with(".tsv");
  return read_label_source(source, delimiter != '\0' ? delimiter : tsv ? '\t' : '\0');
}

}  // namespace shiftcut
