#include "neighbors/cell_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/kernels.hpp"
#include "neighbors/cells.hpp"
#include "neighbors/improve_lists.hpp"
#include "neighbors/rough_lists.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kChunk = 96;  // rows of a neighbouring cell looked at together
constexpr double kBudget = 10;      // times sqrt(n): rows that each is compared with
constexpr int kRounds = 1;
// What the parts of the work count in progress, a row each.
constexpr std::size_t kAssign = 1;
constexpr std::size_t kSearch = 4;
constexpr std::size_t kImprove = 2;

// The cells nearest to one, itself first, until they hold `budget` rows.
std::vector<std::size_t> cells_around(std::size_t cell, const Cells& cells, std::size_t budget) {
  constexpr std::size_t kLeast = 32;  // rows that even a small cell counts as
  std::vector<std::pair<double, std::size_t>> order(cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    order[c] = {
        c == cell ? -1 : squared_distance(cells.centre(cell), cells.centre(c), cells.length()), c};
  }
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> around;
  std::size_t counted = 0;
  std::size_t rows = 0;
  for (const auto& [distance, c] : order) {
    around.push_back(c);
    rows += cells.count(c);
    counted += std::max(kLeast, cells.count(c));
    if (counted >= budget && rows > budget / 8) {
      break;
    }
  }
  return around;
}

// The rows of one cell as columns, and what each has found. With x the rows of the cell and y those
// of another, both less the cell's centre, |x - y|^2 = |x|^2 + |y|^2 - 2 x.y.
class CellQueries {
 public:
  CellQueries(std::size_t cell, const Cells& cells, std::size_t most)
      : cell_(cell), cells_(cells), lists_(cells.count(cell), RoughList(most)) {
    const std::size_t d = cells.length();
    packed_.resize(d, cells.count(cell));
    squared_.resize(cells.count(cell));
    base_.assign(packed_.width(), std::numeric_limits<float>::infinity());
    std::vector<float> row(d);
    const std::vector<float> nothing(d, 0.0F);
    for (std::size_t c = 0; c < squared_.size(); ++c) {
      shift_rows(cells.row(cells.begin(cell) + c), 1, d, nothing.data(), row.data(), &squared_[c]);
      packed_.set(c, row.data(), -2.0F);
      base_[c] = squared_[c] - lists_[c].limit();
    }
  }

  /// Looks at the rows of another cell, or of this.
  void look_at(std::size_t other) {
    const std::size_t d = cells_.length();
    step_.resize(d);
    cells_.step(other, cell_, step_.data());
    shifted_.resize(kChunk * d);
    products_.resize(kChunk * packed_.width());
    low_.resize(packed_.width() + 1);
    const float* pointers[kChunk];
    float squared[kChunk];
    for (std::size_t first = cells_.begin(other); first < cells_.end(other); first += kChunk) {
      const std::size_t count = std::min(kChunk, cells_.end(other) - first);
      shift_rows(cells_.row(first), count, d, step_.data(), shifted_.data(), squared);
      for (std::size_t r = 0; r < count; ++r) {
        pointers[r] = &shifted_[r * d];
      }
      tile_products(pointers, count, packed_, products_.data());
      for (std::size_t r = 0; r < count; ++r) {
        take(static_cast<ObjectId>(first + r), squared[r], &products_[r * packed_.width()]);
      }
    }
  }

  void finish(RoughLists& out) {
    for (std::size_t c = 0; c < lists_.size(); ++c) {
      lists_[c].finish(&out.all[(cells_.begin(cell_) + c) * out.length]);
    }
  }

 private:
  // One row against all columns: most are turned away together.
  void take(ObjectId place, float squared, const float* products) {
    const std::size_t count =
        list_below(products, base_.data(), packed_.width(), -squared, 0, low_.data());
    for (std::size_t l = 0; l < count; ++l) {
      const std::size_t c = low_[l];
      if (cells_.begin(cell_) + c != place) {
        lists_[c].push({std::max(0.0F, squared_[c] + squared + products[c]), place});
        base_[c] = squared_[c] - lists_[c].limit();
      }
    }
  }

  std::size_t cell_;
  const Cells& cells_;
  std::vector<RoughList> lists_;
  PackedColumns<float> packed_;
  std::vector<float> squared_;
  std::vector<float> base_;  // |x|^2 less the largest distance that still counts
  std::vector<float> step_;
  std::vector<float> shifted_;
  std::vector<float> products_;
  std::vector<std::uint32_t> low_;
};

RoughLists search_around(const Cells& cells, std::size_t most, ThreadTeam& team,
                         SearchProgress& progress) {
  const auto budget = static_cast<std::size_t>(
      kBudget * std::sqrt(static_cast<double>(cells.rows())) + 16 * static_cast<double>(most));
  RoughLists lists{most, std::vector<RoughNeighbor>(cells.rows() * most)};
  team.for_each(cells.size(), [&](std::size_t cell, int) {
    progress.next(kSearch * cells.count(cell));
    CellQueries queries(cell, cells, most);
    for (const std::size_t other : cells_around(cell, cells, budget)) {
      queries.look_at(other);
    }
    queries.finish(lists);
  });
  return lists;
}

}  // namespace

void cell_search(const FeatureRows& rows, const RowGroups& groups, std::size_t k,
                 const ListWriter& writer, ThreadTeam& team, const Control& control) {
  const std::size_t n = groups.size();
  const std::size_t most = std::min(k + k / 4 + 4, n - 1);
  SearchProgress progress(control, n * (kAssign + kSearch + kRounds * kImprove));
  const ScaledRows scaled(rows, groups, team);
  const Cells cells(scaled, team, progress);
  RoughLists lists = search_around(cells, most, team, progress);
  for (int round = 0; round < kRounds; ++round) {
    lists = improved(lists, cells, k, team, progress, kImprove);
  }
  team.for_each(cells.size(), [&](std::size_t cell, int) {
    progress.check();
    std::vector<NearGroup> near;
    for (std::size_t place = cells.begin(cell); place < cells.end(cell); ++place) {
      near.clear();
      for (std::size_t e = 0; e < most; ++e) {
        near.push_back({0, cells.group(lists.of(place)[e].place)});
      }
      writer.measure(cells.group(place), near);
      writer.write(cells.group(place), near);
    }
  });
}

}  // namespace shiftcut
