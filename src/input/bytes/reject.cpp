#include "input/bytes/reject.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "core/text.hpp"

namespace shiftcut {

void reject(const std::string& file, std::string_view what) {
  throw std::invalid_argument(fmt::format("{}: {}", file, what));
}

void reject_line(const std::string& file, std::uint64_t line, std::string_view what) {
  throw std::invalid_argument(fmt::format("{}: line {}: {}", file, line, what));
}

void reject_column(const std::string& file, std::uint64_t line, std::size_t column,
                   std::string_view column_name, std::string_view what) {
  throw std::invalid_argument(fmt::format("{}: line {}, column {} ({}): {}", file, line, column + 1,
                                          quoted(column_name), what));
}

void reject_cell(const std::string& file, std::uint64_t line, std::size_t column,
                 std::string_view column_name, std::string_view found, std::string_view allowed) {
  reject_column(file, line, column, column_name,
                fmt::format("found {}; allowed: {}", quoted(found), allowed));
}

}  // namespace shiftcut
