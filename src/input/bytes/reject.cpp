#include "input/bytes/reject.hpp"

#include <utility>

#include <fmt/core.h>

#include "core/message.hpp"
#include "core/text.hpp"

namespace shiftcut {

namespace {

Message bad_input(std::string_view what) { return message("bad_input", "", "{}", what); }

}  // namespace

void reject(const std::string& file, std::string_view what) { reject(file, bad_input(what)); }

void reject(const std::string& file, Message what) {
  throw InvalidArgument(after(file, std::move(what)));
}

void reject_line(const std::string& file, std::uint64_t line, std::string_view what) {
  reject_line(file, line, bad_input(what));
}

void reject_line(const std::string& file, std::uint64_t line, Message what) {
  reject(file, after(fmt::format("line {}", line), std::move(what)));
}

void reject_column(const std::string& file, std::uint64_t line, std::size_t column,
                   std::string_view column_name, std::string_view what) {
  reject_column(file, line, column, column_name, bad_input(what));
}

void reject_column(const std::string& file, std::uint64_t line, std::size_t column,
                   std::string_view column_name, Message what) {
  reject(file, after(fmt::format("line {}, column {} ({})", line, column + 1, quoted(column_name)),
                     std::move(what)));
}

void reject_cell(const std::string& file, std::uint64_t line, std::size_t column,
                 std::string_view column_name, std::string_view found, std::string_view allowed) {
  reject_column(file, line, column, column_name,
                fmt::format("found {}; allowed: {}", quoted(found), allowed));
}

}  // namespace shiftcut
