// Parts of a checkpoint as bytes: numbers and arrays one after another, arrays after their lengths.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace shiftcut {

/// Refers to the arrays until it is saved.
class KeptWriter {
 public:
  template <class T>
    requires std::is_trivially_copyable_v<T>
  KeptWriter& number(T value) {
    pieces_.emplace_back(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  template <class T>
  KeptWriter& array(const std::vector<T>& values) {
    number<std::uint64_t>(values.size());
    return bytes({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }
  KeptWriter& text(std::string_view value) {
    number<std::uint64_t>(value.size());
    return bytes(value);
  }

  [[nodiscard]] std::vector<std::string_view> pieces() const {
    std::vector<std::string_view> all;
    for (const Piece& piece : pieces_) {
      all.push_back(piece.view());
    }
    return all;
  }

 private:
  struct Piece {
    std::string own;  // short ones
    std::string_view lent;
    Piece(const char* data, std::size_t size) : own(data, size) {}
    explicit Piece(std::string_view view) : lent(view) {}
    [[nodiscard]] std::string_view view() const { return own.empty() ? lent : own; }
  };

  KeptWriter& bytes(std::string_view value) {
    pieces_.emplace_back(value);
    return *this;
  }

  std::vector<Piece> pieces_;
};

/// Reads them in the same order. What is not there reads as 0 or empty, and is_whole() is false.
class KeptReader {
 public:
  explicit KeptReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
    requires std::is_trivially_copyable_v<T>
  T number() {
    T value{};
    const std::string_view piece = take(sizeof value);
    if (piece.size() == sizeof value) {
      std::memcpy(&value, piece.data(), sizeof value);
    }
    return value;
  }
  template <class T>
  std::vector<T> array() {
    const auto size = number<std::uint64_t>();
    if (size > rest_.size() / sizeof(T)) {
      is_cut_ = true;
      return {};
    }
    std::vector<T> values(size);
    const std::string_view piece = take(size * sizeof(T));
    if (!piece.empty()) {
      std::memcpy(values.data(), piece.data(), piece.size());
    }
    return values;
  }
  std::string text() {
    const auto size = number<std::uint64_t>();
    return std::string(take(size));
  }

  /// Everything was there, and nothing is left.
  [[nodiscard]] bool is_whole() const { return !is_cut_ && rest_.empty(); }

 private:
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) {
      is_cut_ = true;
      rest_ = {};
      return {};
    }
    const std::string_view piece = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return piece;
  }

  std::string_view rest_;
  bool is_cut_ = false;
};

}  // namespace shiftcut
