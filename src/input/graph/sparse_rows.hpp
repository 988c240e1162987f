// From a list of entries in any order to compressed sparse rows, and what a sparse file may hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "input/bytes/block_list.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// The entries of a sparse matrix in the order of the file: 8 bytes each while all values are 1,
/// else 16.
class EntryList {
 public:
  void add(std::uint32_t row, std::uint32_t column, double value) {
    if (value != 1 && !has_values_) {
      all_ones_before_ = places_.size();
      has_values_ = true;
    }
    places_.push_back({row, column});
    if (has_values_) {
      values_.push_back(value);
    }
  }

  [[nodiscard]] std::size_t size() const { return places_.size(); }

  [[nodiscard]] bool all_ones() const { return !has_values_; }

  /// Calls use(row, column) for each entry in order.
  template <class Use>
  void for_each_place(Use use) {
    for (const std::vector<Place>& block : places_.blocks()) {
      for (const Place& place : block) {
        use(place.row, place.column);
      }
    }
  }

  /// Calls use(row, column, value) for each entry in order, freeing them as it goes.
  template <class Use>
  void consume(Use use) {
    std::size_t index = 0;
    std::size_t value_block = 0;
    std::size_t in_block = 0;
    auto& values = values_.blocks();
    const auto next_value = [&] {
      if (!has_values_ || index++ < all_ones_before_) {
        return 1.0;
      }
      while (in_block == values[value_block].size()) {
        values[value_block++] = {};
        in_block = 0;
      }
      return values[value_block][in_block++];
    };
    places_.consume([&](std::span<Place> block) {
      for (const Place& place : block) {
        use(place.row, place.column, next_value());
      }
    });
    *this = EntryList();
  }

 private:
  struct Place {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
  };
  BlockList<Place> places_;
  BlockList<double> values_;  // of the entries from all_ones_before_ on
  std::size_t all_ones_before_ = 0;
  bool has_values_ = false;
};

/// Whether an entry off the diagonal stands for its mirror image, too.
enum class Mirror { no, yes };

/// Sorts the entries, whose rows and columns are in range, into rows by counting, and leaves the
/// list empty. Entries of the same cell are added up in the order given, so that both directions of
/// an edge get the same sum to the last bit; sums of 0 are left out. Throws std::invalid_argument,
/// which names `file`, if a sum is not finite.
SparseMatrix sparse_rows(EntryList& entries, std::size_t rows, std::size_t columns, Mirror mirror,
                         const std::string& file);

/// Throws std::invalid_argument, which names an entry, if the square matrix is not symmetric to
/// 1e-8 of its largest absolute value; otherwise makes it symmetric to the last bit.
void symmetrise(SparseMatrix& matrix, const std::string& file);

/// Graph unless features were asked for: similarities of pairs that are not listed are 0. Throws
/// std::invalid_argument for distances, since pairs that are not listed have none.
Shape sparse_shape(ShapeChoice choice, const std::string& file);

/// Throws std::invalid_argument unless there are 1 to kMostObjects objects, and no more of them for
/// each entry than limits.hpp allows.
void check_objects(std::size_t objects, std::size_t entries, const std::string& file);

}  // namespace shiftcut
