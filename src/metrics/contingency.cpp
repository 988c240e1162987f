#include "metrics/contingency.hpp"

#include <algorithm>
#include <iterator>

namespace shiftcut {
namespace {

// Tables with at most this many cells, per object and in addition, are counted in place; larger
// ones by sorting.
constexpr std::uint64_t kCellsPerObject = 4;
constexpr std::uint64_t kSmallTable = 1024;

struct Classes {
  std::vector<std::uint32_t> of;  // the class of each object, 0 .. count - 1
  std::size_t count = 0;
};

Classes classes_of_sorted_values(std::span<const std::int32_t> labels) {
  std::vector<std::int32_t> values(labels.begin(), labels.end());
  std::ranges::sort(values);
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
  Classes classes{.of = std::vector<std::uint32_t>(labels.size()), .count = values.size()};
  std::ranges::transform(labels, classes.of.begin(), [&](std::int32_t label) {
    return static_cast<std::uint32_t>(
        std::distance(values.begin(), std::ranges::lower_bound(values, label)));
  });
  return classes;
}

Classes classes_of(std::span<const std::int32_t> labels) {
  if (labels.empty()) return {};
  const auto [low, high] = std::ranges::minmax(labels);
  const auto range = static_cast<std::uint64_t>(std::int64_t{high} - low) + 1;
  if (range > kCellsPerObject * labels.size() + kSmallTable) {
    return classes_of_sorted_values(labels);
  }
  const auto place = [first = low](std::int32_t label) {
    return static_cast<std::size_t>(std::int64_t{label} - first);
  };
  std::vector<std::uint32_t> class_at(range, 0);
  for (const std::int32_t label : labels) class_at[place(label)] = 1;
  std::uint32_t count = 0;
  for (std::uint32_t& entry : class_at) {
    if (entry != 0) entry = count++;
  }
  Classes classes{.of = std::vector<std::uint32_t>(labels.size()), .count = count};
  std::ranges::transform(labels, classes.of.begin(),
                         [&](std::int32_t label) { return class_at[place(label)]; });
  return classes;
}

std::vector<std::uint64_t> sizes_of(const Classes& classes) {
  std::vector<std::uint64_t> sizes(classes.count, 0);
  for (const std::uint32_t c : classes.of) ++sizes[c];
  return sizes;
}

std::vector<Cell> cells_in_place(const Classes& rows, const Classes& columns) {
  std::vector<std::uint64_t> table(rows.count * columns.count, 0);
  for (std::size_t i = 0; i < rows.of.size(); ++i) {
    ++table[rows.of[i] * columns.count + columns.of[i]];
  }
  std::vector<Cell> cells;
  for (std::size_t at = 0; at < table.size(); ++at) {
    if (table[at] != 0) cells.push_back({at / columns.count, at % columns.count, table[at]});
  }
  return cells;
}

std::vector<Cell> cells_by_sorting(const Classes& rows, const Classes& columns) {
  std::vector<std::uint64_t> places(rows.of.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = rows.of[i] * std::uint64_t{columns.count} + columns.of[i];
  }
  std::ranges::sort(places);
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i == 0 || places[i] != places[i - 1]) {
      cells.push_back({places[i] / columns.count, places[i] % columns.count, 0});
    }
    ++cells.back().count;
  }
  return cells;
}

}  // namespace

Contingency contingency(std::span<const std::int32_t> rows, std::span<const std::int32_t> columns) {
  const Classes row_classes = classes_of(rows);
  const Classes column_classes = classes_of(columns);
  const std::uint64_t table = std::uint64_t{row_classes.count} * column_classes.count;
  const bool small = table <= kCellsPerObject * rows.size() + kSmallTable;
  return {.objects = rows.size(),
          .row_sums = sizes_of(row_classes),
          .column_sums = sizes_of(column_classes),
          .cells = small ? cells_in_place(row_classes, column_classes)
                         : cells_by_sorting(row_classes, column_classes)};
}

}  // namespace shiftcut
