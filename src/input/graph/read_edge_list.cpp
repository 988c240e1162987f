// Edge lists: blocks of lines are parsed on all threads; then, in order, ids are numbered, and the
// edge is stored in 8 or 16 bytes. A block with a line that is unusual (a header, a comment that
// reads like an edge, an error) is read once more, line by line, in its turn: so messages and notes
// are those of the first such line of the file.
#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/line_blocks.hpp"
#include "input/bytes/parse.hpp"
#include "input/bytes/reject.hpp"
#include "input/graph/edge_block.hpp"
#include "input/graph/edge_line.hpp"
#include "input/graph/id_table.hpp"
#include "input/graph/sparse_rows.hpp"
#include "input/limits.hpp"
#include "input/readers.hpp"

namespace shiftcut {

namespace {

// Ids up to about the number of edges get a place in an array, which takes no more memory than the
// text does.
std::uint32_t most_numbers(const ByteSource& source) {
  constexpr std::uint64_t kFewest = std::uint64_t{1} << 18;
  constexpr std::uint64_t kUnknown = std::uint64_t{1} << 24;
  const std::uint64_t size = source.file_size();
  const std::uint64_t most = size == 0 ? kUnknown : source.is_plain_file() ? size / 8 : size;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most, kFewest, kIsName));
}

struct EdgeList {
  IdTable ids;
  EntryList edges = {};
  std::vector<Message> notes = {};  // NOLINT(readability-redundant-member-init)
};

// Reads the lines, and notes what may have been meant otherwise.
class EdgeListReader {
 public:
  EdgeListReader(ByteSource& source, ThreadTeam& team)
      : lines_(source), team_(team), list_{IdTable(most_numbers(source))} {}

  EdgeList read() {
    const std::uint32_t most = list_.ids.most();
    parse_blocks<EdgeBlock>(
        lines_, team_,
        [&](const LineBlock& lines, EdgeBlock& block) {
          parse_edges(lines.lines(), lines_.line_end(), most, block);
        },
        [&](const LineBlock& lines, EdgeBlock& block, std::uint64_t first) {
          if (block.is_usual) {
            add_block(block);
          } else {
            for_each_line(
                lines, lines_.line_end(), first,
                [&](std::string_view line, std::uint64_t number) { read_line(line, number); });
          }
          if (list_.ids.size() > kMostObjects) {
            reject(lines_.file(),
                   fmt::format("found over {} objects; allowed: at most that many", kMostObjects));
          }
        });
    reject_comments_on_objects();
    add_notes();
    return std::move(list_);
  }

 private:
  struct Comment {
    std::uint64_t number;
    std::string id;
  };

  void add_block(EdgeBlock& block) {
    constexpr std::size_t kAhead = 16;
    constexpr std::uint32_t kNotYet = UINT32_MAX;
    IdTable& ids = list_.ids;
    std::vector<EntryList::Place>& places = block.edges.places;
    if (places.empty()) {
      return;
    }
    std::vector<std::uint32_t> by_name(block.names.size(), kNotYet);
    const auto number = [&](std::uint32_t& end) {
      if ((end & kIsName) == 0) {
        end = ids.index_of(end);
        return;
      }
      std::uint32_t& index = by_name[end & ~kIsName];
      index = index == kNotYet ? ids.index_of(block.names[end & ~kIsName]) : index;
      end = index;
    };
    for (std::size_t e = 0; e < places.size(); ++e) {
      if (e + kAhead < places.size()) {
        ids.prefetch(places[e + kAhead].row);
        ids.prefetch(places[e + kAhead].column);
      }
      number(places[e].row);
      number(places[e].column);
    }
    if (list_.edges.size() == 0 || first_may_be_header_) {
      for (const EntryList::Place& place : places) {
        check_header(place.row, place.column, &place == places.data() && list_.edges.size() == 0);
      }
    }
    fields_before_ = block.fields_before > 0 ? block.fields_before : last_fields_;
    last_fields_ = block.last_fields;
    is_first_ = false;
    list_.edges.append(std::move(block.edges));
  }

  void read_line(std::string_view line, std::uint64_t number) {
    if (line.find('\0') != std::string_view::npos) {
      reject_line(lines_.file(), number, "found a NUL byte; allowed: text (UTF-8)");
    }
    line = skip_spaces(line);
    if (line.empty()) {
      return;
    }
    if (begins_comment(line.front())) {
      skip(line, number);
      return;
    }
    const EdgeFields fields = split_edge(line);
    double weight = 1;
    if (is_edge(fields, weight)) {
      add(fields, weight);
    } else if (is_first_ && is_header(fields)) {
      list_.notes.push_back(message("header_line", "",
                                    "line {} ({}) was treated as a header: {} is not a weight",
                                    number, quoted(line), quoted(fields.field[2])));
    } else {
      reject_edge(lines_.file(), number, fields);
    }
    is_first_ = false;
  }

  void skip(std::string_view comment, std::uint64_t number) {
    if (!reads_like_an_edge(comment)) {
      return;
    }
    comments_.add(number, comment);
    if (remembered_.size() < kRememberedComments) {
      remembered_.push_back({number, std::string(split_edge(comment).field[0])});
    }
  }

  // Where another line has `#1` as its second id, `#1 a` is not a comment.
  void reject_comments_on_objects() const {
    for (const Comment& comment : remembered_) {
      if (list_.ids.contains(comment.id)) {
        reject_line(
            lines_.file(), comment.number,
            fmt::format("found {} first, which makes the line a comment, while another line has an "
                        "object with this id; allowed: ids that do not begin with # or %",
                        quoted(comment.id)));
      }
    }
  }

  void add(const EdgeFields& fields, double weight) {
    const std::uint32_t a = list_.ids.index_of(fields.field[0]);
    const std::uint32_t b = list_.ids.index_of(fields.field[1]);
    check_header(a, b, list_.edges.size() == 0);
    list_.edges.add(a, b, weight);
    fields_before_ = std::exchange(last_fields_, fields.count);
  }

  // Whether the first edge may be a header: names of columns that no other edge has.
  void check_header(std::uint32_t a, std::uint32_t b, bool is_first_edge) {
    first_may_be_header_ = is_first_edge ? are_column_names(list_.ids[a], list_.ids[b])
                                         : first_may_be_header_ && a > 1 && b > 1;
  }

  void add_notes() {
    if (first_may_be_header_) {
      list_.notes.push_back(message("header_line", "",
                                    "the first line was read as an edge of {} and {}, which no "
                                    "other line names: if it is a header, remove it",
                                    quoted(list_.ids[0]), quoted(list_.ids[1])));
    }
    comments_.add_note(list_.notes, "; an edge cannot begin with # or %");
    lines_.add_note_on_end(list_.notes, last_fields_ < fields_before_);
  }

  LineReader lines_;
  ThreadTeam& team_;
  EdgeList list_;
  SkippedLines comments_;
  std::vector<Comment> remembered_;
  bool is_first_ = true;  // no line but blank ones and comments so far
  bool first_may_be_header_ = false;
  std::size_t fields_before_ = 0;
  std::size_t last_fields_ = 0;
};

}  // namespace

Input read_edge_list(ByteSource& source, const ReadOptions& options) {
  Input input;
  input.name = source.name();
  input.shape = sparse_shape(options.shape, source.name());
  if (input.shape == Shape::features) {
    reject(source.name(), message("not_applicable", "shape",
                                  "found an edge list read as features; allowed: {shape=graph}"));
  }
  ThreadTeam team(reading_threads(options, source));
  EdgeList list = EdgeListReader(source, team).read();
  if (list.ids.size() == 0) {
    reject(source.name(), "found no edges; allowed: one or more lines OBJECT OBJECT [WEIGHT]");
  }
  list.ids.close();
  input.values =
      sparse_rows(list.edges, list.ids.size(), list.ids.size(), Mirror::yes, source.name(), team);
  input.ids = list.ids.names();
  input.notes = std::move(list.notes);
  return input;
}

}  // namespace shiftcut
