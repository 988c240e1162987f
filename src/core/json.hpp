// A JSON value: null, a truth, a number, a text, a list, or an object that keeps its order.
//
// nlohmann::json allocates in its destructor, which ends the process when memory is short, and its
// null object is one that can't be destroyed. This one gives up memory without asking for any.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace shiftcut {

class Json {
 public:
  Json() = default;
  /// An object if each item is a list of a text and a value, else a list.
  Json(std::initializer_list<Json> items);  // NOLINT(google-explicit-constructor)

  template <std::same_as<bool> T>
  Json(T truth) : value_(truth) {}  // NOLINT(google-explicit-constructor)
  template <class T>
    requires std::integral<T> && (!std::same_as<T, bool>)
  Json(T number) {  // NOLINT(google-explicit-constructor)
    if constexpr (std::signed_integral<T>) {
      value_ = static_cast<std::int64_t>(number);
    } else {
      value_ = static_cast<std::uint64_t>(number);
    }
  }
  Json(double number) : value_(number) {}                     // NOLINT(google-explicit-constructor)
  Json(const char* text) : value_(std::string(text)) {}       // NOLINT(google-explicit-constructor)
  Json(std::string_view text) : value_(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  Json(std::string text) : value_(std::move(text)) {}         // NOLINT(google-explicit-constructor)
  template <class T>
  Json(const std::vector<T>& items)  // NOLINT(google-explicit-constructor)
      : value_(List(items.begin(), items.end())) {}

  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  static Json array();

  /// The value of the key, made if there is none; of an object or null.
  Json& operator[](std::string_view key);
  /// To a list or null.
  void push_back(Json item);
  /// Of a list.
  [[nodiscard]] const std::vector<Json>& items() const { return std::get<List>(value_); }

  /// On one line, or with `indent` spaces for each level. Doubles keep all their digits, and those
  /// that are not finite are null. Bytes that are not UTF-8 become the replacement character.
  [[nodiscard]] std::string dump(std::size_t indent = 0) const;

 private:
  using List = std::vector<Json>;
  struct Object {
    std::vector<std::string> keys;
    std::vector<Json> values;
  };

  [[nodiscard]] bool is_member() const;
  void write(std::string& out, std::size_t indent, std::size_t level) const;

  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, List, Object>
      value_;
};

}  // namespace shiftcut
