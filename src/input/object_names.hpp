// From what a file calls objects to their numbers: ids, or row numbers where there are none.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "input/number.hpp"
#include "input/reject.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut {

class ObjectNames {
 public:
  explicit ObjectNames(const Input& input) : count_(input.objects()) {
    for (std::uint32_t i = 0; i < input.ids.size(); ++i) {
      numbers_.emplace(input.ids[i], i);
    }
  }

  /// Whether an object has this id; row numbers are not looked at.
  [[nodiscard]] bool is_id(const std::string& id) const { return numbers_.contains(id); }

  /// Throws std::invalid_argument, naming `file` and `line`, for what is no object.
  [[nodiscard]] std::uint32_t find(const std::string& id, const std::string& file,
                                   std::uint64_t line) const {
    if (!numbers_.empty()) {
      const auto found = numbers_.find(id);
      if (found == numbers_.end()) {
        reject_line(file, line,
                    fmt::format("found '{}'; allowed: an id of the {} objects", id, count_));
      }
      return found->second;
    }
    double value = -1;
    const bool whole = parse_number(id, value) == NumberKind::finite && value >= 0 &&
                       value < static_cast<double>(count_) &&
                       value == static_cast<double>(static_cast<std::uint32_t>(value));
    if (!whole) {
      reject_line(file, line,
                  fmt::format("found '{}'; allowed: a row number from 0 to {}", id, count_ - 1));
    }
    return static_cast<std::uint32_t>(value);
  }

 private:
  std::size_t count_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace shiftcut
