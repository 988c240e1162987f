// The approximate search where rows are too many to be searched at once: region by region, so that
// each search needs the rows of one region only, on whatever machine.
//
// Cells around centres, found on a sample of the rows, are joined into regions of nearly equal
// numbers of rows. A row belongs to the regions of the few centres nearest to it: to one region
// inside of it, to two or three near its border (the overlapping partitions of spill trees: Liu,
// Moore, Gray, Yang 2004). Each region is searched on its own, exactly or by cells, and a row takes
// the nearest of all neighbours that its regions show.
//
// Which regions a row belongs to depends on the row and the centres alone. Lists are merged by
// distance, then by the numbers of the rows, so it does not matter in what order: the result
// depends neither on how the rows are divided into blocks, nor on who searches which region.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/kernels/kernels.hpp"
#include "core/thread_team.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "shiftcut/control.hpp"
#include "similarity/feature_rows.hpp"

namespace shiftcut {

/// How many regions rows of this length are divided into. `most_rows` to be searched at once; 0:
/// the default. 1: they are few enough to be searched as one.
std::size_t regions_for(std::size_t rows, std::size_t length, std::size_t most_rows);

/// How many rows the centres are found on, or all if there are fewer: row s * n / count for each s
/// below count.
std::size_t region_sample(std::size_t rows, std::size_t regions);

/// A few numbers that say which regions a row belongs to.
struct Regions {
  std::size_t length = 0;
  std::size_t count = 0;
  std::vector<double> middle;            // near the bulk of the rows
  double scale = 1;                      // a power of two: rows become (x - middle) * scale
  std::vector<float> centres;            // of the cells, `length` numbers each
  std::vector<std::uint32_t> region_of;  // of each cell
};

/// From the sampled rows: k-means, and the centres halved by weight along their principal axis
/// until there are as many parts as regions.
Regions make_regions(const FeatureRows& sample, std::size_t count, ThreadTeam& team);

/// The regions of row i: all[offsets[i]] .. all[offsets[i + 1] - 1], ascending.
struct RegionsOfRows {
  std::vector<std::size_t> offsets;
  std::vector<std::uint32_t> all;
};

/// Of every row, whatever the others are.
RegionsOfRows regions_of(const FeatureRows& rows, const Regions& regions, ThreadTeam& team);

/// The neighbours of one row and their squared distances, kNoNeighbor behind the last.
struct ListOfRow {
  std::span<ObjectId> ids;
  std::span<double> squared;
};

/// Adds the neighbours that a region shows to the list of row `row` of `n`. It keeps the nearest
/// (ties as in NeighborLists), with as many equal rows as ListWriter allows. Associative and
/// commutative.
void merge_list(const ListOfRow& list, ObjectId row, std::size_t n, std::span<const ObjectId> ids,
                std::span<const double> squared);

/// All regions one after the other.
NeighborLists region_search(const FeatureRows& rows, std::size_t k, std::size_t regions,
                            ThreadTeam& team, const Control& control);

}  // namespace shiftcut
