// The entries of a sparse matrix as they come: 8 bytes each while all of them are 1, else 16.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "input/bytes/block_list.hpp"

namespace shiftcut {

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

}  // namespace shiftcut
