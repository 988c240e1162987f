// Names of objects: see object_names.hpp.
#include "input/pairs/object_names.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "input/bytes/number.hpp"
#include "input/bytes/reject.hpp"

namespace shiftcut {

ObjectNames::ObjectNames(const Input& input) : count_(input.objects()) {
  for (std::uint32_t i = 0; i < input.ids.size(); ++i) {
    numbers_.emplace(input.ids[i], i);
  }
}

std::optional<std::uint32_t> ObjectNames::number_of(const std::string& id) const {
  if (!numbers_.empty()) {
    const auto found = numbers_.find(id);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }
  double value = -1;
  const bool whole = parse_number(id, value) == NumberKind::finite && value >= 0 &&
                     value < static_cast<double>(count_) &&
                     value == static_cast<double>(static_cast<std::uint32_t>(value));
  return whole ? std::optional(static_cast<std::uint32_t>(value)) : std::nullopt;
}

std::uint32_t ObjectNames::find(const std::string& id, const std::string& file,
                                std::uint64_t line) const {
  const std::optional<std::uint32_t> number = number_of(id);
  if (!number) {
    reject_line(
        file, line,
        numbers_.empty()
            ? fmt::format("found {}; allowed: a row number from 0 to {}", quoted(id), count_ - 1)
            : fmt::format("found {}; allowed: an id of the {} objects", quoted(id), count_));
  }
  return *number;
}

}  // namespace shiftcut
