#include "input/graph/edge_block.hpp"

#include <algorithm>
#include <utility>

#include "input/bytes/line_blocks.hpp"
#include "input/bytes/parse.hpp"
#include "input/graph/edge_line.hpp"
#include "input/graph/id_table.hpp"

namespace shiftcut {

namespace {

class BlockParser {
 public:
  BlockParser(std::string_view lines, char line_end, std::uint32_t most, EdgeBlock& out)
      : lines_(lines), line_end_(line_end), most_(most), out_(out) {}

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
    const EdgeFields fields = split_edge(line);
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

}  // namespace

void parse_edges(std::string_view lines, char line_end, std::uint32_t most, EdgeBlock& out) {
  BlockParser(lines, line_end, most, out).run();
}

}  // namespace shiftcut
