// Numbers the distinct texts it is shown in order of first appearance: 0, 1, ...
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shiftcut {

/// Open addressing over indices into the names, so that each text is stored once.
class NameTable {
 public:
  std::uint32_t index_of(std::string_view name) {
    if ((names_.size() + 1) * 2 > slots_.size()) {
      grow();
    }
    const std::size_t hash = std::hash<std::string_view>{}(name);
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at].index != kFree) {
      if (slots_[at].check == check_of(hash) && names_[slots_[at].index] == name) {
        return slots_[at].index;
      }
      at = (at + 1) & (slots_.size() - 1);
    }
    const auto index = static_cast<std::uint32_t>(names_.size());
    names_.emplace_back(name);
    slots_[at] = {index, check_of(hash)};
    return index;
  }

  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  std::vector<std::string> take_names() {
    slots_ = {};
    return std::move(names_);
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  struct Slot {
    std::uint32_t index = kFree;
    std::uint32_t check = 0;  // other bits of the hash: most unequal texts are never compared
  };

  static std::uint32_t check_of(std::size_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

  void grow() {
    slots_.assign(slots_.empty() ? 8 : slots_.size() * 2, Slot{});
    for (std::uint32_t index = 0; index < names_.size(); ++index) {
      const std::size_t hash = std::hash<std::string_view>{}(names_[index]);
      std::size_t at = hash & (slots_.size() - 1);
      while (slots_[at].index != kFree) {
        at = (at + 1) & (slots_.size() - 1);
      }
      slots_[at] = {index, check_of(hash)};
    }
  }

  std::vector<std::string> names_;
  std::vector<Slot> slots_;
};

}  // namespace shiftcut
