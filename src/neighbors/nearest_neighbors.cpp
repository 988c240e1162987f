#include "neighbors/nearest_neighbors.hpp"

#include <algorithm>

#include "neighbors/exact_search.hpp"
#include "neighbors/list_writer.hpp"
#include "neighbors/row_groups.hpp"

namespace shiftcut {

NeighborLists nearest_neighbors(const FeatureRows& rows, std::size_t k, ThreadTeam& team,
                                const Control& control, NeighborSearch /*search*/) {
  const std::size_t n = rows.size();
  NeighborLists lists(n, std::min(k, n - 1));
  if (lists.k == 0) {
    return lists;
  }
  const RowGroups groups = equal_rows(rows, team);
  const ListWriter writer(rows, groups, lists);
  exact_search(rows, groups, lists.k, writer, team, control);
  return lists;
}

}  // namespace shiftcut
