// How many cells a row must look at is measured on a sample of the rows; the rest follows from
// that.
#include "neighbors/cells/cell_search.hpp"

#include <algorithm>
#include <cmath>

#include "core/kernels/kernels.hpp"
#include "neighbors/cells/cells.hpp"
#include "neighbors/cells/rough_lists.hpp"
#include "neighbors/tuning.hpp"

namespace shiftcut {

namespace {

// Evenly spaced places: they are in the order of the cells, so all regions are represented.
std::vector<std::size_t> sample_of(std::size_t rows) {
  const std::size_t count = std::min(rows, kRecallSample);
  std::vector<std::size_t> places(count);
  for (std::size_t s = 0; s < count; ++s) {
    places[s] = (2 * s + 1) * rows / (2 * count);
  }
  return places;
}

// The k nearest of each of some rows, by comparing them with all.
std::vector<RoughNeighbor> nearest(const Cells& cells, std::span<const std::size_t> places,
                                   std::size_t k, const ThreadTeam& team) {
  const std::size_t d = cells.length();
  std::vector<RoughList> lists(places.size(), RoughList(k));
  std::vector<float> step(d);
  std::vector<float> shifted(places.size() * d);
  std::vector<float> squared(places.size());
  std::vector<const float*> rows(places.size());
  std::vector<float> products;
  std::vector<std::int64_t> keys;
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
      const float limit = lists[r].limit();
      keys.clear();
      for (std::size_t c = 0; c < columns.count(); ++c) {
        const float distance = std::max(
            0.0F, squared[r] + (cells.squares(cell)[c] + products[r * columns.width() + c]));
        const std::size_t place = cells.begin(cell) + c;
        if (distance <= limit && place != places[r]) {
          keys.push_back(RoughNeighbor{static_cast<ObjectId>(place), distance}.key());
        }
      }
      lists[r].push(keys);
    }
  }
  std::vector<RoughNeighbor> all(places.size() * k);
  for (std::size_t r = 0; r < places.size(); ++r) {
    lists[r].finish(&all[r * k]);
  }
  return all;
}

// How many cells, nearest first, have to be looked at up to and including the one at `place`.
std::size_t rank_of(std::size_t place, const float* scores, std::size_t cells) {
  const auto lower =
      std::count_if(scores, scores + cells, [&](float score) { return score < scores[place]; });
  return static_cast<std::size_t>(lower) + 1;
}

// The fewest cells, nearest first, that hold `recall` of the k nearest of a sample of the rows,
// which are compared with all. O(n d).
std::size_t choose_probes(const Cells& cells, std::size_t k, double recall, ThreadTeam& team) {
  const std::vector<std::size_t> places = sample_of(cells.rows());
  std::vector<std::size_t> ranks(places.size() * k);
  team.for_each(
      (places.size() + kSampledTogether - 1) / kSampledTogether, [&](std::size_t block, int) {
        const std::size_t first = block * kSampledTogether;
        const auto some =
            std::span(places).subspan(first, std::min(kSampledTogether, places.size() - first));
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

// The number of cells a row looks at: enough for kProbedRecall, within kProbeBudget.
std::size_t affordable_probes(const Cells& cells, std::size_t k, ThreadTeam& team) {
  const double budget = kProbeBudget * static_cast<double>(cells.size()) /
                        std::sqrt(static_cast<double>(cells.rows()));
  const std::size_t wanted = choose_probes(cells, k, kProbedRecall, team);
  return std::min(wanted, static_cast<std::size_t>(std::ceil(budget)));
}

}  // namespace

void cell_search(const FeatureRows& rows, const RowGroups& groups, std::size_t k,
                 const ListWriter& writer, ThreadTeam& team, const Control& control) {
  const std::size_t n = groups.size();
  const std::size_t most = std::min(k + k / 4 + 4, n - 1);
  WorkMeter meter(control, "neighbours", n * (kAssignWork + kProbeWork + kImproveWork));
  const ScaledRows scaled(rows, groups, team);
  const Cells cells(scaled, team, meter);
  const std::size_t probes = affordable_probes(cells, std::min(k, most), team);
  const RoughLists lists =
      improved(probe_cells(cells, probes, most, team, meter), cells, team, meter);
  team.for_each(cells.size(), [&](std::size_t cell, int) {
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
