// One-hot encoding. Text with many different values would take far more memory as columns of 0 and
// 1 than it did as text, so identifiers and too many categories are rejected first.
#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "core/memory.hpp"
#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/reject.hpp"
#include "input/limits.hpp"
#include "input/table/table.hpp"

namespace shiftcut {

namespace {

// Where a stored column goes: `width` columns of the matrix, starting at `begin`. Category c sets
// column begin + ranks[c].
struct Target {
  std::size_t begin = 0;
  std::size_t width = 1;
  bool one_hot = false;
  std::vector<std::uint32_t> ranks;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A number with a sign, a currency or per cent around it, or commas, points or blanks inside:
// $1,200, 15 %, (3.50). Bytes of currencies outside ASCII are above 127.
bool is_amount(std::string_view text) {
  const auto is_around = [](char c) {
    return std::string_view("+-$%() ").find(c) != std::string_view::npos || (c & 0x80) != 0;
  };
  while (!text.empty() && is_around(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_around(text.back())) {
    text.remove_suffix(1);
  }
  return !text.empty() && is_digit(text.front()) && is_digit(text.back()) &&
         text.find_first_not_of("0123456789,. '") == std::string_view::npos;
}

// Three numbers apart by one of - / . of which the first or the last is a year; a time may follow.
bool is_date(std::string_view text) {
  text = text.substr(0, text.find_first_of(" T"));
  const std::size_t first = text.find_first_of("-/.");
  const std::size_t second = first < text.size() ? text.find(text[first], first + 1) : text.npos;
  if (second == text.npos) {
    return false;
  }
  const std::array parts = {text.substr(0, first), text.substr(first + 1, second - first - 1),
                            text.substr(second + 1)};
  const bool are_numbers = std::ranges::all_of(parts, [](std::string_view part) {
    return !part.empty() && part.size() <= 4 && std::ranges::all_of(part, is_digit);
  });
  return are_numbers && (parts[0].size() == 4) != (parts[2].size() == 4);
}

bool is_plain_number(std::string_view text) {
  double value = 0;
  return parse_number(text, value) != NumberKind::text;
}

// What all texts of a column are, if they have an order that categories do not have. Plain numbers
// are codes that somebody asked to treat as categories.
const char* ordered_texts(const Categories& categories) {
  const auto all_are = [&](bool (*is)(std::string_view)) {
    for (std::size_t c = 0; c < categories.names.size(); ++c) {
      if (!is(categories.names[c])) {
        return false;
      }
    }
    return categories.names.size() > 1;
  };
  if (all_are(is_date)) {
    return "dates";
  }
  return all_are(is_amount) && !all_are(is_plain_number) ? "amounts" : nullptr;
}

std::vector<Message> notes_on_ordered_texts(const Table& table) {
  std::vector<Message> notes;
  for (const std::uint32_t column : table.stored) {
    const Categories* categories = table.categories[column].get();
    const char* what = categories != nullptr ? ordered_texts(*categories) : nullptr;
    if (what != nullptr && notes.size() < kNotesByColumn) {
      notes.push_back(
          message("ordered_texts", "drop",
                  "column {} holds {} such as {}, each a category of its own: write them "
                  "as plain numbers to compare them by size, or {drop} {}",
                  quoted(table.names[column]), what, quoted(categories->names[0]),
                  quoted(table.names[column])));
    }
  }
  return notes;
}

void reject_identifiers(const Table& table) {
  for (const std::uint32_t column : table.stored) {
    if (table.categories[column] == nullptr) {
      continue;
    }
    const std::size_t count = table.categories[column]->counts.size();
    if (count > kFewCategories && count > table.rows / 2) {
      if (const char* what = ordered_texts(*table.categories[column])) {
        reject(
            table.file,
            message("identifier_column", "drop",
                    "column {} ({}): found {} such as {}, written as text; allowed: plain numbers; "
                    "{drop} {} ignores the column",
                    column + 1, quoted(table.names[column]), what,
                    quoted(table.categories[column]->names[0]), quoted(table.names[column])));
      }
      reject(
          table.file,
          message("identifier_column", "drop",
                  "column {} ({}): found {} different texts in {} rows, which looks like an "
                  "identifier; allowed: at most half as many as rows; {drop} {} ignores the column",
                  column + 1, quoted(table.names[column]), count, table.rows,
                  quoted(table.names[column])));
    }
  }
}

std::vector<Message> notes_on_empty_columns(const Table& table) {
  std::vector<Message> notes;
  std::size_t empty = 0;
  for (const std::uint32_t column : table.stored) {
    if (table.missing[column] == table.rows && ++empty <= kNotesByColumn) {
      notes.push_back(message("empty_columns", "", "column {} holds no values and was left out",
                              quoted(table.names[column])));
    }
  }
  if (empty > kNotesByColumn) {
    notes.push_back(message("empty_columns", "", "{} more columns hold no values and were left out",
                            empty - kNotesByColumn));
  }
  return notes;
}

// Appends the names of the matrix columns that the column becomes to `names`.
Target plan(const Table& table, std::size_t column, std::vector<std::string>& names) {
  Target target;
  target.begin = names.size();
  target.one_hot = table.kinds[column] == ColumnKind::text;
  if (is_left_out(table, column)) {
    target.width = 0;
  } else if (!target.one_hot) {
    names.push_back(table.names[column]);
  } else {
    const NameTable& values = table.categories[column]->names;
    target.width = values.size();
    std::vector<std::uint32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
    target.ranks.resize(values.size());
    for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
      target.ranks[order[rank]] = rank;
      names.push_back(fmt::format("{}={}", table.names[column], values[order[rank]]));
    }
  }
  return target;
}

// The text columns with the most categories: 'a' (900), 'b' (20).
std::string widest_columns(const Table& table) {
  std::vector<std::pair<std::size_t, std::uint32_t>> widths;
  for (const std::uint32_t column : table.stored) {
    if (table.categories[column] != nullptr) {
      widths.emplace_back(table.categories[column]->counts.size(), column);
    }
  }
  std::ranges::sort(widths, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(widths.size(), kWidestShown); ++i) {
    shown.push_back(fmt::format("{} ({})", quoted(table.names[widths[i].second]), widths[i].first));
  }
  return comma_separated(shown);
}

void reject_many_categories(const Table& table) {
  std::size_t all = 0;
  for (const std::uint32_t column : table.stored) {
    all += table.categories[column] != nullptr ? table.categories[column]->counts.size() : 0;
  }
  if (all > kMostOneHot) {
    reject(
        table.file,
        message("too_many_categories", "drop",
                "found {} different texts, each of which would become a column of 0 and 1; "
                "allowed: at most {}; {drop} columns with many categories; these have the most: {}",
                all, kMostOneHot, widest_columns(table)));
  }
}

// The similarities need about as much memory again as the matrix. Rejects what does not fit, and
// notes where one-hot encoding makes the matrix large.
void check_size(const Table& table, std::size_t columns, std::vector<Message>& notes) {
  const double bytes = static_cast<double>(table.rows) * static_cast<double>(columns) * 8;
  if (2 * bytes > 0.8 * static_cast<double>(available_memory())) {
    reject(table.file, message("not_enough_memory", "drop",
                               "found {} rows of {} columns once text is one-hot encoded, which "
                               "need {} GB; allowed: four fifths of the {} GB of free memory; "
                               "{drop} columns with many categories; these have the most: {}",
                               table.rows, columns, fmt::format("{:.1f}", 2 * bytes / 1e9),
                               fmt::format("{:.1f}", static_cast<double>(available_memory()) / 1e9),
                               widest_columns(table)));
  }
  if (bytes > kLargeOneHotBytes && columns / kManyOneHotPerColumn > table.stored.size()) {
    notes.push_back(message("many_categories", "drop",
                            "text became {} columns of 0 and 1, {} GB; {drop} columns with many "
                            "categories to need less; these have the most: {}",
                            columns, fmt::format("{:.1f}", bytes / 1e9), widest_columns(table)));
  }
}

std::vector<double> encode_cells(Table& table, std::size_t columns,
                                 const std::vector<Target>& targets) {
  const std::size_t width = targets.size();
  std::vector<double> values(table.rows * columns, 0.0);
  double* out = values.data();
  table.cells.consume([&](std::span<double> block) {
    for (std::size_t row = 0; row < block.size(); row += width, out += columns) {
      for (std::size_t s = 0; s < width; ++s) {
        const Target& target = targets[s];
        const double cell = block[row + s];
        if (target.width == 0) {
          continue;
        }
        if (target.one_hot) {
          out[target.begin + target.ranks[static_cast<std::size_t>(cell)]] = 1;
        } else {
          out[target.begin] = cell;
        }
      }
    }
  });
  return values;
}

}  // namespace

EncodedTable encode_table(Table& table) {
  reject_identifiers(table);
  reject_many_categories(table);
  EncodedTable encoded;
  encoded.notes = notes_on_empty_columns(table);
  std::ranges::move(notes_on_ordered_texts(table), std::back_inserter(encoded.notes));
  const bool as_is =
      std::all_of(table.stored.begin(), table.stored.end(), [&](std::uint32_t column) {
        return table.kinds[column] == ColumnKind::number && !is_left_out(table, column);
      });
  if (as_is) {
    encoded.names.reserve(table.stored.size());
    for (const std::uint32_t column : table.stored) {
      encoded.names.push_back(std::move(table.names[column]));
    }
    encoded.values = DenseArray::own(table.cells.take(), table.rows, encoded.names.size());
    return encoded;
  }
  std::vector<Target> targets;
  targets.reserve(table.stored.size());
  for (const std::uint32_t column : table.stored) {
    targets.push_back(plan(table, column, encoded.names));
  }
  if (encoded.names.empty()) {
    reject(table.file,
           "found no value in any column of features; allowed: one or more columns "
           "with values");
  }
  const std::size_t columns = encoded.names.size();
  check_size(table, columns, encoded.notes);
  encoded.values = DenseArray::own(encode_cells(table, columns, targets), table.rows, columns);
  return encoded;
}

}  // namespace shiftcut
