// Edge lists: every line is split where it stands, its ids are numbered, and the edge is stored in
// 8 or 16 bytes. Lines that may have been meant otherwise are remembered for a note.
#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/line_reader.hpp"
#include "input/bytes/name_table.hpp"
#include "input/bytes/parse.hpp"
#include "input/bytes/reject.hpp"
#include "input/graph/sparse_rows.hpp"
#include "input/limits.hpp"
#include "input/readers.hpp"

namespace shiftcut {

namespace {

constexpr const char* kForm = "2 or 3, OBJECT OBJECT [WEIGHT]";

// Removes the first field from `rest`, with the blanks and the comma after it. Empty where a comma
// has nothing beside it.
std::string_view take_field(std::string_view& rest) {
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
  return comma && rest.empty() ? std::string_view() : field;
}

struct Fields {
  std::string_view field[3];
  std::size_t count = 0;
  bool good = true;  // none is empty
};

Fields split_edge(std::string_view line) {
  Fields fields;
  for (std::string_view rest = line; !rest.empty() && fields.good; ++fields.count) {
    const std::string_view field = take_field(rest);
    fields.good = !field.empty();
    if (fields.count < 3) {
      fields.field[fields.count] = field;
    }
  }
  return fields;
}

bool is_edge(const Fields& fields, double& weight) {
  return fields.good &&
         (fields.count == 2 ||
          (fields.count == 3 && parse_number(fields.field[2], weight) == NumberKind::finite));
}

bool begins_comment(char c) { return c == '#' || c == '%'; }

// Such as `#1 #2 3`, but not `# nodes 3`: the former are almost certainly ids that begin with #.
bool reads_like_an_edge(std::string_view comment) {
  double weight = 0;
  return comment.size() > 1 && !is_space(comment[1]) && !begins_comment(comment[1]) &&
         is_edge(split_edge(comment), weight);
}

// A first line whose third field is a word is a header.
bool is_header(const Fields& fields) {
  double weight = 0;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return fields.good && fields.count == 3 && is_letter(fields.field[2].front()) &&
         parse_number(fields.field[2], weight) == NumberKind::text;
}

bool are_column_names(std::string_view a, std::string_view b) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"source", "target"}, {"from", "to"},       {"src", "dst"},
      {"node1", "node2"},   {"node_1", "node_2"}, {"head", "tail"}};
  return std::ranges::any_of(kNames, [&](const auto& pair) {
    return lower_case(a) == pair.first && lower_case(b) == pair.second;
  });
}

[[noreturn]] void reject_edge(const LineReader& lines, const Fields& fields) {
  std::string found;
  if (!fields.good) {
    found = fmt::format("found an empty field beside a comma; allowed: {}", kForm);
  } else if (fields.count == 3) {
    found = fmt::format("found weight {}; allowed: a finite number", quoted(fields.field[2]));
  } else {
    found = fmt::format("found {} {}; allowed: {}", fields.count,
                        fields.count == 1 ? "field" : "fields", kForm);
  }
  reject_line(lines.file(), lines.number(), found);
}

struct EdgeList {
  NameTable ids;
  EntryList edges;
  std::vector<Message> notes;
};

// Reads the lines, and notes what may have been meant otherwise.
class EdgeListReader {
 public:
  explicit EdgeListReader(ByteSource& source) : lines_(source) {}

  EdgeList read() {
    EdgeList list;
    bool is_first = true;
    while (lines_.next()) {
      const std::string_view line = skip_spaces(lines_.line());
      if (line.empty()) {
        continue;
      }
      if (begins_comment(line.front())) {
        skip(line);
        continue;
      }
      const Fields fields = split_edge(line);
      double weight = 1;
      if (is_edge(fields, weight)) {
        add(fields, weight, list);
      } else if (is_first && is_header(fields)) {
        list.notes.push_back(message("header_line", "",
                                     "line {} ({}) was treated as a header: {} is not a weight",
                                     lines_.number(), quoted(line), quoted(fields.field[2])));
      } else {
        reject_edge(lines_, fields);
      }
      is_first = false;
    }
    reject_comments_on_objects(list.ids);
    add_notes(list);
    return list;
  }

 private:
  struct Comment {
    std::uint64_t number;
    std::string id;
  };

  void skip(std::string_view comment) {
    if (!reads_like_an_edge(comment)) {
      return;
    }
    comments_.add(lines_.number(), comment);
    if (remembered_.size() < kRememberedComments) {
      remembered_.push_back({lines_.number(), std::string(split_edge(comment).field[0])});
    }
  }

  // Where another line has `#1` as its second id, `#1 a` is not a comment.
  void reject_comments_on_objects(const NameTable& ids) const {
    for (const Comment& comment : remembered_) {
      if (ids.contains(comment.id)) {
        reject_line(
            lines_.file(), comment.number,
            fmt::format("found {} first, which makes the line a comment, while another line has an "
                        "object with this id; allowed: ids that do not begin with # or %",
                        quoted(comment.id)));
      }
    }
  }

  void add(const Fields& fields, double weight, EdgeList& list) {
    const std::uint32_t a = list.ids.index_of(fields.field[0]);
    const std::uint32_t b = list.ids.index_of(fields.field[1]);
    if (list.ids.size() > kMostObjects) {
      reject_line(lines_.file(), lines_.number(),
                  fmt::format("found over {} objects; allowed: at most that many", kMostObjects));
    }
    if (list.edges.size() == 0) {
      first_may_be_header_ = are_column_names(fields.field[0], fields.field[1]);
    } else {
      first_may_be_header_ = first_may_be_header_ && a > 1 && b > 1;
    }
    list.edges.add(a, b, weight);
    fields_before_ = std::exchange(last_fields_, fields.count);
  }

  void add_notes(EdgeList& list) const {
    if (first_may_be_header_) {
      list.notes.push_back(message("header_line", "",
                                   "the first line was read as an edge of {} and {}, which no "
                                   "other line names: if it is a header, remove it",
                                   quoted(list.ids[0]), quoted(list.ids[1])));
    }
    comments_.add_note(list.notes, "; an edge cannot begin with # or %");
    lines_.add_note_on_end(list.notes, last_fields_ < fields_before_);
  }

  LineReader lines_;
  SkippedLines comments_;
  std::vector<Comment> remembered_;
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
  EdgeList list = EdgeListReader(source).read();
  if (list.ids.size() == 0) {
    reject(source.name(), "found no edges; allowed: one or more lines OBJECT OBJECT [WEIGHT]");
  }
  list.ids.close();
  input.values =
      sparse_rows(list.edges, list.ids.size(), list.ids.size(), Mirror::yes, source.name());
  input.ids = list.ids.take_names();
  input.notes = std::move(list.notes);
  return input;
}

}  // namespace shiftcut
