#include "neighbors/nearest_neighbors.hpp"

#include <algorithm>

#include "neighbors/cells/cell_search.hpp"
#include "neighbors/exact_search.hpp"
#include "neighbors/list_writer.hpp"
#include "neighbors/metrics/metric_search.hpp"
#include "neighbors/regions/regions.hpp"
#include "neighbors/tuning.hpp"
#include "similarity/row_groups.hpp"

namespace shiftcut {

namespace {

bool searches_cells(NeighborSearch search, const FeatureRows& rows, const RowGroups& groups) {
  const auto n = static_cast<double>(groups.size());
  const bool automatic = search == NeighborSearch::automatic;
  const double products = n * n * (static_cast<double>(rows.length()) + kProductsPerPair);
  const bool large = products > kMostExactProducts;
  return groups.size() > 1 && (automatic ? large : search == NeighborSearch::by_cells);
}

}  // namespace

NeighborLists nearest_neighbors(const FeatureRows& rows, std::size_t k, ThreadTeam& team,
                                const Control& control, NeighborSearch search) {
  const std::size_t n = rows.size();
  NeighborLists lists(n, std::min(k, n - 1));
  if (lists.k == 0) {
    return lists;
  }
  const RowGroups groups = equal_rows(rows, team);
  const ListWriter writer(rows, groups, lists);
  const auto find = searches_cells(search, rows, groups) ? cell_search : exact_search;
  find(rows, groups, lists.k, writer, team, control);
  return lists;
}

NeighborLists nearest_neighbors(const FeatureRows& rows, Metric metric, std::size_t k,
                                ThreadTeam& team, const Control& control, std::size_t region_rows) {
  if (!compares_all_pairs(metric)) {
    const std::size_t regions = regions_for(rows.size(), rows.length(), region_rows);
    return regions > 1 ? region_search(rows, k, regions, team, control)
                       : nearest_neighbors(rows, k, team, control);
  }
  const std::size_t n = rows.size();
  NeighborLists lists(n, std::min(k, n - 1));
  if (lists.k == 0) {
    return lists;
  }
  const RowGroups groups = equal_rows(rows, team);
  metric_search(rows, groups, metric, lists.k, ListWriter(rows, groups, lists), team, control);
  return lists;
}

}  // namespace shiftcut
