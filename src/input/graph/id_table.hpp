// Numbers the ids of an edge list in the order of their first appearance: 0, 1, ... Ids are text,
// "7" and "007" are different; those that are written as whole numbers usually are, without signs
// or leading zeros, and not too large, are looked up in an array instead of a hash table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/bytes/name_table.hpp"

namespace shiftcut {

class IdTable {
 public:
  /// Whole numbers below `most`, at most 2^31, get a place in the array.
  explicit IdTable(std::uint32_t most) : most_(most) {}

  [[nodiscard]] std::uint32_t most() const { return most_; }

  /// The number that `text` is, if it has a place in the array.
  [[nodiscard]] static std::optional<std::uint32_t> as_number(std::string_view text,
                                                              std::uint32_t most) {
    if (text.empty() || text.size() > 10 || (text.front() == '0' && text.size() > 1)) {
      return std::nullopt;
    }
    std::uint64_t value = 0;
    for (const char c : text) {
      if (c < '0' || c > '9') {
        return std::nullopt;
      }
      value = value * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return value < most ? std::optional(static_cast<std::uint32_t>(value)) : std::nullopt;
  }

  /// `value` is below most().
  std::uint32_t index_of(std::uint32_t value) {
    if (value >= by_value_.size()) {
      const std::size_t twice = std::min<std::size_t>(2 * by_value_.size(), most_);
      by_value_.resize(std::max<std::size_t>(value + std::size_t{1}, twice), kFree);
    }
    std::uint32_t& index = by_value_[value];
    if (index == kFree) {
      index = static_cast<std::uint32_t>(size());
      origins_.push_back(value);
    }
    return index;
  }

  std::uint32_t index_of(std::string_view text) {
    if (const auto value = as_number(text, most_)) {
      return index_of(*value);
    }
    const std::uint32_t name = names_.index_of(text);
    if (name == by_name_.size()) {
      by_name_.push_back(static_cast<std::uint32_t>(size()));
      origins_.push_back(kName | name);
    }
    return by_name_[name];
  }

  [[nodiscard]] bool contains(std::string_view text) const {
    if (const auto value = as_number(text, most_)) {
      return *value < by_value_.size() && by_value_[*value] != kFree;
    }
    return names_.contains(text);
  }

  /// Where a later index_of(value) will look.
  void prefetch(std::uint32_t value) const {
    if (value < by_value_.size()) {
      __builtin_prefetch(&by_value_[value]);
    }
  }

  [[nodiscard]] std::size_t size() const { return origins_.size(); }
  [[nodiscard]] std::string operator[](std::size_t index) const {
    const std::uint64_t origin = origins_[index];
    return (origin & kName) != 0 ? std::string(names_[origin & ~kName]) : std::to_string(origin);
  }

  /// Frees what look-ups take, once there are no more.
  void close() {
    names_.close();
    by_value_ = {};
    by_name_ = {};
  }

  /// Returns all ids in order.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    all.reserve(size());
    for (std::size_t i = 0; i < size(); ++i) {
      all.push_back((*this)[i]);
    }
    return all;
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  static constexpr std::uint64_t kName = std::uint64_t{1} << 32;

  std::uint32_t most_;
  std::vector<std::uint32_t> by_value_;
  NameTable names_;
  std::vector<std::uint32_t> by_name_;
  std::vector<std::uint64_t> origins_;  // of each index: a number, or kName and a name
};

}  // namespace shiftcut
