// Finds the objects of an Input by the ids that files of pairs, answers and groups use for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "shiftcut/data.hpp"

namespace shiftcut {

class ObjectNames {
 public:
  explicit ObjectNames(const Input& input);

  /// Whether an object has this id or, if objects have no ids, this row number.
  [[nodiscard]] bool is_known(const std::string& id) const { return number_of(id).has_value(); }

  /// The object with this id or, if objects have no ids, with this row number, from 0. Throws
  /// std::invalid_argument, which names file and line, if there is no such object.
  [[nodiscard]] std::uint32_t find(const std::string& id, const std::string& file,
                                   std::uint64_t line) const;

 private:
  [[nodiscard]] std::optional<std::uint32_t> number_of(const std::string& id) const;

  std::size_t count_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace shiftcut
