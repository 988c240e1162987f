// One line of an edge list: OBJECT OBJECT [WEIGHT], separated by blanks or commas.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace shiftcut {

struct EdgeFields {
  std::string_view field[3];
  std::size_t count = 0;
  bool good = true;  // none is empty
};

EdgeFields split_edge(std::string_view line);

/// Whether the fields are two ids and perhaps a finite number; if so, `weight` is set where there
/// is one.
bool is_edge(const EdgeFields& fields, double& weight);

inline bool begins_comment(char c) { return c == '#' || c == '%'; }

/// Such as `#1 #2 3`, but not `# nodes 3`: the former are almost certainly ids that begin with #.
bool reads_like_an_edge(std::string_view comment);

/// A first line whose third field is a word is a header.
bool is_header(const EdgeFields& fields);

/// Such as `source target`.
bool are_column_names(std::string_view a, std::string_view b);

/// Throws for a line that is no edge.
[[noreturn]] void reject_edge(const std::string& file, std::uint64_t number,
                              const EdgeFields& fields);

}  // namespace shiftcut
