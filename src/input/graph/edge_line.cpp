#include "input/graph/edge_line.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "core/text.hpp"
#include "input/bytes/parse.hpp"
#include "input/bytes/reject.hpp"

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

}  // namespace

EdgeFields split_edge(std::string_view line) {
  EdgeFields fields;
  for (std::string_view rest = line; !rest.empty() && fields.good; ++fields.count) {
    const std::string_view field = take_field(rest);
    fields.good = !field.empty();
    if (fields.count < 3) {
      fields.field[fields.count] = field;
    }
  }
  return fields;
}

bool is_edge(const EdgeFields& fields, double& weight) {
  return fields.good &&
         (fields.count == 2 ||
          (fields.count == 3 && parse_number(fields.field[2], weight) == NumberKind::finite));
}

bool reads_like_an_edge(std::string_view comment) {
  double weight = 0;
  return comment.size() > 1 && !is_space(comment[1]) && !begins_comment(comment[1]) &&
         is_edge(split_edge(comment), weight);
}

bool is_header(const EdgeFields& fields) {
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

void reject_edge(const std::string& file, std::uint64_t number, const EdgeFields& fields) {
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

}  // namespace shiftcut
