// One-hot encoding. Text with many different values would take far more memory as columns of 0 and
// 1 than it did as text, so identifiers and too many categories are rejected first.
#include <algorithm>
#include <numeric>
#include <span>
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

void reject_identifiers(const Table& table) {
  for (const std::uint32_t column : table.stored) {
    if (table.categories[column] == nullptr) {
      continue;
    }
    const std::size_t count = table.categories[column]->counts.size();
    if (count > kFewCategories && count > table.rows / 2) {
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
