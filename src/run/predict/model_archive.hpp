// Numbers, words and lists as bytes, little-endian, and back. A writer and a reader visit the same
// fields in the same order, so that one function per struct describes the file.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "input/bytes/reject.hpp"

namespace shiftcut {

// The bytes of numbers go to the file as they lie in memory.
static_assert(std::endian::native == std::endian::little, "model files are little-endian");

template <class T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

class ModelWriter {
 public:
  explicit ModelWriter(std::string& out) : out_(out) {}

  template <class T>
    requires Number<T>
  void field(const T& value) {
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void field(const bool& value) { field(static_cast<std::uint8_t>(value ? 1 : 0)); }
  void field(const std::string& text) {
    field(std::uint64_t{text.size()});
    out_ += text;
  }
  template <class T>
  void field(const std::vector<T>& list) {
    field(std::uint64_t{list.size()});
    if constexpr (Number<T>) {
      out_.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T));
    } else {
      for (const T& entry : list) {
        field(entry);
      }
    }
  }
  template <class T, class Fields>
  void list(const std::vector<T>& entries, const Fields& fields) {
    field(std::uint64_t{entries.size()});
    for (const T& entry : entries) {
      fields(*this, entry);
    }
  }
  template <class T>
  void field(const std::optional<T>& value) {
    optional(value, [](ModelWriter& to, const T& is) { to.field(is); });
  }
  template <class T, class Fields>
  void optional(const std::optional<T>& value, const Fields& fields) {
    field(value.has_value());
    if (value) {
      fields(*this, *value);
    }
  }
  /// An enum, whose last value is given.
  template <class Enum>
  void word(const Enum& value, Enum /*last*/) {
    field(static_cast<std::uint8_t>(value));
  }

 private:
  std::string& out_;
};

/// Throws std::invalid_argument where the bytes end too soon or hold what can't be. Allocates no
/// more than about as many bytes as there are.
class ModelReader {
 public:
  ModelReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  [[nodiscard]] bool at_end() const { return bytes_.empty(); }
  [[nodiscard]] const std::string& name() const { return name_; }

  [[noreturn]] void refuse(std::string_view what) const {
    reject(name_, "found " + std::string(what) + "; allowed: a model as it was saved");
  }

  template <class T>
    requires Number<T>
  void field(T& value) {
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
  }
  void field(bool& value) {
    std::uint8_t byte = 0;
    field(byte);
    if (byte > 1) {
      refuse("a number where yes or no belongs");
    }
    value = byte == 1;
  }
  void field(std::string& text) { text = take(length(1)); }
  template <class T>
  void field(std::vector<T>& list) {
    if constexpr (Number<T>) {
      list.resize(length(sizeof(T)));
      if (!list.empty()) {
        std::memcpy(list.data(), take(list.size() * sizeof(T)).data(), list.size() * sizeof(T));
      }
    } else {
      list.resize(length(8));  // a text takes 8 bytes or more
      for (T& entry : list) {
        field(entry);
      }
    }
  }
  template <class T, class Fields>
  void list(std::vector<T>& entries, const Fields& fields) {
    const std::size_t count = length(8);  // each entry takes 8 bytes or more
    entries.clear();
    for (std::size_t i = 0; i < count; ++i) {
      entries.emplace_back();
      fields(*this, entries.back());
    }
  }
  template <class T>
  void field(std::optional<T>& value) {
    optional(value, [](ModelReader& from, T& is) { from.field(is); });
  }
  template <class T, class Fields>
  void optional(std::optional<T>& value, const Fields& fields) {
    bool has_value = false;
    field(has_value);
    if (has_value) {
      fields(*this, value.emplace());
    } else {
      value.reset();
    }
  }
  template <class Enum>
  void word(Enum& value, Enum last) {
    std::uint8_t number = 0;
    field(number);
    if (number > static_cast<std::uint8_t>(last)) {
      refuse("an unknown choice");
    }
    value = static_cast<Enum>(number);
  }

  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) {
      refuse("a section that ends too soon");
    }
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

 private:
  // Of a list whose entries take `size` bytes or more each.
  std::size_t length(std::size_t size) {
    std::uint64_t count = 0;
    field(count);
    if (count > bytes_.size() / size) {
      refuse("a list longer than the file");
    }
    return static_cast<std::size_t>(count);
  }

  std::string_view bytes_;
  const std::string& name_;
};

}  // namespace shiftcut
