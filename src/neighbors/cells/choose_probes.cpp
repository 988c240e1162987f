#include "neighbors/cells/choose_probes.hpp"

#include <algorithm>
#include <cmath>

#include "core/kernels/kernels.hpp"
#include "neighbors/cells/probe_cells.hpp"
#include "neighbors/cells/rough_lists.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kSampled = 400;
constexpr std::size_t kTogether = 20;  // sampled rows that share a walk over all cells

// Every so many places one: they are in the order of the cells, so that all regions are asked.
std::vector<std::size_t> sample_of(std::size_t rows) {
  const std::size_t count = std::min(rows, kSampled);
  std::vector<std::size_t> places(count);
  for (std::size_t s = 0; s < count; ++s) {
    places[s] = (2 * s + 1) * rows / (2 * count);
  }
  return places;
}

// The nearest k of each of some rows.
std::vector<RoughNeighbor> nearest(const Cells& cells, std::span<const std::size_t> places,
                                   std::size_t k, const ThreadTeam& team) {
  const std::size_t d = cells.length();
  std::vector<RoughList> lists(places.size(), RoughList(k));
  std::vector<float> step(d);
  std::vector<float> shifted(places.size() * d);
  std::vector<float> squared(places.size());
  std::vector<const float*> rows(places.size());
  std::vector<float> products;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    team.poll();
    const PackedColumns<float>& columns = cells.packed(cell);
    for (std::size_t r = 0; r < places.size(); ++r) {
      cells.step(cells.cell_of(places[r]), cell, step.data());
      rows[r] = &shifted[r * d];
      shift_rows(cells.row(places[r]), 1, d, step.data(), &shifted[r * d], &squared[r]);
    }
    products.resize(places.size() * columns.width());
    tile_products(rows.data(), rows.size(), columns, products.data());
    for (std::size_t r = 0; r < places.size(); ++r) {
      for (std::size_t c = 0; c < columns.count(); ++c) {
        const float distance =
            squared[r] + (cells.squares(cell)[c] + products[r * columns.width() + c]);
        const std::size_t place = cells.begin(cell) + c;
        if (distance <= lists[r].limit() && place != places[r]) {
          lists[r].push({distance, static_cast<ObjectId>(place)});
        }
      }
    }
  }
  std::vector<RoughNeighbor> all(places.size() * k);
  for (std::size_t r = 0; r < places.size(); ++r) {
    lists[r].finish(&all[r * k]);
  }
  return all;
}

// How many cells are looked at before a neighbour's, whose score is given by its place, is done.
std::size_t rank_of(std::size_t place, const float* scores, std::size_t cells) {
  const auto lower =
      std::count_if(scores, scores + cells, [&](float score) { return score < scores[place]; });
  return static_cast<std::size_t>(lower) + 1;
}

}  // namespace

std::size_t choose_probes(const Cells& cells, std::size_t k, double recall, ThreadTeam& team) {
  const std::vector<std::size_t> places = sample_of(cells.rows());
  std::vector<std::size_t> ranks(places.size() * k);
  team.for_each((places.size() + kTogether - 1) / kTogether, [&](std::size_t block, int) {
    const std::size_t first = block * kTogether;
    const auto some = std::span(places).subspan(first, std::min(kTogether, places.size() - first));
    const std::vector<RoughNeighbor> found = nearest(cells, some, k, team);
    std::vector<float> scores;
    std::vector<std::size_t> column(cells.size());
    for (std::size_t r = 0; r < some.size(); ++r) {
      const CentresAround around(cells.cell_of(some[r]), cells, cells.size());
      for (std::size_t c = 0; c < cells.size(); ++c) {
        column[around.cells()[c]] = c;
      }
      scores.resize(around.width());
      const float* row = cells.row(some[r]);
      around.scores(std::span(&row, 1), scores.data());
      for (std::size_t e = 0; e < k; ++e) {
        const std::uint32_t cell = cells.cell_of(found[r * k + e].place);
        ranks[(first + r) * k + e] = rank_of(column[cell], scores.data(), cells.size());
      }
    }
  });
  std::sort(ranks.begin(), ranks.end());
  const auto at = static_cast<std::size_t>(std::ceil(recall * static_cast<double>(ranks.size())));
  return ranks[std::clamp<std::size_t>(at, 1, ranks.size()) - 1];
}

}  // namespace shiftcut
