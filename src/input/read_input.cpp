// From a path to an Input: selects the reader by the format, and reports what does not fit into
// memory.
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "core/memory.hpp"
#include "core/message.hpp"
#include "core/text.hpp"
#include "input/arrow/arrow_source.hpp"
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

// The ending of the name: empty if it has none.
std::string_view ending_of(std::string_view name) {
  const std::size_t dot = name.find_last_of("./");
  return dot != std::string_view::npos && name[dot] == '.' ? name.substr(dot + 1) : "";
}

std::optional<Format> format_of_ending(std::string_view ending) {
  if (ending == "graph") {
    return Format::metis;
  }
  return ending == "feather" ? Format::arrow : from_word<Format>(ending);
}

// By the options or else by the ending of the name.
Format format_of(const std::string& path, const ReadOptions& options, const ByteSource& source) {
  if (options.format != Format::automatic) {
    return options.format;
  }
  const std::string name = without_gz(path);
  const auto format = format_of_ending(ending_of(name));
  if (format && *format != Format::automatic) {
    return *format;
  }
  const std::string_view ending = ending_of(name);
  reject(source.name(),
         message("unknown_format", "format",
                 "found {}; allowed: .csv, .tsv, .npy, .npz, .mtx, .edges, .graph, each also with "
                 ".gz, .parquet, .arrow, .feather, or {format} csv, tsv, npy, npz, mtx, edges, "
                 "metis, parquet or arrow",
                 !ending.empty()
                     ? fmt::format("a name that ends in {}", quoted("." + std::string(ending)))
                     : "a name without an extension"));
}

// A table whose columns have types, which Python turns into CSV.
bool is_arrow(const std::string& path, const ReadOptions& options) {
  const auto format = options.format == Format::automatic ? format_of_ending(ending_of(path))
                                                          : std::optional(options.format);
  return format == Format::parquet || format == Format::arrow;
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
    reject(source.name(), message("not_applicable", option.substr(0, option.find('=')),
                                  "found {" + option +
                                      "} for a file that is not a table; allowed: only with CSV, "
                                      "TSV, Parquet and Arrow"));
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
    case Format::parquet:  // gzipped, by its name
    case Format::arrow:
      reject(source.name(),
             "found a gzipped file; allowed: the file itself, which is compressed inside");
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

// read(format, source, options) of the file, which may be one that is converted.
template <class Read>
Input read_file(const std::string& path, const ReadOptions& options, const Control& control,
                const Read& read) {
  if (is_arrow(path, options)) {
    ByteSource source = arrow_source(path, options, control);
    ArrowTable table = begin_arrow_table(source, options);
    Input input = read(Format::csv, source, table.options);
    input.notes.insert(input.notes.begin(), table.notes.begin(), table.notes.end());
    return input;
  }
  ByteSource source = ByteSource::open(path, control);
  return read(format_of(path, options, source), source, options);
}

// The same, and what does not fit into memory is reported.
template <class Read>
Input read_whole(const std::string& path, const ReadOptions& options, const Control& control,
                 const Read& read) {
  return read_file(path, options, control,
                   [&](Format format, ByteSource& source, const ReadOptions& how) {
                     try {
                       Input input = read(format, source, how);
                       input.checked = true;
                       return input;
                     } catch (const std::bad_alloc&) {
                       reject_size(source);
                     } catch (const std::length_error&) {
                       reject_size(source);
                     }
                   });
}

bool is_text(Format format) { return format == Format::csv || format == Format::tsv; }

char delimiter_of(Format format) { return format == Format::tsv ? '\t' : ','; }

void require_format(const std::string& path, const ReadOptions& options) {
  if (path == "-" && options.format == Format::automatic) {
    reject("standard input", message("unknown_format", "format",
                                     "found no format; allowed: {format} csv, tsv, npy, npz, mtx, "
                                     "edges, metis, parquet or arrow"));
  }
}

}  // namespace

int reading_threads(const ReadOptions& options, const ByteSource& source) {
  const bool is_small = source.file_size() > 0 && source.file_size() < kWorthThreads;
  return options.threads == 0 && is_small ? 1 : options.threads;
}

void require_npy(const std::string& path, const ReadOptions& options, const Control& control) {
  const auto refuse_file = [](const std::string& found) {
    refuse("not_applicable", "memory_limit",
           "{memory_limit}: found with {}; allowed: an .npy file of rows of features, which can be "
           "read again and again",
           found);
  };
  if (path == "-") {
    refuse_file("standard input");
  }
  const ByteSource source = ByteSource::open(path, control);
  if (is_arrow(path, options) || format_of(path, options, source) != Format::npy) {
    refuse_file(source.name());
  }
  if (options.shape != ShapeChoice::automatic && options.shape != ShapeChoice::features) {
    refuse_file("a matrix or a graph");
  }
  reject_table_options(options, source);
}

Input read_input(const std::string& path, const ReadOptions& options, const Control& control) {
  require_format(path, options);
  return read_whole(path, options, control, read_as);
}

Input read_training(const std::string& path, const ReadOptions& options,
                    std::shared_ptr<const TableEncoding>& encoding, const Control& control) {
  encoding = nullptr;
  require_format(path, options);
  return read_whole(
      path, options, control, [&](Format format, ByteSource& source, const ReadOptions& how) {
        return is_text(format) ? read_table(source, how, delimiter_of(format), &encoding)
                               : read_as(format, source, how);
      });
}

Input read_like(const std::string& path, const ReadOptions& options, const TableEncoding& encoding,
                const Control& control) {
  return read_file(path, options, control,
                   [&](Format format, ByteSource& source, const ReadOptions& how) {
                     if (is_text(format)) {
                       return read_table_like(source, how, delimiter_of(format), encoding);
                     }
                     Input input = read_as(format, source, how);
                     input.checked = true;
                     return input;
                   });
}

namespace {

// Calls `look` with the source of a table, the options and the delimiter.
template <class Look>
void look_at_table(const std::string& path, const ReadOptions& options, const Control& control,
                   const Look& look) {
  read_file(path, options, control, [&](Format format, ByteSource& source, const ReadOptions& how) {
    if (!is_text(format)) {
      reject(source.name(),
             "found a file that is not a table, whose cells cannot be shown; allowed: "
             "CSV, TSV, Parquet and Arrow");
    }
    look(source, how, delimiter_of(format));
    return Input{};
  });
}

}  // namespace

TableCells read_cells(const std::string& path, const ReadOptions& options,
                      std::span<const std::size_t> rows, const Control& control) {
  TableCells cells;
  look_at_table(path, options, control,
                [&](ByteSource& source, const ReadOptions& how, char delimiter) {
                  cells = read_table_cells(source, how, delimiter, rows);
                });
  return cells;
}

std::vector<FoundCell> find_cells(const std::string& path, const ReadOptions& options,
                                  std::string_view text, std::size_t most, const Control& control) {
  std::vector<FoundCell> found;
  look_at_table(path, options, control,
                [&](ByteSource& source, const ReadOptions& how, char delimiter) {
                  found = find_table_cells(source, how, delimiter, text, most);
                });
  return found;
}

LabelFile read_labels(const std::string& path, char delimiter) {
  ByteSource source = ByteSource::open(path);
  const bool tsv = without_gz(path).ends_with(".tsv");
  return read_label_source(source, delimiter != '\0' ? delimiter : tsv ? '\t' : '\0');
}

}  // namespace shiftcut
