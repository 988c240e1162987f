#include "similarity/row_groups.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>

#include "core/rng.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kRowsPerTask = 1024;  // of hashing; changes no result
// Where the hashes of distinct_rows() start: any number will do, and another one is another order.
constexpr std::uint64_t kFirst = 0x5348494654435554ULL;

std::uint64_t with(std::uint64_t hash, double value) {
  hash = (hash ^ std::bit_cast<std::uint64_t>(value + 0.0)) * 0x9e3779b97f4a7c15ULL;  // -0 is 0
  return hash ^ hash >> 29;
}

std::uint64_t hash_of(const std::vector<double>& row) {
  std::uint64_t hash = 0;
  for (const double value : row) {
    hash = with(hash, value);
  }
  return mix(hash);
}

std::vector<std::uint64_t> hashes_of(const FeatureRows& rows, ThreadTeam& team) {
  std::vector<std::uint64_t> hashes(rows.size());
  for_each_row_chunk(rows.size(), kRowsPerTask, team, [&](std::size_t begin, std::size_t end, int) {
    std::vector<double> row(rows.length());
    for (std::size_t i = begin; i < end; ++i) {
      rows.row(i, row.data());
      hashes[i] = hash_of(row);
    }
  });
  return hashes;
}

// Sets leader[i], for the objects in `order`, to the first of them whose row equals that of i.
void find_leaders(const FeatureRows& rows, const std::vector<std::uint64_t>& hashes,
                  std::span<ObjectId> order, std::vector<ObjectId>& leader) {
  std::sort(order.begin(), order.end(), [&](ObjectId a, ObjectId b) {
    return hashes[a] != hashes[b] ? hashes[a] < hashes[b] : a < b;
  });
  std::vector<double> row(rows.length());
  std::vector<double> other(rows.length());
  std::vector<ObjectId> seen;  // distinct rows with the same hash: nearly always one
  for (std::size_t p = 0; p < order.size(); ++p) {
    leader[order[p]] = order[p];
    if (p == 0 || hashes[order[p]] != hashes[order[p - 1]]) {
      seen.assign(1, order[p]);
      continue;
    }
    rows.row(order[p], row.data());
    const auto same = std::find_if(seen.begin(), seen.end(), [&](ObjectId candidate) {
      rows.row(candidate, other.data());
      return row == other;
    });
    if (same == seen.end()) {
      seen.push_back(order[p]);
    } else {
      leader[order[p]] = *same;
    }
  }
}

// leader[i]: the first object whose row equals that of i. Objects are divided into tasks by the
// leading bits of their hashes.
std::vector<ObjectId> leaders_of(const FeatureRows& rows, const std::vector<std::uint64_t>& hashes,
                                 ThreadTeam& team) {
  constexpr int kBits = 8;
  const auto bucket = [&](std::size_t i) { return hashes[i] >> (64 - kBits); };
  std::vector<std::size_t> offsets((std::size_t{1} << kBits) + 1, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ++offsets[bucket(i) + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<ObjectId> order(rows.size());
  std::vector<std::size_t> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    order[next[bucket(i)]++] = static_cast<ObjectId>(i);
  }
  std::vector<ObjectId> leader(rows.size());
  team.for_each(offsets.size() - 1, [&](std::size_t b, int) {
    find_leaders(rows, hashes, std::span(order).subspan(offsets[b], offsets[b + 1] - offsets[b]),
                 leader);
  });
  return leader;
}

// Rows of a dense array, number by number. Columns that hold one number only do not count, so that
// they do not change an order.
class DenseRows {
 public:
  explicit DenseRows(const DenseArray& rows) : rows_(rows) {
    for (std::size_t j = 0; j < rows.columns(); ++j) {
      std::size_t i = 1;
      while (i < rows.rows() && rows.at(i, j) == rows.at(0, j)) {
        ++i;
      }
      if (i < rows.rows()) {
        columns_.push_back(j);
      }
    }
  }

  DenseRows(const DenseArray& rows, std::span<const std::size_t> columns)
      : rows_(rows), columns_(columns.begin(), columns.end()) {}

  [[nodiscard]] std::size_t size() const { return rows_.rows(); }

  [[nodiscard]] std::uint64_t hash(std::size_t i) const {
    std::uint64_t hash = kFirst;
    with_row(i, [&](const auto* row) {
      for (const std::size_t j : columns_) {
        hash = with(hash, static_cast<double>(row[j]));
      }
    });
    return mix(hash);
  }

  [[nodiscard]] int compare(std::size_t a, std::size_t b) const {
    return compare_rows(rows_, a, b);
  }

 private:
  template <class Visit>
  void with_row(std::size_t i, const Visit& visit) const {
    if (rows_.is_float32()) {
      visit(rows_.f32_row(i));
    } else {
      visit(rows_.f64_row(i));
    }
  }

  const DenseArray& rows_;
  std::vector<std::size_t> columns_;
};

// Rows of a sparse matrix: columns and numbers; entries of 0 do not count.
class SparseRows {
 public:
  explicit SparseRows(const SparseMatrix& rows) : rows_(rows) {}

  [[nodiscard]] std::size_t size() const { return rows_.rows; }

  [[nodiscard]] std::uint64_t hash(std::size_t i) const {
    std::uint64_t hash = kFirst;
    for (std::size_t e = next(begin(i), i); e < end(i); e = next(e + 1, i)) {
      hash = with(hash + rows_.columns[e], rows_.values[e]);
    }
    return mix(hash);
  }

  // A missing entry is 0.
  [[nodiscard]] int compare(std::size_t a, std::size_t b) const {
    std::size_t e = next(begin(a), a);
    std::size_t f = next(begin(b), b);
    while (e < end(a) || f < end(b)) {
      const bool from_a = f >= end(b) || (e < end(a) && rows_.columns[e] <= rows_.columns[f]);
      const bool from_b = e >= end(a) || (f < end(b) && rows_.columns[f] <= rows_.columns[e]);
      const double left = from_a ? rows_.values[e] : 0.0;
      const double right = from_b ? rows_.values[f] : 0.0;
      if (left != right) {
        return left < right ? -1 : 1;
      }
      e = from_a ? next(e + 1, a) : e;
      f = from_b ? next(f + 1, b) : f;
    }
    return 0;
  }

 private:
  [[nodiscard]] std::size_t begin(std::size_t i) const {
    return static_cast<std::size_t>(rows_.offsets[i]);
  }
  [[nodiscard]] std::size_t end(std::size_t i) const {
    return static_cast<std::size_t>(rows_.offsets[i + 1]);
  }
  // The first entry from `e` on that is not 0.
  [[nodiscard]] std::size_t next(std::size_t e, std::size_t i) const {
    while (e < end(i) && rows_.values[e] == 0) {
      ++e;
    }
    return e;
  }

  const SparseMatrix& rows_;
};

template <class Rows>
std::vector<std::uint64_t> hashes_of_rows(const Rows& rows, ThreadTeam& team) {
  std::vector<std::uint64_t> hashes(rows.size());
  for_each_row_chunk(rows.size(), kRowsPerTask, team, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      hashes[i] = rows.hash(i);
    }
  });
  return hashes;
}

// Sorted in tasks by the leading bits of the hashes.
template <class Rows>
RowGroups distinct(const Rows& rows, ThreadTeam& team) {
  struct Hashed {
    std::uint64_t hash;
    ObjectId row;
  };
  constexpr int kBits = 8;
  const std::size_t n = rows.size();
  std::vector<std::uint64_t> hashes = hashes_of_rows(rows, team);
  std::vector<std::size_t> offsets((std::size_t{1} << kBits) + 1, 0);
  for (const std::uint64_t hash : hashes) {
    ++offsets[(hash >> (64 - kBits)) + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<Hashed> order(n);
  std::vector<std::size_t> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t i = 0; i < n; ++i) {
    order[next[hashes[i] >> (64 - kBits)]++] = {hashes[i], static_cast<ObjectId>(i)};
  }
  hashes = {};
  std::vector<char> is_first(n, 0);  // of its group, at a place of `order`
  team.for_each(offsets.size() - 1, [&](std::size_t b, int) {
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(offsets[b]);
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(offsets[b + 1]);
    std::sort(begin, end, [](const Hashed& left, const Hashed& right) {
      return left.hash != right.hash ? left.hash < right.hash : left.row < right.row;
    });
    for (auto at = begin; at != end;) {
      const auto last =
          std::find_if(at, end, [&](const Hashed& other) { return other.hash != at->hash; });
      const bool are_equal = std::all_of(
          at + 1, last, [&](const Hashed& other) { return rows.compare(at->row, other.row) == 0; });
      if (!are_equal) {
        std::stable_sort(at, last, [&](const Hashed& left, const Hashed& right) {
          return rows.compare(left.row, right.row) < 0;
        });
      }
      for (auto it = at; it != last; ++it) {
        is_first[static_cast<std::size_t>(it - order.begin())] =
            it == at || (!are_equal && rows.compare((it - 1)->row, it->row) != 0) ? 1 : 0;
      }
      at = last;
    }
  });
  RowGroups groups;
  groups.members.resize(n);
  for (std::size_t p = 0; p < n; ++p) {
    groups.members[p] = order[p].row;
    if (is_first[p] != 0) {
      groups.offsets.push_back(p);
    }
  }
  groups.offsets.push_back(n);
  return groups;
}

}  // namespace

int compare_rows(const DenseArray& rows, std::size_t a, std::size_t b) {
  for (std::size_t j = 0; j < rows.columns(); ++j) {
    if (rows.at(a, j) != rows.at(b, j)) {
      return rows.at(a, j) < rows.at(b, j) ? -1 : 1;
    }
  }
  return 0;
}

int compare_rows(const SparseMatrix& rows, std::size_t a, std::size_t b) {
  return SparseRows(rows).compare(a, b);
}

RowGroups distinct_rows(const DenseArray& rows, ThreadTeam& team) {
  return distinct(DenseRows(rows), team);
}

RowGroups distinct_rows(const DenseArray& rows, std::span<const std::size_t> columns,
                        ThreadTeam& team) {
  return distinct(DenseRows(rows, columns), team);
}

std::vector<std::uint64_t> hashes_of(const DenseArray& rows, std::span<const std::size_t> columns,
                                     ThreadTeam& team) {
  return hashes_of_rows(DenseRows(rows, columns), team);
}

RowGroups distinct_rows(const SparseMatrix& rows, ThreadTeam& team) {
  return distinct(SparseRows(rows), team);
}

RowGroups equal_rows(const FeatureRows& rows, ThreadTeam& team) {
  const std::size_t n = rows.size();
  const std::vector<ObjectId> leader = leaders_of(rows, hashes_of(rows, team), team);
  std::vector<ObjectId> group(n);
  RowGroups groups;
  groups.offsets.push_back(0);
  for (std::size_t i = 0; i < n; ++i) {
    if (leader[i] == i) {
      group[i] = static_cast<ObjectId>(groups.size());
      groups.offsets.push_back(0);
    } else {
      group[i] = group[leader[i]];
    }
    ++groups.offsets[group[i] + 1];
  }
  std::partial_sum(groups.offsets.begin(), groups.offsets.end(), groups.offsets.begin());
  groups.members.resize(n);
  std::vector<std::size_t> next(groups.offsets.begin(), groups.offsets.end() - 1);
  for (std::size_t i = 0; i < n; ++i) {
    groups.members[next[group[i]]++] = static_cast<ObjectId>(i);
  }
  return groups;
}

SparseMatrix rows_of(const SparseMatrix& data, std::span<const ObjectId> rows) {
  SparseMatrix out;
  out.rows = rows.size();
  out.columns_count = data.columns_count;
  out.offsets.push_back(0);
  for (const ObjectId i : rows) {
    const auto begin = static_cast<std::ptrdiff_t>(data.offsets[i]);
    const auto end = static_cast<std::ptrdiff_t>(data.offsets[i + 1]);
    out.columns.insert(out.columns.end(), data.columns.begin() + begin, data.columns.begin() + end);
    out.values.insert(out.values.end(), data.values.begin() + begin, data.values.begin() + end);
    out.offsets.push_back(static_cast<std::int64_t>(out.values.size()));
  }
  return out;
}

DenseArray rows_of(const DenseArray& data, std::span<const ObjectId> rows) {
  return data.with_rows({rows.begin(), rows.end()});
}

}  // namespace shiftcut
