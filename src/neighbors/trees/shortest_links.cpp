#include "neighbors/trees/shortest_links.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "core/kernels/kernels.hpp"
#include "neighbors/packed_rows.hpp"
#include "neighbors/tuning.hpp"

namespace shiftcut {

namespace {

bool is_better(const Link& a, const std::optional<Link>& b) {
  return !b || std::tie(a.length, a.rank, a.to) < std::tie(b->length, b->rank, b->to);
}

bool has_single_queries(const std::vector<LinkQueries>& queries) {
  return std::ranges::all_of(queries, [](const auto& of) { return of.members.size() == 1; });
}

// Objects `first`, `first + stride` and so on below `last`, each by itself.
RowGroups every(std::size_t stride, std::size_t first, std::size_t last) {
  const std::size_t count = (last - first + stride - 1) / stride;
  RowGroups groups{std::vector<std::size_t>(count + 1), std::vector<ObjectId>(count)};
  std::iota(groups.offsets.begin(), groups.offsets.end(), std::size_t{0});
  for (std::size_t g = 0; g < count; ++g) {
    groups.members[g] = static_cast<ObjectId>(first + g * stride);
  }
  return groups;
}

// Links to some of the objects.

class LinkSearch {
 public:
  LinkSearch(const FeatureRows& rows, std::span<const double> core,
             std::span<const ObjectId> component, const std::vector<LinkQueries>& queries,
             std::size_t stride, RowGroups objects, ThreadTeam& team)
      : rows_(rows),
        core_(core),
        component_(component),
        stride_(stride),
        groups_(std::move(objects)),
        scaled_(rows, groups_, team),
        packed_(scaled_, team),
        lowest_(queries.size()),
        team_(team) {
    for (std::atomic<double>& lowest : lowest_) {
      lowest.store(std::numeric_limits<double>::infinity(), std::memory_order_relaxed);
    }
    place(queries);
  }

  /// Puts better links in the places of those that are known.
  void improve(std::vector<std::optional<Link>>& best) {
    for (std::size_t c = 0; c < best.size(); ++c) {
      if (const std::optional<Link>& link = best[c]) {
        lowest_[c].store(link->length, std::memory_order_relaxed);
      }
    }
    const std::size_t blocks = packed_.blocks().size();
    std::vector<std::vector<std::optional<Link>>> found(blocks);
    team_.for_each(blocks, [&](std::size_t block, int) { found[block] = in_block(block); });
    for (const std::vector<std::optional<Link>>& links : found) {
      for (std::size_t c = 0; c < links.size(); ++c) {
        if (const std::optional<Link>& link = links[c]; link && is_better(*link, best[c])) {
          best[c] = link;
        }
      }
    }
  }

 private:
  struct Query {
    ObjectId object = 0;
    ObjectId component = 0;
    std::uint32_t place = 0;  // of the component
    std::uint32_t rank = 0;
    double squared = 0;    // |x|^2, scaled
    double allowance = 0;  // for rounding; infinite where float32 cannot hold the row
  };

  void place(const std::vector<LinkQueries>& queries) {
    constexpr double kLargest = 1e15;  // as beside rows of entries up to 2
    const std::size_t d = packed_.length();
    std::vector<double> row(d);
    for (std::size_t c = 0; c < queries.size(); ++c) {
      for (std::size_t s = 0; s < queries[c].members.size(); ++s) {
        Query query{queries[c].members[s], queries[c].component, static_cast<std::uint32_t>(c),
                    static_cast<std::uint32_t>(s)};
        rows_.row(query.object, row.data());
        scaled_.place(row.data());
        values_.resize(values_.size() + d);
        const bool is_moderate =
            std::ranges::all_of(row, [](double value) { return std::abs(value) <= kLargest; });
        query.squared = dot(row.data(), row.data(), d);
        query.allowance = is_moderate ? packed_.query(row.data(), &values_[values_.size() - d])
                                      : std::numeric_limits<double>::infinity();
        queries_.push_back(query);
      }
    }
  }

  std::vector<std::optional<Link>> in_block(std::size_t block) {
    const std::size_t d = packed_.length();
    const PackedColumns<float>& columns = packed_.blocks()[block];
    const float* base = &packed_.base()[block * PackedRows::kBlock];
    std::vector<std::optional<Link>> best(lowest_.size());
    std::vector<float> products(kQueries * columns.width());
    std::vector<std::uint32_t> low(columns.width() + 1);
    std::vector<const float*> pointers;
    std::vector<double> pair(2 * d);
    for (std::size_t first = 0; first < queries_.size(); first += kQueries) {
      team_.poll();
      const std::size_t count = std::min(kQueries, queries_.size() - first);
      pointers.clear();
      for (std::size_t q = 0; q < count; ++q) {
        pointers.push_back(&values_[(first + q) * d]);
      }
      tile_products(pointers.data(), count, columns, products.data());
      for (std::size_t q = 0; q < count; ++q) {
        const Query& query = queries_[first + q];
        const float* own = &products[q * columns.width()];
        const std::size_t listed =
            list_sums_at_most(own, base, columns.count(), highest_score(query), 0, low.data());
        rows_.row(query.object, pair.data());
        for (std::size_t l = 0; l < listed; ++l) {
          consider(query, block * PackedRows::kBlock + low[l], base[low[l]] + own[low[l]], pair,
                   best[query.place]);
        }
      }
    }
    return best;
  }

  void consider(const Query& query, std::size_t at, float score, std::vector<double>& pair,
                std::optional<Link>& best) {
    const ObjectId other = groups_.members[at];
    const double lowest = lowest_[query.place].load(std::memory_order_relaxed);
    if (component_[other] == query.component || other % stride_ != query.rank % stride_ ||
        score > highest_score(query) || core_[other] > lowest || core_[query.object] > lowest) {
      return;
    }
    const std::size_t d = packed_.length();
    rows_.row(other, pair.data() + d);
    const double distance = std::sqrt(squared_distance(pair.data(), pair.data() + d, d));
    const Link link{std::max({distance, core_[query.object], core_[other]}) + 1e-7 * distance,
                    query.rank, query.object, other};
    if (is_better(link, best)) {
      best = link;
      lower(lowest_[query.place], link.length);
    }
  }

  // A distance is at most the length of the shortest link so far, and the true score at least the
  // computed one less the allowance.
  [[nodiscard]] float highest_score(const Query& query) const {
    const double lowest =
        lowest_[query.place].load(std::memory_order_relaxed) * scaled_.scale() * (1 + 1e-12);
    const double score = lowest * lowest - query.squared + query.allowance;
    return score < std::numeric_limits<float>::max()
               ? std::nextafter(static_cast<float>(score), std::numeric_limits<float>::max())
               : std::numeric_limits<float>::infinity();
  }

  static void lower(std::atomic<double>& lowest, double length) {
    double now = lowest.load(std::memory_order_relaxed);
    while (length < now && !lowest.compare_exchange_weak(now, length, std::memory_order_relaxed)) {
    }
  }

  const FeatureRows& rows_;
  std::span<const double> core_;
  std::span<const ObjectId> component_;
  std::size_t stride_;
  RowGroups groups_;
  ScaledRows scaled_;
  PackedRows packed_;
  std::vector<Query> queries_;
  std::vector<float> values_;  // of the queries, one after another
  // Per component, an upper bound that the blocks share: it saves work and changes no result.
  std::vector<std::atomic<double>> lowest_;
  ThreadTeam& team_;
};

}  // namespace

std::vector<std::optional<Link>> shortest_links(const FeatureRows& rows,
                                                std::span<const double> core,
                                                std::span<const ObjectId> component,
                                                const std::vector<LinkQueries>& queries,
                                                std::size_t stride, ThreadTeam& team,
                                                std::size_t together) {
  const std::size_t step = has_single_queries(queries) ? stride : 1;  // nobody looks at the others
  const std::size_t objects = step * std::max(PackedRows::kBlock, together / rows.length());
  std::vector<std::optional<Link>> best(queries.size());
  for (std::size_t first = 0; first < rows.size(); first += objects) {
    const std::size_t last = std::min(rows.size(), first + objects);
    LinkSearch(rows, core, component, queries, stride, every(step, first, last), team)
        .improve(best);
  }
  return best;
}

}  // namespace shiftcut
