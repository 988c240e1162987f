// From the words of a file of pairs to numbers of objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "shiftcut/data.hpp"

namespace shiftcut {

class ObjectNames {
 public:
  explicit ObjectNames(const Input& input);

  /// Whether an object has this id; row numbers are not looked at.
  [[nodiscard]] bool is_id(const std::string& id) const { return numbers_.contains(id); }

  /// The object with this id; where objects have none, with this row number from 0. Throws
  /// std::invalid_argument, naming file and line, if there is no such object.
  [[nodiscard]] std::uint32_t find(const std::string& id, const std::string& file,
                                   std::uint64_t line) const;

 private:
  std::size_t count_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace shiftcut
