// An inverted index: the cosines of a row with all others, or the columns it shares with them, are
// sums over the columns it has entries in.
#include "neighbors/metrics/cosine_neighbors.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/work_meter.hpp"
#include "neighbors/tuning.hpp"

namespace shiftcut {

struct UnitEntry {
  std::uint32_t place;  // the column, or in the transpose the row
  double value;
};

// Rows of unit length; under jaccard every entry is 1, and sums of products count shared columns.
struct UnitRows {
  Metric metric = Metric::cosine;
  std::vector<std::size_t> offsets;
  std::vector<UnitEntry> entries;

  [[nodiscard]] std::span<const UnitEntry> of(std::size_t i) const {
    return std::span(entries).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

namespace {

UnitRows unit_rows(const SparseMatrix& rows, Metric metric, const ThreadTeam& team) {
  UnitRows unit;
  unit.metric = metric;
  unit.offsets.assign(1, 0);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    team.poll_each(i);
    const auto begin = static_cast<std::size_t>(rows.offsets[i]);
    const auto end = static_cast<std::size_t>(rows.offsets[i + 1]);
    double largest = 0;  // divided out first: squares must neither overflow nor underflow
    for (std::size_t e = begin; e < end; ++e) {
      largest = std::max(largest, std::abs(rows.values[e]));
    }
    double squared = 0;
    for (std::size_t e = begin; e < end && largest > 0; ++e) {
      squared += (rows.values[e] / largest) * (rows.values[e] / largest);
    }
    const double norm = std::sqrt(squared);
    for (std::size_t e = begin; e < end; ++e) {
      if (rows.values[e] != 0) {
        unit.entries.push_back(
            {rows.columns[e], metric == Metric::jaccard ? 1.0 : rows.values[e] / largest / norm});
      }
    }
    unit.offsets.push_back(unit.entries.size());
  }
  return unit;
}

UnitRows transposed(const UnitRows& rows, std::size_t columns) {
  UnitRows out;
  out.metric = rows.metric;
  out.offsets.assign(columns + 1, 0);
  for (const UnitEntry& entry : rows.entries) {
    ++out.offsets[entry.place + 1];
  }
  std::partial_sum(out.offsets.begin(), out.offsets.end(), out.offsets.begin());
  out.entries.resize(rows.entries.size());
  std::vector<std::size_t> next(out.offsets.begin(), out.offsets.end() - 1);
  for (std::size_t i = 0; i + 1 < rows.offsets.size(); ++i) {
    for (const UnitEntry& entry : rows.of(i)) {
      out.entries[next[entry.place]++] = {static_cast<std::uint32_t>(i), entry.value};
    }
  }
  return out;
}

double squared_jaccard(std::span<const UnitEntry> a, std::span<const UnitEntry> b) {
  std::size_t both = 0;
  for (std::size_t p = 0, q = 0; p < a.size() && q < b.size();) {
    both += a[p].place == b[q].place ? 1 : 0;
    const bool left = a[p].place <= b[q].place;
    const bool right = b[q].place <= a[p].place;
    p += left ? 1 : 0;
    q += right ? 1 : 0;
  }
  const auto either = static_cast<double>(a.size() + b.size() - both);
  const double distance = either > 0 ? (either - static_cast<double>(both)) / either : 0.0;
  return distance * distance;
}

// Under cosine |a - b|^2, without cancellation: 0 for equal rows.
double squared_unit_distance(Metric metric, std::span<const UnitEntry> a,
                             std::span<const UnitEntry> b) {
  if (metric == Metric::jaccard) {
    return squared_jaccard(a, b);
  }
  double sum = 0;
  for (std::size_t p = 0, q = 0; p < a.size() || q < b.size();) {
    const bool left = q == b.size() || (p < a.size() && a[p].place <= b[q].place);
    const bool right = p == a.size() || (q < b.size() && b[q].place <= a[p].place);
    const double difference = (left ? a[p].value : 0) - (right ? b[q].value : 0);
    sum += difference * difference;
    p += left ? 1 : 0;
    q += right ? 1 : 0;
  }
  return sum;
}

// One thread's cosines of one row with all others, or the parts of the columns that they share.
class CosineSums {
 public:
  explicit CosineSums(std::size_t n) : sums_(n, 0.0), touched_(n, 0) {}

  /// The rows with the largest cosines above 0 with `row`, at most `count`, in any order; without
  /// row i, from which ties are counted.
  void nearest(std::size_t i, std::span<const UnitEntry> row, std::size_t count,
               const UnitRows& rows, const UnitRows& columns, std::vector<ObjectId>& out) {
    out.clear();
    for (const UnitEntry& entry : row) {
      for (const UnitEntry& other : columns.of(entry.place)) {
        sums_[other.place] += entry.value * other.value;
        if (touched_[other.place] == 0) {
          touched_[other.place] = 1;
          out.push_back(other.place);
        }
      }
    }
    all_ = out;
    if (columns.metric == Metric::jaccard) {
      for (const ObjectId j : out) {
        sums_[j] /= static_cast<double>(row.size() + rows.of(j).size()) - sums_[j];
      }
    }
    std::erase_if(out, [&](ObjectId j) { return j == i || !(sums_[j] > 0); });
    const std::size_t n = sums_.size();
    if (out.size() > count) {
      std::nth_element(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count), out.end(),
                       [&](ObjectId a, ObjectId b) {
                         return sums_[a] != sums_[b] ? sums_[a] > sums_[b]
                                                     : steps_from(i, a, n) < steps_from(i, b, n);
                       });
      out.resize(count);
    }
    for (const ObjectId j : all_) {
      sums_[j] = 0;
      touched_[j] = 0;
    }
  }

 private:
  std::vector<double> sums_;
  std::vector<char> touched_;
  std::vector<ObjectId> all_;
};

// `row` is row i of `rows`, or a new one: then i is their number, and counting starts from 0.
void write_list(std::size_t i, std::span<const UnitEntry> row, const std::vector<ObjectId>& near,
                const UnitRows& rows, std::size_t list, NeighborLists& lists) {
  const std::size_t n = rows.offsets.size() - 1;
  std::vector<std::pair<double, ObjectId>> measured;
  for (const ObjectId j : near) {
    measured.emplace_back(squared_unit_distance(rows.metric, row, rows.of(j)), steps_from(i, j, n));
  }
  std::sort(measured.begin(), measured.end());
  for (std::size_t e = 0; e < std::min(measured.size(), lists.k); ++e) {
    lists.squared[list * lists.k + e] = measured[e].first;
    lists.ids[list * lists.k + e] = static_cast<ObjectId>((i + measured[e].second) % n);
  }
}

}  // namespace

NeighborLists cosine_neighbors(const SparseMatrix& rows, std::size_t k, ThreadTeam& team,
                               const Control& control, Metric metric) {
  const std::size_t n = rows.rows;
  NeighborLists lists(n, std::min(k, n - 1));
  if (lists.k == 0) {
    return lists;
  }
  const UnitRows unit = unit_rows(rows, metric, team);
  const UnitRows columns = transposed(unit, rows.columns_count);
  std::vector<CosineSums> sums(static_cast<std::size_t>(team.threads()), CosineSums(n));
  const std::size_t blocks = (n + kRowsTogether - 1) / kRowsTogether;
  WorkMeter meter(control, "neighbours", blocks);
  team.for_each(blocks, [&](std::size_t block, int worker) {
    meter.add();
    std::vector<ObjectId> near;
    for (std::size_t i = block * kRowsTogether; i < std::min(n, (block + 1) * kRowsTogether); ++i) {
      team.poll();
      sums[static_cast<std::size_t>(worker)].nearest(i, unit.of(i), lists.k + kSpare, unit, columns,
                                                     near);
      write_list(i, unit.of(i), near, unit, i, lists);
    }
  });
  return lists;
}

struct CosineIndex::Columns {
  UnitRows rows;
  UnitRows columns;
};

CosineIndex::CosineIndex(const SparseMatrix& rows, ThreadTeam& team, Metric metric)
    : columns_(std::make_unique<Columns>()) {
  columns_->rows = unit_rows(rows, metric, team);
  columns_->columns = transposed(columns_->rows, rows.columns_count);
}

CosineIndex::~CosineIndex() = default;
CosineIndex::CosineIndex(CosineIndex&&) noexcept = default;
CosineIndex& CosineIndex::operator=(CosineIndex&&) noexcept = default;

NeighborLists CosineIndex::nearest(const SparseMatrix& queries, std::size_t k, ThreadTeam& team,
                                   const Control& control) const {
  const std::size_t n = columns_->rows.offsets.size() - 1;
  NeighborLists lists(queries.rows, std::min(k, n));
  const UnitRows unit = unit_rows(queries, columns_->rows.metric, team);
  std::vector<CosineSums> sums(static_cast<std::size_t>(team.threads()), CosineSums(n));
  const std::size_t blocks = (queries.rows + kRowsTogether - 1) / kRowsTogether;
  WorkMeter meter(control, "neighbours", blocks);
  team.for_each(blocks, [&](std::size_t block, int worker) {
    meter.add();
    std::vector<ObjectId> near;
    const std::size_t end = std::min(queries.rows, (block + 1) * kRowsTogether);
    for (std::size_t q = block * kRowsTogether; q < end; ++q) {
      team.poll();
      sums[static_cast<std::size_t>(worker)].nearest(n, unit.of(q), lists.k + kSpare,
                                                     columns_->rows, columns_->columns, near);
      write_list(n, unit.of(q), near, columns_->rows, q, lists);
    }
  });
  return lists;
}

}  // namespace shiftcut
