// A counting sort by rows, then a sort within each row that is not in order. Each thread has the
// rows of a range and goes through all entries, so that those of a row keep the order of the file;
// going through them is quick, it is the scattered writes that take time.
#include "input/graph/sparse_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <ranges>
#include <span>
#include <vector>

#include <fmt/core.h>

#include "core/message.hpp"
#include "input/bytes/reject.hpp"
#include "input/limits.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kEntriesPerPart = std::size_t{1} << 16;  // at least, to be worth a thread

// Consecutive rows.
struct RowRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// `parts` ranges of about as many entries each; start(i) is where row i begins.
template <class Start>
std::vector<RowRange> even_ranges(std::size_t rows, std::size_t total, std::size_t parts,
                                  const Start& start) {
  std::vector<RowRange> ranges(parts);
  std::size_t row = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    ranges[part].begin = row;
    const std::size_t last = total / parts * (part + 1);
    if (part + 1 == parts) {
      row = rows;
    } else {
      const auto all = std::views::iota(row, rows);
      row = *std::ranges::partition_point(all, [&](std::size_t i) { return start(i) < last; });
    }
    ranges[part].end = row;
  }
  return ranges;
}

// Calls visit(row, column, index in the block, block) for entries, and their mirror images, whose
// row is in the range.
template <class Visit>
void for_each_in(const EntryList& entries, Mirror mirror, const RowRange& range,
                 const Visit& visit) {
  const auto begin = static_cast<std::uint32_t>(range.begin);
  const auto length = static_cast<std::uint32_t>(range.end - range.begin);
  for (const EntryList::Block& block : entries.blocks()) {
    for (std::size_t e = 0; e < block.places.size(); ++e) {
      const auto [row, column] = block.places[e];
      if (row - begin < length) {
        visit(row, column, e, block);
      }
      if (mirror == Mirror::yes && row != column && column - begin < length) {
        visit(column, row, e, block);
      }
    }
  }
}

class RowSorter {
 public:
  RowSorter(EntryList& entries, Mirror mirror, SparseMatrix& matrix, ThreadTeam& team)
      : entries_(entries),
        mirror_(mirror),
        matrix_(matrix),
        team_(team),
        parts_(std::clamp<std::size_t>(entries.size() / kEntriesPerPart, 1,
                                       static_cast<std::size_t>(team.threads()))) {}

  void run(const std::string& file) {
    count_rows();
    scatter();
    pieces_ = even_ranges(matrix_.rows, matrix_.columns.size(), parts_ == 1 ? 1 : 8 * parts_,
                          [&](std::size_t i) { return begin_of(i); });
    const bool all_ones = entries_.all_ones();
    if (all_ones && mirror_ == Mirror::yes && !most_rows_are_sorted()) {
      transpose();
    }
    sort_rows();
    entries_ = EntryList();
    if (all_ones) {  // allocated once the entries are freed
      matrix_.values.assign(matrix_.columns.size(), 1.0);
    }
    add_up(all_ones, file);
  }

 private:
  struct Cell {
    std::uint32_t column;
    std::uint32_t order;  // in the file, which entries of the same column keep
    double value;
  };

  [[nodiscard]] std::size_t begin_of(std::size_t row) const {
    return static_cast<std::size_t>(matrix_.offsets[row]);
  }

  // offsets[i + 1] becomes the start of row i; scatter() advances it to the start of row i + 1.
  void count_rows() {
    matrix_.offsets.assign(matrix_.rows + 2, 0);
    team_.for_each(parts_, [&](std::size_t part, int) {
      const RowRange range{matrix_.rows * part / parts_, matrix_.rows * (part + 1) / parts_};
      for_each_in(entries_, mirror_, range,
                  [&](std::uint32_t row, std::uint32_t, std::size_t, const EntryList::Block&) {
                    ++matrix_.offsets[row + std::size_t{2}];
                  });
    });
    std::partial_sum(matrix_.offsets.begin(), matrix_.offsets.end(), matrix_.offsets.begin());
  }

  void scatter() {
    const auto total = static_cast<std::size_t>(matrix_.offsets.back());
    const bool all_ones = entries_.all_ones();
    matrix_.columns.resize(total);
    matrix_.values.resize(all_ones ? 0 : total);
    const std::vector<RowRange> ranges = even_ranges(
        matrix_.rows, total, parts_,
        [&](std::size_t i) { return static_cast<std::size_t>(matrix_.offsets[i + 1]); });
    team_.for_each(parts_, [&](std::size_t part, int) {
      for_each_in(entries_, mirror_, ranges[part],
                  [&](std::uint32_t row, std::uint32_t column, std::size_t e,
                      const EntryList::Block& block) {
                    const auto at = static_cast<std::size_t>(matrix_.offsets[row + 1]++);
                    matrix_.columns[at] = column;
                    if (!all_ones) {
                      matrix_.values[at] = block.values.empty() ? 1.0 : block.values[e];
                    }
                  });
    });
    matrix_.offsets.pop_back();
  }

  bool most_rows_are_sorted() {
    std::vector<std::size_t> sorted(pieces_.size(), 0);
    team_.for_each(pieces_.size(), [&](std::size_t piece, int) {
      for (std::size_t i = pieces_[piece].begin; i < pieces_[piece].end; ++i) {
        sorted[piece] += std::ranges::is_sorted(columns_of(i)) ? 1 : 0;
      }
    });
    return std::accumulate(sorted.begin(), sorted.end(), std::size_t{0}) >= matrix_.rows / 8 * 7;
  }

  // A symmetric matrix is its own transpose, whose rows are in order: half the time of sorting
  // them.
  void transpose() {
    std::vector<std::uint32_t> columns(matrix_.columns.size());
    std::vector<std::int64_t> next(matrix_.offsets.begin(), matrix_.offsets.end() - 1);
    const std::vector<RowRange> ranges = even_ranges(matrix_.rows, columns.size(), parts_,
                                                     [&](std::size_t i) { return begin_of(i); });
    team_.for_each(parts_, [&](std::size_t part, int) {
      const auto begin = static_cast<std::uint32_t>(ranges[part].begin);
      const auto length = static_cast<std::uint32_t>(ranges[part].end - ranges[part].begin);
      for (std::size_t i = 0; i < matrix_.rows; ++i) {
        for (const std::uint32_t column : columns_of(i)) {
          if (column - begin < length) {
            columns[static_cast<std::size_t>(next[column]++)] = static_cast<std::uint32_t>(i);
          }
        }
      }
    });
    matrix_.columns = std::move(columns);
  }

  void sort_rows() {
    std::vector<char> is_distinct(pieces_.size(), 1);
    team_.for_each(pieces_.size(), [&](std::size_t piece, int) {
      std::vector<Cell> row;
      for (std::size_t i = pieces_[piece].begin; i < pieces_[piece].end; ++i) {
        sort_row(begin_of(i), begin_of(i + 1), row);
        const auto columns = columns_of(i);
        const bool is_strict = std::ranges::adjacent_find(columns) == columns.end();
        is_distinct[piece] = is_distinct[piece] != 0 && is_strict ? 1 : 0;
      }
    });
    are_distinct_ = std::ranges::all_of(is_distinct, [](char is) { return is != 0; });
  }

  [[nodiscard]] std::span<std::uint32_t> columns_of(std::size_t row) {
    return std::span(matrix_.columns).subspan(begin_of(row), begin_of(row + 1) - begin_of(row));
  }

  void sort_row(std::size_t begin, std::size_t end, std::vector<Cell>& row) {
    const auto columns = std::span(matrix_.columns).subspan(begin, end - begin);
    if (std::ranges::is_sorted(columns)) {
      return;
    }
    if (matrix_.values.empty()) {  // all 1
      std::ranges::sort(columns);
      return;
    }
    row.clear();
    for (std::size_t at = begin; at < end; ++at) {
      row.push_back(
          {matrix_.columns[at], static_cast<std::uint32_t>(at - begin), matrix_.values[at]});
    }
    std::ranges::sort(row, [](const Cell& a, const Cell& b) {
      return a.column != b.column ? a.column < b.column : a.order < b.order;
    });
    for (std::size_t at = begin; at < end; ++at) {
      matrix_.columns[at] = row[at - begin].column;
      matrix_.values[at] = row[at - begin].value;
    }
  }

  // Adds up entries of the same column and drops sums of 0: within each piece, then the pieces
  // close up.
  void add_up(bool all_ones, const std::string& file) {
    if (all_ones && are_distinct_) {
      return;
    }
    std::vector<std::uint32_t> lengths(matrix_.rows);  // of rows
    std::vector<std::size_t> kept(pieces_.size());
    std::vector<std::optional<Cell>> too_large(pieces_.size());
    std::vector<std::size_t> row_of(pieces_.size());
    team_.for_each(pieces_.size(), [&](std::size_t piece, int) {
      const std::size_t first = begin_of(pieces_[piece].begin);
      std::size_t out = first;
      for (std::size_t i = pieces_[piece].begin; i < pieces_[piece].end; ++i) {
        const std::size_t before = out;
        for (std::size_t at = begin_of(i); at < begin_of(i + 1);) {
          const std::uint32_t column = matrix_.columns[at];
          double sum = 0;
          for (; at < begin_of(i + 1) && matrix_.columns[at] == column; ++at) {
            sum += matrix_.values[at];
          }
          if (!std::isfinite(sum) && !too_large[piece]) {
            too_large[piece] = Cell{column, 0, sum};
            row_of[piece] = i;
          }
          if (sum != 0) {
            matrix_.columns[out] = column;
            matrix_.values[out++] = sum;
          }
        }
        lengths[i] = static_cast<std::uint32_t>(out - before);
      }
      kept[piece] = out - first;
    });
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
      if (const auto& cell = too_large[piece]) {
        reject(file, fmt::format("found entries of row {}, column {} (counted from 0) that add up "
                                 "to {}; allowed: a finite sum",
                                 row_of[piece], cell->column, cell->value));
      }
    }
    close_up(lengths, kept);
  }

  void close_up(const std::vector<std::uint32_t>& lengths, const std::vector<std::size_t>& kept) {
    std::size_t out = 0;
    for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
      const std::size_t from = begin_of(pieces_[piece].begin);
      if (from != out) {
        std::copy_n(matrix_.columns.data() + from, kept[piece], matrix_.columns.data() + out);
        std::copy_n(matrix_.values.data() + from, kept[piece], matrix_.values.data() + out);
      }
      out += kept[piece];
    }
    matrix_.columns.resize(out);
    matrix_.values.resize(out);
    for (std::size_t i = 0; i < matrix_.rows; ++i) {
      matrix_.offsets[i + 1] = matrix_.offsets[i] + static_cast<std::int64_t>(lengths[i]);
    }
  }

  EntryList& entries_;
  Mirror mirror_;
  SparseMatrix& matrix_;
  ThreadTeam& team_;
  std::size_t parts_;
  std::vector<RowRange> pieces_;
  bool are_distinct_ = true;
};

[[noreturn]] void reject_asymmetric(const std::string& file, std::size_t i, std::size_t j,
                                    double here, double there) {
  reject(file,
         fmt::format(
             "found {} in row {}, column {} but {} in row {}, column {} (counted from 1); allowed "
             "for a graph: the same weight in both directions, or a matrix of kind symmetric",
             here, i + 1, j + 1, there, j + 1, i + 1));
}

}  // namespace

SparseMatrix sparse_rows(EntryList& entries, std::size_t rows, std::size_t columns, Mirror mirror,
                         const std::string& file, ThreadTeam& team) {
  SparseMatrix matrix;
  matrix.rows = rows;
  matrix.columns_count = columns;
  RowSorter(entries, mirror, matrix, team).run(file);
  return matrix;
}

// Rows are visited in ascending order, so the mirror image of an entry (i, j) must be the next
// entry of row j that has no partner yet: one pass, no search.
void symmetrise(SparseMatrix& matrix, const std::string& file) {
  double largest = 0;
  for (const double value : matrix.values) {
    largest = std::max(largest, std::abs(value));
  }
  std::vector<std::int64_t> next(matrix.offsets.begin(), matrix.offsets.end() - 1);
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (std::int64_t at = matrix.offsets[i]; at < matrix.offsets[i + 1]; ++at) {
      const std::uint32_t j = matrix.columns[static_cast<std::size_t>(at)];
      double& here = matrix.values[static_cast<std::size_t>(at)];
      const auto mirror = static_cast<std::size_t>(next[j]++);
      const bool left = static_cast<std::int64_t>(mirror) < matrix.offsets[j + 1];
      if (left && matrix.columns[mirror] < i) {
        reject_asymmetric(file, j, matrix.columns[mirror], matrix.values[mirror], 0);
      }
      if (!left || matrix.columns[mirror] > i) {
        reject_asymmetric(file, i, j, here, 0);
      }
      double& there = matrix.values[mirror];
      if (std::abs(here - there) > kSymmetryTolerance * largest) {
        reject_asymmetric(file, i, j, here, there);
      }
      if (here != there) {
        here = there = here / 2 + there / 2;
      }
    }
  }
}

Shape sparse_shape(ShapeChoice choice, const std::string& file) {
  if (choice == ShapeChoice::distance) {
    reject(file, message("not_applicable", "shape",
                         "found a sparse file read as distances, where pairs that are not listed "
                         "have no distance; allowed: {shape=graph}, or a dense matrix of "
                         "distances"));
  }
  return choice == ShapeChoice::features ? Shape::features : Shape::graph;
}

void check_objects(std::size_t objects, std::size_t entries, const std::string& file) {
  if (objects == 0 || objects > kMostObjects) {
    reject(file, fmt::format("found {} objects; allowed: 1 to {}", objects, kMostObjects));
  }
  if (objects > kAlwaysAllowedExtent && objects / kExtentPerEntry > entries) {
    reject(file, fmt::format("found {} objects but only {} entries; allowed: at most {} objects "
                             "for each entry",
                             objects, entries, kExtentPerEntry));
  }
}

}  // namespace shiftcut
