// The neighbours of rows that lie in blocks: in files larger than memory, or on many machines.
//
// All functions are pure: a block of rows and a few numbers in, a few numbers or lists out. An
// engine (Dask, Spark, a loop over files) calls them in any order on any machine, and again where a
// result was lost. What they return merges to the same bits however the rows are divided into
// blocks, and run() makes the same labels of it as of all rows at once:
//
//   1. facts_of_block() of each block, merge_facts() in any order: which columns vary, how many
//   zeros
//   2. hash_rows() of each block, and rows with the same leading bits of their hashes brought
//      together, in the order of their numbers; distinct_in_bucket() of each such bucket. The
//      buckets one after another hold the distinct rows ("nodes") in the order that run() gives
//      them; from here on, rows are nodes, and a block is any stretch of them
//   3. moments_of_part() of each of moment_parts(n) equal stretches of the nodes, then
//      scaling_of_parts() of all, in order. Scale::automatic is chosen by choose_block_scale() from
//      scale_sample(n), nodes at even distances
//   4. find_regions() from region_sample(n), nodes at even distances; find_members() of each block;
//      the members of each region brought together, ordered by number; search_region() of each;
//      merge_neighbors() of what the regions show of each block, in any order
//   5. the lists of all nodes one after another, as Input::neighbors of the nodes with the numbers
//   of
//      equal rows as their weights: run() makes the clusters. It needs the rows themselves for few
//      things (joining far apart groups of rows), so they may lie in a file that is mapped
//
// Steps 3 and 4 compute sums in an order that the number of nodes alone determines; all other
// results are integers, extremes or lists with a total order, which no order of merging changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/features.hpp"
#include "shiftcut/neighbors.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

// ---- 1. What there is ----

struct BlockFacts {
  std::uint64_t rows = 0;
  bool is_finite = true;
  bool has_negative = false;
  std::vector<double> smallest;  // of each column
  std::vector<double> largest;
  std::vector<std::uint64_t> zeros;
};

BlockFacts facts_of_block(const DenseArray& rows);

/// Associative and commutative. Throws std::invalid_argument for blocks of different widths.
BlockFacts merge_facts(const BlockFacts& a, const BlockFacts& b);

/// Of each column the squares of its numbers in units of `largest`, the largest number of all:
/// integers, which merge by adding.
std::vector<double> squares_of_block(const DenseArray& rows, double largest);

/// Similarity::automatic and Metric::automatic as run() chooses them. `squares` may be empty where
/// chooses_by_squares() is false.
SimilarityOptions choose_similarity(SimilarityOptions options, bool needs_graph,
                                    const BlockFacts& facts, const std::vector<double>& squares);
bool chooses_by_squares(const SimilarityOptions& options, const BlockFacts& facts);

// ---- 2. Distinct rows ----

/// A hash of each row, by the columns that vary.
std::vector<std::uint64_t> hash_rows(const DenseArray& rows, const BlockFacts& all, int threads);

struct DistinctRows {
  std::vector<std::uint32_t> first;    // a row of each node, in their order
  std::vector<std::uint32_t> node_of;  // of each row
  std::vector<std::uint32_t> counts;   // rows of each node
};

/// Of rows that have all rows with the same leading bits, in the order of their numbers.
DistinctRows distinct_in_bucket(const DenseArray& rows, const BlockFacts& all, int threads);

// ---- 3. Scaling ----

/// Part p of n nodes begins at node n * p / moment_parts(n).
std::size_t moment_parts(std::size_t nodes);

struct PartMoments {
  double count = 0;
  std::vector<double> mean;
  std::vector<double> squared;
  std::vector<double> smallest;
  std::vector<double> largest;
};

/// `counts` of equal rows, or none where no row repeats.
PartMoments moments_of_part(const DenseArray& nodes, std::span<const double> counts);

/// Of all parts, in order. `scale` is not automatic. Throws std::invalid_argument for numbers too
/// large to square.
FeatureScaling scaling_of_parts(std::span<const PartMoments> parts, Scale scale);

/// How many nodes the scale is chosen by: node s * n / count for each s below count.
std::size_t scale_sample(std::size_t nodes);

struct ScaleReason {
  Scale scale = Scale::none;
  std::string reason;
};

/// Standard or none; `parts` are moments without counts.
ScaleReason choose_block_scale(const DenseArray& sample, std::span<const PartMoments> parts,
                               const SimilarityOptions& options, int threads);

// ---- 4. Neighbours ----

/// How rows are compared.
struct RowGeometry {
  FeatureScaling scaling;
  Metric metric = Metric::euclidean;  // euclidean, cosine or correlation
};

/// How many regions; 1: search_region() of all nodes is all there is to do. `region_rows` as in
/// SimilarityOptions.
std::size_t region_count(std::size_t nodes, std::size_t columns, Metric metric,
                         std::size_t region_rows);

/// How many nodes the regions are found on: node s * n / count for each s below count.
std::size_t region_sample_size(std::size_t nodes, std::size_t regions);

/// The centres that say which regions a row belongs to.
struct RegionCentres {
  std::size_t count = 0;
  std::size_t length = 0;
  std::vector<double> middle;
  double scale = 1;
  std::vector<float> centres;
  std::vector<std::uint32_t> region_of;
};

RegionCentres find_regions(const DenseArray& sample, const RowGeometry& geometry,
                           std::size_t regions, int threads);

/// The rows of the block that belong to each region, ascending: those of region r are
/// rows[offsets[r]] .. rows[offsets[r + 1] - 1].
struct RegionMembers {
  std::vector<std::size_t> offsets;
  std::vector<std::uint32_t> rows;
};

RegionMembers find_members(const DenseArray& block, const RowGeometry& geometry,
                           const RegionCentres& regions, int threads);

/// The neighbours of the rows of one region among each other, with squared distances. `numbers` of
/// the rows, ascending; the table names neighbours by these. `neighbors` for each, or fewer if
/// there are fewer others. Throws Interrupted where `control` asks to stop.
NeighborTable search_region(const DenseArray& rows, std::span<const std::uint32_t> numbers,
                            const RowGeometry& geometry, std::size_t neighbors, int threads,
                            const Control& control = {});

/// Adds the neighbours found of the nodes `numbers`, all from `first` on, to the table of a stretch
/// of `nodes` that begins there. Associative and commutative.
void merge_neighbors(NeighborTable& into, std::uint32_t first, std::uint32_t nodes,
                     std::span<const std::uint32_t> numbers, const NeighborTable& found);

/// An empty table of this size, to merge into.
NeighborTable no_neighbors(std::size_t rows, std::size_t neighbors);

}  // namespace shiftcut
