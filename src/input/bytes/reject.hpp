// The form all input errors share: FILE: line L, column C ('name'): found 'x'; allowed: ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "shiftcut/message.hpp"

namespace shiftcut {

/// Throws InvalidArgument("FILE: what"), of the code "bad_input" unless `what` has another.
[[noreturn]] void reject(const std::string& file, std::string_view what);
[[noreturn]] void reject(const std::string& file, Message what);

/// The same with "line L: " before `what`.
[[noreturn]] void reject_line(const std::string& file, std::uint64_t line, std::string_view what);
[[noreturn]] void reject_line(const std::string& file, std::uint64_t line, Message what);

/// The same with "line L, column C ('name'): "; `column` is 0-based here, 1-based in the message.
[[noreturn]] void reject_column(const std::string& file, std::uint64_t line, std::size_t column,
                                std::string_view column_name, std::string_view what);
[[noreturn]] void reject_column(const std::string& file, std::uint64_t line, std::size_t column,
                                std::string_view column_name, Message what);

/// The same for a cell of a table that does not fit its column.
[[noreturn]] void reject_cell(const std::string& file, std::uint64_t line, std::size_t column,
                              std::string_view column_name, std::string_view found,
                              std::string_view allowed);

}  // namespace shiftcut
