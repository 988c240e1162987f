// Float32 products rule out what their error bound allows; the rest is measured in double
// precision.
#include "neighbors/exact_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/kernels/kernels.hpp"
#include "core/work_meter.hpp"
#include "neighbors/packed_rows.hpp"
#include "neighbors/tuning.hpp"

namespace shiftcut {

namespace {

// The groups that may be among the k nearest of a query. Those whose score rules them out are
// dropped from time to time.
class Candidates {
 public:
  Candidates(std::size_t k, double allowance, const std::vector<float>& spread)
      : k_(k), allowance_(allowance), spread_(&spread), room_(2 * k + 64) {
    found_.reserve(room_);
  }

  [[nodiscard]] float limit() const { return limit_; }

  void push(ObjectId group, float score) {
    found_.push_back({score, group});
    if (found_.size() >= room_) {
      tighten();
      room_ = std::max(room_, 2 * found_.size());
    }
  }

  /// The candidates that are left at the end.
  void finish(std::vector<NearGroup>& out) {
    tighten();
    out.clear();
    for (const Scored& scored : found_) {
      out.push_back({0, scored.group});
    }
  }

 private:
  struct Scored {
    float score;
    ObjectId group;
  };

  // At least k true scores are at most the k-th smallest score + spread, plus the query's own
  // error.
  void tighten() {
    if (found_.size() <= k_) {
      return;
    }
    highest_.clear();
    for (const Scored& scored : found_) {
      highest_.push_back(static_cast<double>(scored.score) +
                         static_cast<double>((*spread_)[scored.group]));
    }
    const auto last = highest_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
    std::nth_element(highest_.begin(), last, highest_.end());
    limit_ = std::min(limit_, std::nextafter(static_cast<float>(*last + allowance_),
                                             std::numeric_limits<float>::max()));
    std::erase_if(found_, [&](const Scored& scored) { return scored.score > limit_; });
  }

  std::size_t k_;
  double allowance_;
  const std::vector<float>* spread_;
  std::size_t room_;
  float limit_ = std::numeric_limits<float>::max();
  std::vector<Scored> found_;
  std::vector<double> highest_;
};

// Scores of query q against all rows: calls visit(q, row, score) where it is below the limit of
// candidates[q].
template <class Visit>
void scan(const PackedRows& packed, const std::vector<const float*>& queries,
          const std::vector<Candidates>& candidates, const ThreadTeam& team, const Visit& visit) {
  std::vector<float> tile(queries.size() * PackedRows::kBlock);
  std::vector<std::uint32_t> low(PackedRows::kBlock + 1);
  for (std::size_t b = 0; b < packed.blocks().size(); ++b) {
    team.poll();
    const PackedColumns<float>& columns = packed.blocks()[b];
    const std::size_t width = columns.width();
    const float* base = &packed.base()[b * PackedRows::kBlock];
    tile_products(queries.data(), queries.size(), columns, tile.data());
    for (std::size_t q = 0; q < queries.size(); ++q) {
      const float* products = &tile[q * width];
      const std::size_t count =
          list_sums_at_most(products, base, width, candidates[q].limit(), 0, low.data());
      for (std::size_t c = 0; c < count; ++c) {
        visit(q, b * PackedRows::kBlock + low[c], base[low[c]] + products[low[c]]);
      }
    }
  }
}

// The rows `queries` against all.
void search_block(const PackedRows& packed, std::span<const std::size_t> queries, std::size_t k,
                  const ListWriter& writer, const ThreadTeam& team) {
  const std::size_t d = packed.length();
  std::vector<float> block(queries.size() * d);
  std::vector<const float*> pointers(queries.size());
  std::vector<Candidates> candidates;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const double allowance = packed.query(queries[q], &block[q * d]);
    pointers[q] = &block[q * d];
    candidates.emplace_back(k, allowance, packed.spread());
  }
  scan(packed, pointers, candidates, team, [&](std::size_t q, std::size_t group, float score) {
    if (group != queries[q]) {
      candidates[q].push(static_cast<ObjectId>(group), score);
    }
  });
  std::vector<NearGroup> near;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    candidates[q].finish(near);
    writer.measure(queries[q], near);
    writer.write(queries[q], near);
  }
}

RowGroups one_row_each(std::size_t n) {
  RowGroups groups{std::vector<std::size_t>(n + 1), std::vector<ObjectId>(n)};
  std::iota(groups.offsets.begin(), groups.offsets.end(), std::size_t{0});
  std::iota(groups.members.begin(), groups.members.end(), ObjectId{0});
  return groups;
}

// Whether float32 holds the row beside rows of entries up to 2, squares and products too.
bool is_moderate(const std::vector<double>& row) {
  constexpr double kLargest = 1e15;
  return std::ranges::all_of(row, [](double value) { return std::abs(value) <= kLargest; });
}

}  // namespace

void exact_search(const FeatureRows& rows, const RowGroups& groups, std::size_t k,
                  const ListWriter& writer, ThreadTeam& team, const Control& control) {
  std::vector<std::size_t> queries(groups.size());
  std::iota(queries.begin(), queries.end(), std::size_t{0});
  const std::size_t blocks = (queries.size() + kQueries - 1) / kQueries;
  WorkMeter meter(control, "neighbours", blocks);
  const ScaledRows scaled(rows, groups, team);
  const PackedRows packed(scaled, team);
  team.for_each(blocks, [&](std::size_t block, int) {
    meter.add();
    const std::size_t first = block * kQueries;
    search_block(packed,
                 std::span(queries).subspan(first, std::min(kQueries, queries.size() - first)), k,
                 writer, team);
  });
}

NeighborIndex::NeighborIndex(FeatureRows rows, ThreadTeam& team)
    : rows_(std::move(rows)),
      groups_(one_row_each(rows_.size())),
      scaled_(rows_, groups_, team),
      packed_(scaled_, team) {}

NeighborLists NeighborIndex::nearest(const FeatureRows& queries, std::size_t k, ThreadTeam& team,
                                     const Control& control) const {
  NeighborLists lists(queries.size(), std::min(k, rows_.size()));
  const std::size_t blocks = (queries.size() + kQueries - 1) / kQueries;
  WorkMeter meter(control, "neighbours", blocks);
  team.for_each(blocks, [&](std::size_t block, int) {
    meter.add();
    const std::size_t first = block * kQueries;
    search(queries, first, std::min(kQueries, queries.size() - first), team, lists);
  });
  return lists;
}

void NeighborIndex::search(const FeatureRows& queries, std::size_t first, std::size_t count,
                           const ThreadTeam& team, NeighborLists& lists) const {
  const std::size_t d = rows_.length();
  std::vector<double> placed(d);
  std::vector<float> block(count * d);
  std::vector<const float*> pointers;
  std::vector<Candidates> candidates;
  std::vector<std::size_t> places;  // in the block, of the queries that float32 holds
  for (std::size_t q = 0; q < count; ++q) {
    queries.row(first + q, placed.data());
    scaled_.place(placed.data());
    if (is_moderate(placed)) {
      candidates.emplace_back(lists.k, packed_.query(placed.data(), &block[q * d]),
                              packed_.spread());
      pointers.push_back(&block[q * d]);
      places.push_back(q);
    }
  }
  scan(packed_, pointers, candidates, team, [&](std::size_t q, std::size_t row, float score) {
    candidates[q].push(static_cast<ObjectId>(row), score);
  });
  std::vector<NearGroup> near;
  std::vector<double> query(d);
  std::vector<double> other(d);
  for (std::size_t q = 0, at = 0; q < count; ++q) {
    if (at < places.size() && places[at] == q) {
      candidates[at++].finish(near);
    } else {
      near.clear();
      for (ObjectId i = 0; i < rows_.size(); ++i) {
        near.push_back({0, i});
      }
    }
    queries.row(first + q, query.data());
    for (NearGroup& one : near) {
      rows_.row(one.group, other.data());
      one.squared = squared_distance(query.data(), other.data(), d);
    }
    const auto end = near.begin() + static_cast<std::ptrdiff_t>(std::min(lists.k, near.size()));
    std::partial_sort(near.begin(), end, near.end(), [](const NearGroup& a, const NearGroup& b) {
      return a.squared != b.squared ? a.squared < b.squared : a.group < b.group;
    });
    for (auto it = near.begin(); it != end; ++it) {
      const std::size_t place = (first + q) * lists.k + static_cast<std::size_t>(it - near.begin());
      lists.ids[place] = it->group;
      lists.squared[place] = it->squared;
    }
  }
}

}  // namespace shiftcut
