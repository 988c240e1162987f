// Float32 products rule out what their error bound allows; the rest is measured in double
// precision.
#include "neighbors/exact_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

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
  std::vector<float> tile(queries.size() * PackedRows::kBlock);
  std::vector<std::uint32_t> low(PackedRows::kBlock + 1);
  for (std::size_t b = 0; b < packed.blocks().size(); ++b) {
    team.poll();
    const PackedColumns<float>& columns = packed.blocks()[b];
    const std::size_t width = columns.width();
    const float* base = &packed.base()[b * PackedRows::kBlock];
    tile_products(pointers.data(), queries.size(), columns, tile.data());
    for (std::size_t q = 0; q < queries.size(); ++q) {
      const float* products = &tile[q * width];
      const std::size_t count =
          list_sums_at_most(products, base, width, candidates[q].limit(), 0, low.data());
      for (std::size_t c = 0; c < count; ++c) {
        const std::size_t group = b * PackedRows::kBlock + low[c];
        if (group != queries[q]) {
          candidates[q].push(static_cast<ObjectId>(group), base[low[c]] + products[low[c]]);
        }
      }
    }
  }
  std::vector<NearGroup> near;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    candidates[q].finish(near);
    writer.measure(queries[q], near);
    writer.write(queries[q], near);
  }
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

}  // namespace shiftcut
