// The first rows of a table, kept as text until they have told what kind each column is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/table/table.hpp"

namespace shiftcut {

class RowSample {
 public:
  void add(std::span<const std::string_view> cells, std::uint64_t line);

  /// 1000 rows, or fewer where rows are so long that they would take over 64 MiB.
  [[nodiscard]] bool full() const;

  /// Decides the undecided columns of `table`: all numbers is `number`, more than half other text
  /// is `text`. Throws std::invalid_argument where it is neither. A column without values stays
  /// undecided.
  void decide_kinds(Table& table) const;

  /// Calls use(cells, line) for each row in order.
  template <class Use>
  void replay(Use use) const {
    std::vector<std::string_view> cells;
    std::size_t at = 0;
    std::size_t cell = 0;
    for (const std::uint64_t line : lines_) {
      cells.clear();
      for (std::size_t i = 0; i < width_; ++i, ++cell) {
        cells.emplace_back(text_.data() + at, lengths_[cell]);
        at += lengths_[cell];
      }
      use(std::span<const std::string_view>(cells), line);
    }
  }

 private:
  void reject_first_text(const Table& table, std::size_t column) const;

  std::string text_;                    // the cells one after another
  std::vector<std::uint32_t> lengths_;  // of the cells
  std::vector<std::uint64_t> lines_;    // of the rows
  std::size_t width_ = 0;
};

}  // namespace shiftcut
