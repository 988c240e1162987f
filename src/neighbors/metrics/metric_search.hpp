// The nearest rows by a metric that products of rows do not give: all pairs are compared.
//
//   manhattan   sum |x - y|                  hamming  share of the columns that differ
//   chebyshev   max |x - y|                  jaccard  1 - |A & B| / |A u B|, A and B the columns
//   canberra    sum |x - y| / (|x| + |y|)             that are not 0; 0 for two empty sets
//   braycurtis  sum |x - y| / sum |x + y|
// Euclidean distances, and those of unit rows for cosine and correlation, are searched faster
// (nearest_neighbors.hpp).
#pragma once

#include <vector>

#include "core/thread_team.hpp"
#include "neighbors/list_writer.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "shiftcut/control.hpp"
#include "shiftcut/options.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

/// Whether the metric needs this search.
inline bool compares_all_pairs(Metric metric) {
  return metric != Metric::euclidean && metric != Metric::cosine && metric != Metric::correlation;
}

/// The most rows of this length for which all pairs are compared: about an hour on two cores.
std::size_t most_rows_compared(std::size_t length);

/// Writes the lists of all members of all groups, exactly as a plain loop over all pairs would;
/// `squared` is the square of the distance. O(n^2 d) time, O(n k) memory.
void metric_search(const FeatureRows& rows, const RowGroups& groups, Metric metric, std::size_t k,
                   const ListWriter& writer, ThreadTeam& team, const Control& control);

/// Of every row of `queries` the k nearest of `rows`, at most as many as there are, nearest first
/// and of equally near ones the lowest number. O(n d) each.
NeighborLists nearest_by_metric(const FeatureRows& rows, const FeatureRows& queries, Metric metric,
                                std::size_t k, ThreadTeam& team, const Control& control);

}  // namespace shiftcut
