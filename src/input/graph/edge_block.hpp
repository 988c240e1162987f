// A block of lines of an edge list, parsed on any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "input/bytes/name_table.hpp"
#include "input/graph/sparse_rows.hpp"

namespace shiftcut {

inline constexpr std::uint32_t kIsName = std::uint32_t{1} << 31;

struct EdgeBlock {
  EntryList::Block edges;  // ends are numbers, or kIsName and an index into the names
  NameTable names;
  std::size_t fields_before = 0;  // in the edge before the last one; 0: there is none
  std::size_t last_fields = 0;
  bool is_usual = true;  // else the lines are read one by one
};

/// Ids below `most` are numbers (IdTable::as_number). The lines are followed by one line feed more.
void parse_edges(std::string_view lines, char line_end, std::uint32_t most, EdgeBlock& out);

}  // namespace shiftcut
