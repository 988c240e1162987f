// Neighbours region by region. See blocks.hpp, and neighbors/regions/regions.hpp for how.
#include <algorithm>
#include <limits>
#include <span>

#include "core/message.hpp"
#include "core/stop_check.hpp"
#include "core/thread_team.hpp"
#include "neighbors/metrics/metric_search.hpp"
#include "neighbors/nearest_neighbors.hpp"
#include "neighbors/regions/regions.hpp"
#include "shiftcut/blocks.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

namespace {

FeatureRows rows_in(const RowGeometry& geometry, const DenseArray& rows, ThreadTeam& team) {
  if (geometry.scaling.offset.size() != rows.columns() ||
      geometry.scaling.factor.size() != rows.columns()) {
    refuse("wrong_length", "", "scaling: found {} columns; allowed: {}, as the rows have",
           geometry.scaling.offset.size(), rows.columns());
  }
  if (geometry.metric != Metric::euclidean && geometry.metric != Metric::cosine &&
      geometry.metric != Metric::correlation) {
    refuse("not_applicable", "metric",
           "{metric}: found {} for rows in blocks; allowed: euclidean, cosine or correlation",
           word_of(geometry.metric));
  }
  Scaling scaling;
  scaling.offset = geometry.scaling.offset;
  scaling.factor = geometry.scaling.factor;
  return FeatureRows::for_metric(geometry.metric, rows, scaling, team);
}

Regions regions_from(const RegionCentres& of) {
  return {of.length, of.count, of.middle, of.scale, of.centres, of.region_of};
}

}  // namespace

std::size_t region_count(std::size_t nodes, std::size_t columns, Metric metric,
                         std::size_t region_rows) {
  const bool is_unit = metric == Metric::cosine || metric == Metric::correlation;
  return regions_for(nodes, columns + (is_unit ? 1 : 0), region_rows);
}

std::size_t region_sample_size(std::size_t nodes, std::size_t regions) {
  return region_sample(nodes, regions);
}

RegionCentres find_regions(const DenseArray& sample, const RowGeometry& geometry,
                           std::size_t regions, int threads) {
  ThreadTeam team(threads);
  Regions made = make_regions(rows_in(geometry, sample, team), regions, team);
  return {made.count,
          made.length,
          std::move(made.middle),
          made.scale,
          std::move(made.centres),
          std::move(made.region_of)};
}

RegionMembers find_members(const DenseArray& block, const RowGeometry& geometry,
                           const RegionCentres& regions, int threads) {
  ThreadTeam team(threads);
  const RegionsOfRows of_rows =
      regions_of(rows_in(geometry, block, team), regions_from(regions), team);
  RegionMembers members;
  members.offsets.assign(regions.count + 1, 0);
  for (const std::uint32_t region : of_rows.all) {
    ++members.offsets[region + 1];
  }
  for (std::size_t r = 0; r < regions.count; ++r) {
    members.offsets[r + 1] += members.offsets[r];
  }
  members.rows.resize(of_rows.all.size());
  std::vector<std::size_t> next(members.offsets.begin(), members.offsets.end() - 1);
  for (std::size_t i = 0; i < block.rows(); ++i) {
    for (std::size_t e = of_rows.offsets[i]; e < of_rows.offsets[i + 1]; ++e) {
      members.rows[next[of_rows.all[e]]++] = static_cast<std::uint32_t>(i);
    }
  }
  return members;
}

NeighborTable no_neighbors(std::size_t rows, std::size_t neighbors) {
  return {rows, neighbors, std::vector<std::uint32_t>(rows * neighbors, kNobody),
          std::vector<double>(rows * neighbors, std::numeric_limits<double>::infinity())};
}

NeighborTable search_region(const DenseArray& rows, std::span<const std::uint32_t> numbers,
                            const RowGeometry& geometry, std::size_t neighbors, int threads,
                            const Control& control) {
  if (numbers.size() != rows.rows()) {
    refuse("wrong_length", "", "numbers: found {}; allowed: {}, one per row", numbers.size(),
           rows.rows());
  }
  if (rows.rows() < 2) {
    return no_neighbors(rows.rows(), 0);
  }
  ThreadTeam team(threads);
  StopCheck stop(control, Clock::now(), 0);
  const StopScope scope(team, stop);
  NeighborLists lists = nearest_neighbors(rows_in(geometry, rows, team), neighbors, team, control);
  for (std::uint32_t& id : lists.ids) {
    id = id == kNobody ? kNobody : numbers[id];
  }
  return {lists.n, lists.k, std::move(lists.ids), std::move(lists.squared)};
}

void merge_neighbors(NeighborTable& into, std::uint32_t first, std::uint32_t nodes,
                     std::span<const std::uint32_t> numbers, const NeighborTable& found) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < first || numbers[i] - first >= into.objects) {
      refuse("out_of_range", "", "numbers: found {}; allowed: {} to {}", numbers[i], first,
             first + into.objects - 1);
    }
    const std::size_t at = (numbers[i] - first) * into.places;
    merge_list({std::span(into.ids).subspan(at, into.places),
                std::span(into.squared).subspan(at, into.places)},
               numbers[i], nodes, std::span(found.ids).subspan(i * found.places, found.places),
               std::span(found.squared).subspan(i * found.places, found.places));
  }
}

}  // namespace shiftcut
