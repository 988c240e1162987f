// Names of objects: see object_names.hpp.
#include "input/object_names.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "input/number.hpp"
#include "input/reject.hpp"

namespace shiftcut {

ObjectNames::ObjectNames(const Input& input) : count_(input.objects()) {
  for (std::uint32_t i = 0; i < input.ids.size(); ++i) {
    numbers_.emplace(input.ids[i], i);
  }
}

std::uint32_t ObjectNames::find(const std::string& id, const std::string& file,
                                std::uint64_t line) const {
  if (!numbers_.empty()) {
    const auto found = numbers_.find(id);
    if (found == numbers_.end()) {
      reject_line(file, line,
                  fmt::format("found {}; allowed: an id of the {} objects", quoted(id), count_));
    }
    return found->second;
  }
  double value = -1;
  const bool whole = parse_number(id, value) == NumberKind::finite && value >= 0 &&
                     value < static_cast<double>(count_) &&
                     value == static_cast<double>(static_cast<std::uint32_t>(value));
  if (!whole) {
    reject_line(
        file, line,
        fmt::format("found {}; allowed: a row number from 0 to {}", quoted(id), count_ - 1));
  }
  return static_cast<std::uint32_t>(value);
}

}  // namespace shiftcut
