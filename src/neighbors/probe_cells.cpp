#include "neighbors/probe_cells.hpp"

#include <algorithm>
#include <numeric>

#include "core/kernels.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kProbedTogether = 96;  // rows looked at together
constexpr std::size_t kEnough = 4;           // times the length of a list: rows to look at at least

// Which rows of one cell look at which cells.
class Probes {
 public:
  Probes(std::size_t cell, const Cells& cells, const CentresAround& around, std::size_t probes,
         std::size_t enough)
      : offsets_(cells.size() + 1, 0), nothing_(cells.size(), 0.0F) {
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
        choose(&scores[r * width], cells, probes, enough);
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

  /// The rows that look at a cell, ascending.
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t cell) const {
    return std::span(rows_).subspan(offsets_[cell], offsets_[cell + 1] - offsets_[cell]);
  }

 private:
  // The `probes` cells of the lowest scores; twice as many while they hold too few rows.
  void choose(const float* scores, const Cells& cells, std::size_t probes, std::size_t enough) {
    for (std::size_t wanted = std::min(probes, cells.size());;
         wanted = std::min(2 * wanted, cells.size())) {
      sorted_.assign(scores, scores + cells.size());
      const auto last = sorted_.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
      std::nth_element(sorted_.begin(), last, sorted_.end());
      chosen_.resize(cells.size() + 1);
      chosen_.resize(list_below(scores, nothing_.data(), cells.size(), *last, 0, chosen_.data()));
      std::size_t rows = 0;
      for (const std::uint32_t cell : chosen_) {
        rows += cells.count(cell);
      }
      if (rows >= enough || wanted == cells.size()) {
        return;
      }
    }
  }

  std::vector<std::size_t> offsets_;
  std::vector<float> nothing_;
  std::vector<std::uint32_t> rows_;
  std::vector<float> sorted_;
  std::vector<std::uint32_t> chosen_;
};

// The rows of one cell, and what each has found. With x one of them and y a row of another cell,
// both less that cell's centre, |x - y|^2 = |x|^2 + |y|^2 - 2 x.y.
class CellQueries {
 public:
  CellQueries(std::size_t cell, const Cells& cells, std::size_t most)
      : cell_(cell),
        cells_(cells),
        lists_(cells.count(cell), RoughList(most)),
        step_(cells.length()),
        shifted_(kProbedTogether * cells.length()) {}

  /// Some rows look at another cell, or at this.
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
  // One row against all of a cell: most are turned away together.
  void take(std::size_t row, std::size_t other, float squared, const float* products) {
    RoughList& list = lists_[row];
    const float* base = cells_.squares(other);
    const std::size_t own = cells_.begin(cell_) + row;
    const std::size_t count = list_below(products, base, cells_.packed(other).width(),
                                         list.limit() - squared, 0, low_.data());
    for (std::size_t l = 0; l < count; ++l) {
      const std::size_t place = cells_.begin(other) + low_[l];
      if (place != own) {
        list.push({std::max(0.0F, squared + (base[low_[l]] + products[low_[l]])),
                   static_cast<ObjectId>(place)});
      }
    }
  }

  std::size_t cell_;
  const Cells& cells_;
  std::vector<RoughList> lists_;
  std::vector<float> step_;
  std::vector<float> shifted_;
  std::vector<float> products_;
  std::vector<std::uint32_t> low_;
};

}  // namespace

CentresAround::CentresAround(std::size_t cell, const Cells& cells)
    : squared_(cells.size()), order_(cells.size()) {
  const std::size_t d = cells.length();
  std::vector<float> step(d);
  steps_.resize(d, cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    cells.step(c, cell, step.data());
    steps_.set(c, step.data(), -2.0F);
    squared_[c] = static_cast<float>(squared_distance(cells.centre(c), cells.centre(cell), d));
  }
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return squared_[a] < squared_[b]; });
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
                       SearchProgress& progress, std::size_t part) {
  RoughLists lists(cells.rows(), most);
  team.for_each(cells.size(), [&](std::size_t cell, int) {
    progress.next(part * cells.count(cell));
    const CentresAround around(cell, cells);
    const Probes chosen(cell, cells, around, probes, kEnough * most);
    CellQueries queries(cell, cells, most);
    for (const std::size_t other : around.order()) {
      if (!chosen.of(other).empty()) {
        queries.look_at(other, chosen.of(other));
      }
    }
    queries.finish(lists);
  });
  return lists;
}

}  // namespace shiftcut
