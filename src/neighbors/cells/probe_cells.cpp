// For each cell: the centres around it, the cells each of its rows looks at, then all rows that
// look at the same cell in one product.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/kernels/kernels.hpp"
#include "neighbors/cells/rough_lists.hpp"
#include "neighbors/tuning.hpp"

namespace shiftcut {

namespace {

// Which rows of one cell look at which of the cells around it.
class Probes {
 public:
  Probes(std::size_t cell, const Cells& cells, const CentresAround& around, std::size_t enough)
      : offsets_(around.cells().size() + 1, 0),
        nothing_(around.cells().size(), 0.0F),
        reach_(cells.count(cell)) {
    const std::size_t width = around.width();
    std::vector<float> scores(kProbedTogether * width);
    std::vector<const float*> rows(kProbedTogether);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // cell, row
    for (std::size_t first = 0; first < cells.count(cell); first += kProbedTogether) {
      const std::size_t count = std::min(kProbedTogether, cells.count(cell) - first);
      for (std::size_t r = 0; r < count; ++r) {
        rows[r] = cells.row(cells.begin(cell) + first + r);
      }
      around.scores(std::span(rows).first(count), scores.data());
      for (std::size_t r = 0; r < count; ++r) {
        reach_[first + r] =
            cells.squares(cell)[first + r] + choose(&scores[r * width], cells, around, enough);
        for (const std::uint32_t chosen : chosen_) {
          pairs.emplace_back(chosen, static_cast<std::uint32_t>(first + r));
        }
      }
    }
    for (const auto& pair : pairs) {
      ++offsets_[pair.first + 1];
    }
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    rows_.resize(pairs.size());
    for (const auto& pair : pairs) {
      rows_[next[pair.first]++] = pair.second;
    }
  }

  /// The rows that look at the c-th cell around, ascending.
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t c) const {
    return std::span(rows_).subspan(offsets_[c], offsets_[c + 1] - offsets_[c]);
  }
  /// Of every row, the squared distance of the farthest centre whose cell it looks at.
  [[nodiscard]] const std::vector<float>& reach() const { return reach_; }
  /// Whether every row looks at enough others, or at all there are.
  [[nodiscard]] bool is_enough() const { return is_enough_; }

 private:
  // Chooses the nearest cells for a row, by its scores; returns the highest of theirs.
  float choose(const float* scores, const Cells& cells, const CentresAround& around,
               std::size_t enough) {
    const std::size_t known = around.cells().size();
    const std::size_t probes = around.probes();
    chosen_.resize(known + 1);
    std::size_t count = list_sums_at_most(scores, nothing_.data(), known,
                                          likely_bound(scores, known, probes), 0, chosen_.data());
    if (count < probes) {
      count = known;
      std::iota(chosen_.begin(), chosen_.end(), 0U);
    }
    chosen_.resize(count);
    sorted_.clear();
    for (const std::uint32_t c : chosen_) {
      sorted_.push_back(scores[c]);
    }
    const auto last = sorted_.begin() + static_cast<std::ptrdiff_t>(probes - 1);
    std::nth_element(sorted_.begin(), last, sorted_.end());
    std::erase_if(chosen_, [&](std::uint32_t c) { return scores[c] > *last; });
    std::size_t rows = 0;
    for (const std::uint32_t c : chosen_) {
      rows += cells.count(around.cells()[c]);
    }
    is_enough_ = is_enough_ && (rows >= enough || around.probes() == cells.size());
    return *last;
  }

  // A bound on the `probes`-th lowest score, from a sample of the scores: nearly always above it,
  // and not by much.
  float likely_bound(const float* scores, std::size_t known, std::size_t probes) {
    const std::size_t expected = probes / kSampledScore;
    const auto rank = expected + 2 + static_cast<std::size_t>(2 * std::sqrt(expected));
    sorted_.clear();
    for (std::size_t c = 0; c < known; c += kSampledScore) {
      sorted_.push_back(scores[c]);
    }
    if (rank >= sorted_.size()) {
      return std::numeric_limits<float>::infinity();
    }
    const auto bound = sorted_.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(sorted_.begin(), bound, sorted_.end());
    return *bound;
  }

  std::vector<std::size_t> offsets_;
  std::vector<float> nothing_;
  std::vector<float> reach_;
  std::vector<std::uint32_t> rows_;
  std::vector<float> sorted_;
  std::vector<std::uint32_t> chosen_;
  bool is_enough_ = true;
};

// The rows of one cell and their lists. With x one of them and y a row of another cell, both less
// that cell's centre, |x - y|^2 = |x|^2 + |y|^2 - 2 x.y.
class CellQueries {
 public:
  CellQueries(std::size_t cell, const Cells& cells, std::size_t most)
      : cell_(cell),
        cells_(cells),
        lists_(cells.count(cell), RoughList(most)),
        step_(cells.length()),
        shifted_(kProbedTogether * cells.length()) {}

  /// Compares the rows `queries` with those of another cell, or of this one.
  void look_at(std::size_t other, std::span<const std::uint32_t> queries) {
    const std::size_t d = cells_.length();
    const PackedColumns<float>& columns = cells_.packed(other);
    cells_.step(cell_, other, step_.data());
    products_.resize(kProbedTogether * columns.width());
    low_.resize(columns.width() + 1);
    const float* pointers[kProbedTogether];
    float squared[kProbedTogether];
    for (std::size_t first = 0; first < queries.size(); first += kProbedTogether) {
      const std::size_t count = std::min(kProbedTogether, queries.size() - first);
      for (std::size_t q = 0; q < count; ++q) {
        pointers[q] = &shifted_[q * d];
        shift_rows(cells_.row(cells_.begin(cell_) + queries[first + q]), 1, d, step_.data(),
                   &shifted_[q * d], &squared[q]);
      }
      tile_products(pointers, count, columns, products_.data());
      for (std::size_t q = 0; q < count; ++q) {
        take(queries[first + q], other, squared[q], &products_[q * columns.width()]);
      }
    }
  }

  void finish(RoughLists& out) {
    for (std::size_t r = 0; r < lists_.size(); ++r) {
      lists_[r].finish(&out.all[(cells_.begin(cell_) + r) * out.length]);
    }
  }

 private:
  // Compares one row with a whole cell; most of its rows are ruled out together.
  void take(std::size_t row, std::size_t other, float squared, const float* products) {
    RoughList& list = lists_[row];
    keys_.clear();
    const float* base = cells_.squares(other);
    const std::size_t own = cells_.begin(cell_) + row;
    const std::size_t count = list_sums_at_most(products, base, cells_.packed(other).width(),
                                                list.limit() - squared, 0, low_.data());
    for (std::size_t l = 0; l < count; ++l) {
      const std::size_t place = cells_.begin(other) + low_[l];
      if (place != own) {
        const float distance = std::max(0.0F, squared + (base[low_[l]] + products[low_[l]]));
        keys_.push_back(RoughNeighbor{static_cast<ObjectId>(place), distance}.key());
      }
    }
    list.push(keys_);
  }

  std::size_t cell_;
  const Cells& cells_;
  std::vector<RoughList> lists_;
  std::vector<float> step_;
  std::vector<float> shifted_;
  std::vector<float> products_;
  std::vector<std::uint32_t> low_;
  std::vector<std::int64_t> keys_;
};

}  // namespace

CentresAround::CentresAround(std::size_t cell, const Cells& cells, std::size_t probes)
    : probes_(std::min(probes, cells.size())), cells_(cells.size()) {
  const std::size_t d = cells.length();
  std::vector<double> distances(cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    distances[c] = std::sqrt(squared_distance(cells.centre(c), cells.centre(cell), d));
  }
  std::iota(cells_.begin(), cells_.end(), std::size_t{0});
  std::stable_sort(cells_.begin(), cells_.end(),
                   [&](std::size_t a, std::size_t b) { return distances[a] < distances[b]; });
  // A row is within `radius` of this centre, so within radius + farthest of `probes` centres, and
  // its distance from any centre is at least that centre's distance from this one less the radius.
  const float* squares = cells.squares(cell);
  const double radius =
      std::sqrt(static_cast<double>(*std::max_element(squares, squares + cells.count(cell))));
  const double farthest = distances[cells_[probes_ - 1]];
  const double reach = (farthest + 2 * radius) * (1 + kDistanceMargin);
  cells_.erase(
      std::partition_point(cells_.begin() + static_cast<std::ptrdiff_t>(probes_), cells_.end(),
                           [&](std::size_t c) { return distances[c] <= reach; }),
      cells_.end());
  std::vector<float> step(d);
  steps_.resize(d, cells_.size());
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    cells.step(cells_[c], cell, step.data());
    steps_.set(c, step.data(), -2.0F);
    squared_.push_back(static_cast<float>(distances[cells_[c]] * distances[cells_[c]]));
  }
}

void CentresAround::scores(std::span<const float* const> rows, float* out) const {
  tile_products(rows.data(), rows.size(), steps_, out);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < squared_.size(); ++c) {
      out[r * width() + c] += squared_[c];
    }
  }
}

RoughLists probe_cells(const Cells& cells, std::size_t probes, std::size_t most, ThreadTeam& team,
                       WorkMeter& meter) {
  RoughLists lists(cells.rows(), most);
  lists.reach.resize(cells.rows());
  team.for_each(cells.size(), [&](std::size_t cell, int) {
    meter.add(kProbeWork * cells.count(cell));
    if (cells.count(cell) == 0) {
      return;
    }
    CentresAround around(cell, cells, probes);
    Probes chosen(cell, cells, around, kLeastCompared * most);
    while (!chosen.is_enough()) {
      around = CentresAround(cell, cells, 2 * around.probes());
      chosen = Probes(cell, cells, around, kLeastCompared * most);
    }
    CellQueries queries(cell, cells, most);
    for (std::size_t c = 0; c < around.cells().size(); ++c) {
      team.poll();
      if (!chosen.of(c).empty()) {
        queries.look_at(around.cells()[c], chosen.of(c));
      }
    }
    queries.finish(lists);
    std::copy(chosen.reach().begin(), chosen.reach().end(), &lists.reach[cells.begin(cell)]);
  });
  return lists;
}

}  // namespace shiftcut
