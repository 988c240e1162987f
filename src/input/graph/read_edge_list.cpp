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
#include "input/bytes/name_table.hpp"
#include "input/bytes/parse.hpp"
#include "input/bytes/reject.hpp"
#include "input/graph/id_table.hpp"
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

[[noreturn]] void reject_edge(const std::string& file, std::uint64_t number, const Fields& fields) {
  std::string found;
  if (!fields.good) {
    found = fmt::format("found an empty field beside a comma; allowed: {}", kForm);
  } else if (fields.count == 3) {
    found = fmt::format("found weight {}; allowed: a finite number", quoted(fields.field[2]));
  } else {
    found = fmt::format("found {} {}; allowed: {}", fields.count,
                        fields.count == 1 ? "field" : "fields", kForm);
  }
  reject_line(file, number, found);
}

// ---- A block of lines, on any thread ----

constexpr std::uint32_t kIsName = std::uint32_t{1} << 31;

struct EdgeBlock {
  EntryList::Block edges;  // ends are numbers, or kIsName and an index into the names
  NameTable names;
  std::size_t fields_before = 0;  // in the edge before the last one; 0: there is none
  std::size_t last_fields = 0;
  bool is_usual = true;  // else the lines are read one by one
};

class BlockParser {
 public:
  BlockParser(const LineBlock& lines, char line_end, std::uint32_t most, EdgeBlock& out)
      : lines_(lines.lines()), line_end_(line_end), most_(most), out_(out) {}

  void run() {
    if (line_end_ != '\n' || lines_.find('\0') != std::string_view::npos) {
      out_.is_usual = false;
      return;
    }
    out_.edges.places.reserve(lines_in(lines_, line_end_));
    const char* at = lines_.data();
    const char* const end = at + lines_.size();
    while (at < end && out_.is_usual) {
      const char* next = take_plain_edge(at);
      if (next == nullptr) {
        next = std::find(at, end, '\n');
        take_line({at, static_cast<std::size_t>(next - at)});
        next += next < end ? 1 : 0;
      }
      at = next;
    }
    if (!out_.is_usual) {
      out_ = EdgeBlock{{}, {}, 0, 0, false};
    }
  }

 private:
  static const char* skip_blanks(const char* at) {
    while (is_space(*at)) {
      ++at;
    }
    return at;
  }

  // Moves `at` behind blanks, a comma, and blanks; returns whether there was a comma.
  static bool skip_separator(const char*& at) {
    at = skip_blanks(at);
    const bool comma = *at == ',';
    at = comma ? skip_blanks(at + 1) : at;
    return comma;
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool ends_field(char c) { return is_space(c) || c == ',' || c == '\n'; }

  // An id as IdTable::as_number() takes it.
  bool take_number(const char*& at, std::uint32_t& value) const {
    const char* const begin = at;
    std::uint64_t number = 0;
    while (is_digit(*at) && at - begin < 11) {
      number = number * 10 + static_cast<std::uint64_t>(*at++ - '0');
    }
    value = static_cast<std::uint32_t>(number);
    return at > begin && number < most_ && ends_field(*at) && (*begin != '0' || at == begin + 1);
  }

  // Digits with a point between them are exact as a quotient of two whole numbers below 2^53.
  static bool take_weight(const char*& at, double& weight) {
    constexpr double kTens[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const char* const begin = at;
    while (!ends_field(*at)) {
      ++at;
    }
    const bool is_negative = *begin == '-';
    std::uint64_t number = 0;
    std::size_t digits = 0;
    const char* point = nullptr;
    const char* c = begin + (is_negative ? 1 : 0);
    for (; c < at && (is_digit(*c) || (*c == '.' && point == nullptr)); ++c) {
      if (*c == '.') {
        point = c;
      } else {
        number = number * 10 + static_cast<std::uint64_t>(*c - '0');
        ++digits;
      }
    }
    if (c < at || digits == 0 || digits > 15) {
      return parse_number({begin, static_cast<std::size_t>(at - begin)}, weight) ==
             NumberKind::finite;
    }
    weight = static_cast<double>(number) / kTens[point == nullptr ? 0 : at - point - 1];
    weight = is_negative ? -weight : weight;
    return true;
  }

  // A line of two numbers and perhaps a weight. Returns where the next line begins, or null if this
  // is anything else. Every block ends in a line feed, so that no loop leaves it.
  const char* take_plain_edge(const char* at) {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    at = skip_blanks(at);
    if (!take_number(at, a)) {
      return nullptr;
    }
    skip_separator(at);
    if (!take_number(at, b)) {
      return nullptr;
    }
    double weight = 1;
    std::size_t fields = 2;
    const bool comma = skip_separator(at);
    if (*at != '\n') {
      if (!take_weight(at, weight)) {
        return nullptr;
      }
      at = skip_blanks(at);
      fields = 3;
    } else if (comma) {
      return nullptr;
    }
    if (*at != '\n') {
      return nullptr;
    }
    add(a, b, weight, fields);
    return at + 1;
  }

  void take_line(std::string_view line) {
    line = trimmed(line);
    if (line.empty()) {
      return;
    }
    if (begins_comment(line.front())) {
      out_.is_usual = !reads_like_an_edge(line);
      return;
    }
    const Fields fields = split_edge(line);
    double weight = 1;
    out_.is_usual = is_edge(fields, weight);
    if (out_.is_usual) {
      const std::uint32_t a = end_of_edge(fields.field[0]);
      add(a, end_of_edge(fields.field[1]), weight, fields.count);
    }
  }

  std::uint32_t end_of_edge(std::string_view id) {
    const auto number = IdTable::as_number(id, most_);
    return number ? *number : kIsName | out_.names.index_of(id);
  }

  void add(std::uint32_t a, std::uint32_t b, double weight, std::size_t fields) {
    out_.edges.add(a, b, weight);
    out_.fields_before = std::exchange(out_.last_fields, fields);
  }

  std::string_view lines_;
  char line_end_;
  std::uint32_t most_;
  EdgeBlock& out_;
};

// ---- All blocks, in order ----

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
          BlockParser(lines, lines_.line_end(), most, block).run();
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
    const Fields fields = split_edge(line);
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

  void add(const Fields& fields, double weight) {
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
