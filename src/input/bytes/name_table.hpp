// Numbers distinct names in the order of their first appearance: 0, 1, ...
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace shiftcut {

/// A hash table with open addressing over indices into the names, which are stored one after
/// another in a single string: a graph of ten million nodes does not pay for as many strings.
class NameTable {
 public:
  std::uint32_t index_of(std::string_view name) {
    if ((size() + 1) * 2 > slots_.size()) {
      grow();
    }
    const std::size_t hash = std::hash<std::string_view>{}(name);
    Slot& slot = slots_[place_of(name, hash)];
    if (slot.index == kFree) {
      slot = {static_cast<std::uint32_t>(size()), check_of(hash)};
      text_ += name;
      ends_.push_back(text_.size());
    }
    return slot.index;
  }

  [[nodiscard]] bool contains(std::string_view name) const {
    return !slots_.empty() &&
           slots_[place_of(name, std::hash<std::string_view>{}(name))].index != kFree;
  }

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(text_).substr(begin, ends_[index] - begin);
  }

  /// Frees the hash table, once no more names will be looked up.
  void close() { slots_ = {}; }

  /// Returns all names in order and leaves the table empty.
  std::vector<std::string> take_names() {
    close();
    std::vector<std::string> names;
    names.reserve(size());
    for (std::size_t i = 0; i < size(); ++i) {
      names.emplace_back((*this)[i]);
    }
    *this = NameTable();
    return names;
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  struct Slot {
    std::uint32_t index = kFree;
    std::uint32_t check = 0;  // other bits of the hash: most unequal texts are never compared
  };

  static std::uint32_t check_of(std::size_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

  // The slot that holds the name, or else the free one where it belongs.
  [[nodiscard]] std::size_t place_of(std::string_view name, std::size_t hash) const {
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at].index != kFree &&
           (slots_[at].check != check_of(hash) || (*this)[slots_[at].index] != name)) {
      at = (at + 1) & (slots_.size() - 1);
    }
    return at;
  }

  void grow() {
    slots_.assign(slots_.empty() ? 8 : slots_.size() * 2, Slot{});
    for (std::uint32_t index = 0; index < size(); ++index) {
      const std::size_t hash = std::hash<std::string_view>{}((*this)[index]);
      std::size_t at = hash & (slots_.size() - 1);
      while (slots_[at].index != kFree) {
        at = (at + 1) & (slots_.size() - 1);
      }
      slots_[at] = {index, check_of(hash)};
    }
  }

  std::string text_;
  std::vector<std::size_t> ends_;  // in text_, of each name
  std::vector<Slot> slots_;
};

}  // namespace shiftcut
