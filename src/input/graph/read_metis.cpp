// METIS graph files: a line `NODES EDGES [FORMAT [WEIGHTS]]`, then for each node a line with its
// neighbours, counted from 1. FORMAT is up to three digits: whether nodes have sizes, nodes have
// weights (WEIGHTS of them, 1 unless given), edges have weights. Lines that begin with % are
// comments; an empty line is a node without edges. Format: the manual of METIS 5, section 4.1.1.
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/line_reader.hpp"
#include "input/bytes/parse.hpp"
#include "input/bytes/reject.hpp"
#include "input/graph/sparse_rows.hpp"
#include "input/limits.hpp"
#include "input/readers.hpp"

namespace shiftcut {

namespace {

struct MetisHeader {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  std::uint64_t skipped = 0;  // numbers before the neighbours of each node: its size and weights
  bool has_weights = false;   // of edges
};

// Advances to the next line that is no comment; false at the end.
bool next_metis_line(LineReader& lines) {
  while (lines.next()) {
    if (!skip_spaces(lines.line()).starts_with('%')) {
      return true;
    }
  }
  return false;
}

std::string_view take_word(std::string_view& rest) {
  rest = skip_spaces(rest);
  std::size_t end = 0;
  while (end < rest.size() && !is_space(rest[end])) {
    ++end;
  }
  const std::string_view word = rest.substr(0, end);
  rest = skip_spaces(rest.substr(end));
  return word;
}

std::uint64_t read_metis_count(const LineReader& lines, std::string_view word, const char* what,
                               std::uint64_t most) {
  const auto count = parse_count(word, most);
  if (!count) {
    reject_line(
        lines.file(), lines.number(),
        fmt::format("found {} {}; allowed: a whole number up to {}", what, quoted(word), most));
  }
  return *count;
}

MetisHeader read_metis_header(LineReader& lines) {
  if (!next_metis_line(lines)) {
    reject(lines.file(), "found no lines; allowed: a METIS graph, NODES EDGES in its first line");
  }
  std::string_view words[4];
  const std::size_t count = split_fields(lines.line(), words);
  if (count < 2 || count > 4) {
    reject_line(lines.file(), lines.number(),
                fmt::format("found {} {}; allowed: 2 to 4, NODES EDGES [FORMAT [WEIGHTS]]", count,
                            count == 1 ? "field" : "fields"));
  }
  MetisHeader header;
  header.nodes = read_metis_count(lines, words[0], "nodes", kMostObjects);
  header.edges = read_metis_count(lines, words[1], "edges", std::uint64_t{1} << 60);
  const std::string_view format = count > 2 ? words[2] : "0";
  if (format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos) {
    reject_line(lines.file(), lines.number(),
                fmt::format("found format {}; allowed: up to three digits 0 or 1", quoted(format)));
  }
  const auto digit = [&](std::size_t from_right) {
    return format.size() > from_right && format[format.size() - 1 - from_right] == '1';
  };
  header.has_weights = digit(0);
  const std::uint64_t weights =
      count > 3 ? read_metis_count(lines, words[3], "weights of a node", 1000) : 1;
  header.skipped = (digit(1) ? weights : 0) + (digit(2) ? 1 : 0);
  return header;
}

// One line: the neighbours of a node, which is counted from 0.
void read_node(const LineReader& lines, std::uint32_t node, const MetisHeader& header,
               EntryList& entries) {
  std::string_view rest = skip_spaces(lines.line());
  for (std::uint64_t i = 0; i < header.skipped; ++i) {
    if (rest.empty()) {
      reject_line(lines.file(), lines.number(),
                  fmt::format("found {} numbers; allowed: {} weights of the node first", i,
                              header.skipped));
    }
    take_word(rest);
  }
  while (!rest.empty()) {
    const std::string_view word = take_word(rest);
    const std::uint64_t neighbor = parse_count(word, header.nodes).value_or(0);
    if (neighbor == 0) {
      reject_line(lines.file(), lines.number(),
                  fmt::format("found neighbour {}; allowed: 1 to {}", quoted(word), header.nodes));
    }
    double weight = 1;
    if (header.has_weights) {
      const std::string_view text = take_word(rest);
      if (parse_number(text, weight) != NumberKind::finite) {
        reject_line(lines.file(), lines.number(),
                    fmt::format("found weight {} of the edge to {}; allowed: a finite number",
                                quoted(text), neighbor));
      }
    }
    entries.add(node, static_cast<std::uint32_t>(neighbor - 1), weight);
  }
}

EntryList read_nodes(LineReader& lines, const MetisHeader& header) {
  EntryList entries;
  std::uint64_t nodes = 0;
  while (next_metis_line(lines)) {
    if (nodes == header.nodes) {
      if (skip_spaces(lines.line()).empty()) {
        continue;
      }
      reject_line(lines.file(), lines.number(),
                  fmt::format("found more than {} nodes; allowed: the {} of the first line",
                              header.nodes, header.nodes));
    }
    read_node(lines, static_cast<std::uint32_t>(nodes++), header, entries);
  }
  if (nodes != header.nodes) {
    reject(lines.file(),
           fmt::format("found {} nodes; allowed: the {} of the first line", nodes, header.nodes));
  }
  return entries;
}

void check_edges(const EntryList& entries, const MetisHeader& header, const std::string& file) {
  std::uint64_t loops = 0;
  for (const EntryList::Block& block : entries.blocks()) {
    for (const EntryList::Place& place : block.places) {
      loops += place.row == place.column ? 1 : 0;
    }
  }
  const std::uint64_t ends = entries.size() - loops;
  if (ends != 2 * header.edges && ends + 2 * loops != 2 * header.edges) {
    reject(file, fmt::format("found {} neighbours; allowed: {}, both ends of the {} edges of the "
                             "first line",
                             entries.size(), 2 * header.edges, header.edges));
  }
}

}  // namespace

Input read_metis(ByteSource& source, const ReadOptions& options) {
  Input input;
  input.name = source.name();
  input.shape = sparse_shape(options.shape, source.name());
  if (input.shape == Shape::features) {
    reject(source.name(), message("not_applicable", "shape",
                                  "found a METIS graph read as features; allowed: {shape=graph}"));
  }
  LineReader lines(source);
  const MetisHeader header = read_metis_header(lines);
  EntryList entries = read_nodes(lines, header);
  check_objects(header.nodes, entries.size(), source.name());
  check_edges(entries, header, source.name());
  if (header.skipped > 0) {
    input.notes.push_back(message(
        "node_weights", "", "{} {} of each node {} left out: nodes count alike", header.skipped,
        header.skipped == 1 ? "weight" : "weights", header.skipped == 1 ? "was" : "were"));
  }
  lines.add_note_on_end(input.notes);
  ThreadTeam team(reading_threads(options, source));
  SparseMatrix matrix =
      sparse_rows(entries, header.nodes, header.nodes, Mirror::no, source.name(), team);
  symmetrise(matrix, source.name());
  input.values = std::move(matrix);
  return input;
}

}  // namespace shiftcut
