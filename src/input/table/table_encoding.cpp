#include "input/table/table_encoding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/core.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "input/bytes/reject.hpp"
#include "input/limits.hpp"
#include "input/table/columns.hpp"
#include "input/table/record_reader.hpp"
#include "input/table/table_form.hpp"

namespace shiftcut {

namespace {

using Kind = ColumnEncoding::Kind;

void keep_categories(const Categories& categories, ColumnEncoding& column) {
  for (std::size_t c = 0; c < categories.names.size(); ++c) {
    column.categories.emplace_back(categories.names[c]);
  }
  const std::string most = column.categories[mode(categories)];
  std::ranges::sort(column.categories);
  column.mode = static_cast<std::size_t>(std::ranges::lower_bound(column.categories, most) -
                                         column.categories.begin());
}

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kNotesByColumn); ++i) {
    list += (i == 0 ? "" : ", ") + quoted(names[i]);
  }
  return names.size() > kNotesByColumn ? list + ", ..." : list;
}

// Where the columns of the encoding stand in a table; one that is not needed may be nowhere.
using Places = std::vector<std::optional<std::size_t>>;

bool are_distinct(const TableEncoding& encoding) {
  std::vector<std::string> names;
  for (const ColumnEncoding& column : encoding.columns) {
    names.push_back(column.name);
  }
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

Places places_by_name(const std::string& file, const std::vector<std::string>& names,
                      const TableEncoding& encoding, std::vector<Message>& notes) {
  std::unordered_map<std::string, std::size_t> place;
  std::unordered_map<std::string, std::size_t> count;
  for (std::size_t c = 0; c < names.size(); ++c) {
    place.emplace(names[c], c);
    ++count[names[c]];
  }
  Places places;
  std::vector<std::string> missing;
  for (const ColumnEncoding& column : encoding.columns) {
    const auto found = place.find(column.name);
    const bool is_needed = column.kind != Kind::empty;
    places.push_back(found == place.end() ? std::nullopt : std::optional(found->second));
    if (found == place.end() && is_needed) {
      missing.push_back(column.name);
    } else if (is_needed && count[column.name] > 1) {
      reject(file, fmt::format("found two columns {}; allowed: each column of the model once",
                               quoted(column.name)));
    }
    count.erase(column.name);
  }
  if (!missing.empty()) {
    reject(file, fmt::format("found no column {}; allowed: all {} columns of the model",
                             list_of(missing), encoding.columns.size()));
  }
  std::vector<std::string> extra;
  for (const std::string& name : names) {
    if (count.erase(name) > 0) {
      extra.push_back(name);
    }
  }
  if (!extra.empty()) {
    notes.push_back(message("ignored_columns", "", "{} {} not in the model and {} ignored: {}",
                            extra.size(), extra.size() == 1 ? "column is" : "columns are",
                            extra.size() == 1 ? "was" : "were", list_of(extra)));
  }
  return places;
}

Places places_by_position(const std::string& file, std::size_t width,
                          const TableEncoding& encoding) {
  const std::size_t count = encoding.columns.size();
  if (width != encoding.width && width != count) {
    reject(file,
           fmt::format("found {} columns; allowed: {}, as in training", width, encoding.width));
  }
  Places places;
  for (std::size_t c = 0; c < count; ++c) {
    places.emplace_back(width == encoding.width ? encoding.columns[c].position : c);
  }
  return places;
}

class RowEncoder {
 public:
  RowEncoder(const TableEncoding& encoding, Places places, const RecordReader& records,
             const std::vector<std::string>& names, bool decimal_comma)
      : encoding_(encoding),
        places_(std::move(places)),
        records_(records),
        names_(names),
        decimal_comma_(decimal_comma),
        unknown_(encoding.columns.size()),
        width_(encoding.encoded_width()) {}

  void add() {
    const std::size_t begin = values_.size();
    values_.resize(begin + width_, 0.0);
    double* out = &values_[begin];
    for (std::size_t c = 0; c < places_.size(); ++c) {
      const ColumnEncoding& column = encoding_.columns[c];
      if (column.kind == Kind::number) {
        // NOLINTNEXTLINE(bugprone-unchecked-optional-access)
        *out = number(column, *places_[c]);
      } else if (column.kind == Kind::text) {
        if (const auto category = category_of(c, *places_[c])) {
          out[*category] = 1;
        }
      }
      out += column.width();
    }
    ++rows_;
  }

  [[nodiscard]] std::size_t rows() const { return rows_; }
  DenseArray take() { return DenseArray::own(std::move(values_), rows_, width_); }

  void add_notes(std::vector<Message>& notes) const {
    if (missing_ > 0) {
      notes.push_back(message("filled_cells", "", "{} missing {} filled as in training", missing_,
                              missing_ == 1 ? "cell was" : "cells were"));
    }
    for (std::size_t c = 0; c < unknown_.size(); ++c) {
      if (!unknown_[c].empty()) {
        notes.push_back(
            message("unknown_category", "",
                    "column {}: found {}, which did not occur in training: it is treated as "
                    "none of the known categories",
                    quoted(encoding_.columns[c].name), quoted(unknown_[c])));
      }
    }
  }

 private:
  double number(const ColumnEncoding& column, std::size_t place) {
    const std::string_view cell = records_.cells()[place];
    double value = 0;
    const NumberKind kind = parse_cell(cell, decimal_comma_, value);
    if (kind == NumberKind::finite) {
      return value;
    }
    const bool may_be_missing = std::isfinite(column.median);
    if (!may_be_missing || !is_missing(cell)) {
      reject_cell(records_.file(), records_.line(), place, names_[place], cell,
                  may_be_missing ? "a finite number, or empty, ? or NA where it is missing"
                                 : "a finite number");
    }
    ++missing_;
    return column.median;
  }

  std::optional<std::size_t> category_of(std::size_t c, std::size_t place) {
    const ColumnEncoding& column = encoding_.columns[c];
    const std::string_view cell = records_.cells()[place];
    if (is_missing(cell)) {
      ++missing_;
      return column.mode;
    }
    const auto found = std::ranges::lower_bound(column.categories, cell, std::less<>());
    if (found == column.categories.end() || *found != cell) {
      if (unknown_[c].empty()) {
        unknown_[c] = cell;
      }
      return std::nullopt;
    }
    return static_cast<std::size_t>(found - column.categories.begin());
  }

  const TableEncoding& encoding_;
  Places places_;
  const RecordReader& records_;
  const std::vector<std::string>& names_;
  bool decimal_comma_;
  std::vector<std::string> unknown_;  // of each column the first category that is new
  std::size_t width_;
  std::size_t rows_ = 0;
  std::size_t missing_ = 0;
  std::vector<double> values_;
};

}  // namespace

std::shared_ptr<const TableEncoding> encoding_of(Table& table, bool has_names) {
  TableEncoding encoding;
  encoding.has_names = has_names;
  encoding.width = table.names.size();
  for (std::size_t s = 0; s < table.stored.size(); ++s) {
    const std::size_t c = table.stored[s];
    ColumnEncoding column;
    column.name = table.names[c];
    column.position = c;
    if (is_left_out(table, c)) {
      column.kind = Kind::empty;
    } else if (table.kinds[c] == ColumnKind::number) {
      column.median = median_of_column(table, s);
    } else {
      column.kind = Kind::text;
      keep_categories(*table.categories[c], column);
    }
    encoding.columns.push_back(std::move(column));
  }
  return std::make_shared<const TableEncoding>(std::move(encoding));
}

Input read_table_like(ByteSource& source, const ReadOptions& options, char delimiter,
                      const TableEncoding& encoding) {
  RecordReader records(source, delimiter);
  TableForm form = table_form(records, options, delimiter);
  records.set_delimiter(form.delimiter);
  if (!records.next()) {
    reject(source.name(), "found an empty file; allowed: a table with one or more rows");
  }
  const std::vector<std::string> names = column_names(records, options.header, form.decimal_comma);
  const bool by_name = options.header && encoding.has_names && are_distinct(encoding);
  Input input;
  input.name = source.name();
  input.notes = std::move(form.notes);
  RowEncoder encoder(encoding,
                     by_name ? places_by_name(source.name(), names, encoding, input.notes)
                             : places_by_position(source.name(), names.size(), encoding),
                     records, names, form.decimal_comma);
  for (bool is_there = !options.header || records.next(); is_there; is_there = records.next()) {
    require_width(records, names.size(), options.header);
    encoder.add();
  }
  if (encoder.rows() == 0) {
    reject(source.name(), "found a header but no rows; allowed: one or more rows");
  }
  encoder.add_notes(input.notes);
  input.values = encoder.take();
  input.checked = true;
  return input;
}

}  // namespace shiftcut
