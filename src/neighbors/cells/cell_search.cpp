#include "neighbors/cells/cell_search.hpp"

#include <algorithm>
#include <cmath>

#include "neighbors/cells/cells.hpp"
#include "neighbors/cells/choose_probes.hpp"
#include "neighbors/cells/improve_lists.hpp"
#include "neighbors/cells/probe_cells.hpp"
#include "neighbors/cells/rough_lists.hpp"

namespace shiftcut {

namespace {

// Of the nearest, those found in the cells around: the neighbours of neighbours then bring two of
// three that are missing, or more.
constexpr double kProbed = 0.97;
constexpr double kBudget = 100;  // times sqrt(n): rows that each is compared with at most
// What the parts of the work count in meter, a row each.
constexpr std::size_t kAssign = 1;
constexpr std::size_t kSearch = 4;
constexpr std::size_t kImprove = 2;

// The cells that a row looks at: as many as find kProbed of its nearest, if kBudget lets them.
std::size_t affordable_probes(const Cells& cells, std::size_t k, ThreadTeam& team) {
  const double budget =
      kBudget * static_cast<double>(cells.size()) / std::sqrt(static_cast<double>(cells.rows()));
  const std::size_t wanted = choose_probes(cells, k, kProbed, team);
  return std::min(wanted, static_cast<std::size_t>(std::ceil(budget)));
}

}  // namespace

void cell_search(const FeatureRows& rows, const RowGroups& groups, std::size_t k,
                 const ListWriter& writer, ThreadTeam& team, const Control& control) {
  const std::size_t n = groups.size();
  const std::size_t most = std::min(k + k / 4 + 4, n - 1);
  WorkMeter meter(control, "neighbours", n * (kAssign + kSearch + kImprove));
  const ScaledRows scaled(rows, groups, team);
  const Cells cells(scaled, team, meter);
  const std::size_t probes = affordable_probes(cells, std::min(k, most), team);
  const RoughLists lists = improved(probe_cells(cells, probes, most, team, meter, kSearch), cells,
                                    team, meter, kImprove);
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
