// Roles of columns: see plan_columns.hpp.
#include "input/table/plan_columns.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/limits.hpp"
#include "input/bytes/reject.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kLongestCompared = 64;

// How many letters to insert, delete or replace to turn one into the other (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  a = a.substr(0, kLongestCompared);
  b = b.substr(0, kLongestCompared);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// All names if they are few, else those most like `wanted`.
std::string names_to_show(const std::vector<std::string>& names, std::string_view wanted) {
  std::vector<std::pair<std::size_t, std::size_t>> order;
  for (std::size_t i = 0; i < names.size(); ++i) {
    order.emplace_back(names.size() > kNamesShown ? edit_distance(names[i], wanted) : 0, i);
  }
  const std::size_t shown = std::min(kNamesShown, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end());
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < shown; ++i) {
    texts.push_back(quoted(names[order[i].second]));
  }
  return fmt::format("{}{}", comma_separated(texts), names.size() > shown ? ", ..." : "");
}

std::size_t find_column(const std::string& file, const std::vector<std::string>& names,
                        const std::string& wanted, const std::string& parameter) {
  const auto first = std::find(names.begin(), names.end(), wanted);
  if (first == names.end()) {
    reject(file, message("unknown_column", parameter,
                         "{" + parameter + "}: found no column {}; allowed: {}", quoted(wanted),
                         names_to_show(names, wanted)));
  }
  if (std::find(first + 1, names.end(), wanted) != names.end()) {
    reject(file,
           message("unknown_column", parameter,
                   "{" + parameter + "}: found two columns {}; allowed: a name that occurs once",
                   quoted(wanted)));
  }
  return static_cast<std::size_t>(first - names.begin());
}

}  // namespace

std::vector<ColumnKind> plan_columns(const std::string& file, const std::vector<std::string>& names,
                                     const ReadOptions& options) {
  std::vector<ColumnKind> kinds(names.size(), ColumnKind::undecided);
  const auto assign = [&](const std::string& name, ColumnKind kind, const std::string& parameter) {
    ColumnKind& now = kinds[find_column(file, names, name, parameter)];
    if (now != ColumnKind::undecided && now != kind) {
      reject(file, message("not_applicable", parameter,
                           "{" + parameter +
                               "}: found column {}, which another option names as well; allowed: "
                               "one of {label_column}, {cannot_link_by}, {drop}, {categorical}",
                           quoted(name)));
    }
    now = kind;
  };
  if (!options.label_column.empty()) {
    assign(options.label_column, ColumnKind::label, "label_column");
  }
  if (!options.group_column.empty()) {
    assign(options.group_column, ColumnKind::group, "cannot_link_by");
  }
  for (const std::string& name : options.drop) {
    assign(name, ColumnKind::dropped, "drop");
  }
  for (const std::string& name : options.categorical) {
    assign(name, ColumnKind::text, "categorical");
  }
  const bool any_left = std::any_of(kinds.begin(), kinds.end(), [](ColumnKind kind) {
    return kind == ColumnKind::undecided || kind == ColumnKind::text;
  });
  if (!any_left) {
    reject(file,
           "found no columns besides the label column and the dropped ones; allowed: one or "
           "more columns of features");
  }
  return kinds;
}

}  // namespace shiftcut
