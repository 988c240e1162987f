#include "shiftcut/records.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <stdexcept>

#include <fmt/core.h>

#include "shiftcut/text.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kTies = 5;
constexpr std::size_t kMostNumbers = 500;  // of a row of numbers

std::string number_text(const DenseArray& values, std::size_t row, std::size_t column) {
  return values.is_float32() ? fmt::format("{}", values.f32()[row * values.columns() + column])
                             : fmt::format("{}", values.at(row, column));
}

std::vector<Trait> numbers(const DenseArray& values, std::size_t a, std::size_t b) {
  std::vector<Trait> traits;
  for (std::size_t c = 0; c < values.columns(); ++c) {
    traits.push_back({fmt::format("c{}", c), number_text(values, a, c), number_text(values, b, c)});
  }
  return traits;
}

using Entries = std::map<std::uint32_t, double>;

Entries entries_of(const SparseMatrix& values, std::size_t row) {
  Entries entries;
  for (std::int64_t at = values.offsets[row]; at < values.offsets[row + 1]; ++at) {
    entries.emplace(values.columns[static_cast<std::size_t>(at)],
                    values.values[static_cast<std::size_t>(at)]);
  }
  return entries;
}

Entries entries_of(const DenseArray& values, std::size_t row) {
  Entries entries;
  for (std::size_t c = 0; c < values.columns(); ++c) {
    entries.emplace_hint(entries.end(), static_cast<std::uint32_t>(c), values.at(row, c));
  }
  return entries;
}

std::string entry_text(const Entries& entries, std::uint32_t column) {
  const auto found = entries.find(column);
  return found == entries.end() ? "-" : fmt::format("{:.6g}", found->second);
}

// Only what is not 0 in either.
std::vector<Trait> numbers(const SparseMatrix& values, std::size_t a, std::size_t b) {
  const Entries left = entries_of(values, a);
  const Entries right = entries_of(values, b);
  Entries both = left;
  both.insert(right.begin(), right.end());
  std::vector<Trait> traits;
  for (const auto& [column, value] : both) {
    traits.push_back(
        {fmt::format("c{}", column), entry_text(left, column), entry_text(right, column)});
  }
  return traits;
}

// The strongest ties of one object, but those to itself and to the other.
std::vector<std::uint32_t> strongest(const Entries& entries, std::uint32_t a, std::uint32_t b,
                                     bool low_is_strong) {
  std::vector<std::pair<double, std::uint32_t>> order;
  for (const auto& [object, value] : entries) {
    if (object != a && object != b) {
      order.emplace_back(low_is_strong ? value : -value, object);
    }
  }
  const std::size_t count = std::min(kTies, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end());
  std::vector<std::uint32_t> objects;
  for (std::size_t i = 0; i < count; ++i) {
    objects.push_back(order[i].second);
  }
  return objects;
}

std::vector<Trait> ties(const Input& input, std::uint32_t a, std::uint32_t b) {
  const auto entries = [&](std::uint32_t row) {
    return std::visit([&](const auto& values) { return entries_of(values, row); }, input.values);
  };
  const Entries left = entries(a);
  const Entries right = entries(b);
  std::vector<Trait> traits;
  if (left.contains(b)) {
    traits.push_back({"each other", entry_text(left, b), entry_text(right, a)});
  }
  const bool low_is_strong = input.shape == Shape::distance;
  std::vector<std::uint32_t> objects = strongest(left, a, b, low_is_strong);
  for (const std::uint32_t object : strongest(right, a, b, low_is_strong)) {
    if (std::find(objects.begin(), objects.end(), object) == objects.end()) {
      objects.push_back(object);
    }
  }
  for (const std::uint32_t object : objects) {
    traits.push_back({name_of(object, input), entry_text(left, object), entry_text(right, object)});
  }
  return traits;
}

}  // namespace

std::string name_of(std::uint32_t object, const Input& input) {
  return input.ids.empty() ? fmt::format("row {}", object) : input.ids[object];
}

Records::Records(const Input& input, std::string path, ReadOptions options)
    : input_(input), path_(std::move(path)), options_(std::move(options)) {
  if (!path_.empty()) {
    written_ = std::filesystem::last_write_time(path_);
  }
}

bool Records::is_table() const {
  return !path_.empty() && input_.shape == Shape::features && !input_.column_names.empty();
}

RecordPair Records::pair(std::uint32_t a, std::uint32_t b, const Control& control) const {
  RecordPair pair = {name_of(a, input_), name_of(b, input_), "", {}};
  if (input_.shape != Shape::features) {
    pair.heading = input_.shape == Shape::distance ? "nearest" : "strongest ties";
    pair.traits = ties(input_, a, b);
  } else if (is_table()) {
    const std::array<std::size_t, 2> objects = {a, b};
    const TableCells table = rows(objects, control);
    for (std::size_t c = 0; c < table.names.size(); ++c) {
      pair.traits.push_back({table.names[c], table.rows[0][c], table.rows[1][c]});
    }
  } else {
    pair.traits =
        std::visit([&](const auto& values) { return numbers(values, a, b); }, input_.values);
    for (std::size_t c = 0; c < pair.traits.size() && has_names(pair.traits.size()); ++c) {
      pair.traits[c].name = input_.column_names[c];
    }
  }
  return pair;
}

TableCells Records::rows(std::span<const std::size_t> objects, const Control& control) const {
  if (is_table()) {
    require_unchanged();
    return read_cells(path_, options_, objects, control);
  }
  TableCells table;
  table.rows.resize(objects.size());
  const auto* dense = std::get_if<DenseArray>(&input_.values);
  if (input_.shape != Shape::features || dense == nullptr) {
    return table;
  }
  const std::size_t columns = std::min(dense->columns(), kMostNumbers);
  for (std::size_t c = 0; c < columns; ++c) {
    table.names.push_back(has_names(dense->columns()) ? input_.column_names[c]
                                                      : fmt::format("c{}", c));
    for (std::size_t i = 0; i < objects.size(); ++i) {
      table.rows[i].push_back(number_text(*dense, objects[i], c));
    }
  }
  return table;
}

std::vector<FoundCell> Records::search(std::string_view text, std::size_t most,
                                       const Control& control) const {
  if (!is_table()) {
    return {};
  }
  require_unchanged();
  return find_cells(path_, options_, text, most, control);
}

bool Records::has_names(std::size_t columns) const { return input_.column_names.size() == columns; }

void Records::require_unchanged() const {
  std::error_code error;
  if (std::filesystem::last_write_time(path_, error) != written_ || error) {
    throw std::runtime_error(fmt::format(
        "{}: has changed since it was read; start again: the answers are kept", harmless(path_)));
  }
}

}  // namespace shiftcut
