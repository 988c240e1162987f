// The regions one after the other, in the memory of one machine: what workers do side by side.
#include <algorithm>

#include "core/work_meter.hpp"
#include "neighbors/nearest_neighbors.hpp"
#include "neighbors/regions/regions.hpp"
#include "neighbors/tuning.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

FeatureRows sample_of_all(const FeatureRows& rows, std::size_t regions) {
  std::vector<std::uint32_t> sample(region_sample(rows.size(), regions));
  for (std::size_t s = 0; s < sample.size(); ++s) {
    sample[s] = static_cast<std::uint32_t>(s * rows.size() / sample.size());
  }
  return rows.of(std::move(sample));
}

// The rows of each region, ascending.
std::vector<std::vector<std::uint32_t>> members_of(const RegionsOfRows& of_rows,
                                                   std::size_t regions) {
  std::vector<std::vector<std::uint32_t>> members(regions);
  for (std::size_t i = 0; i + 1 < of_rows.offsets.size(); ++i) {
    for (std::size_t e = of_rows.offsets[i]; e < of_rows.offsets[i + 1]; ++e) {
      members[of_rows.all[e]].push_back(static_cast<std::uint32_t>(i));
    }
  }
  return members;
}

}  // namespace

NeighborLists region_search(const FeatureRows& rows, std::size_t k, std::size_t count,
                            ThreadTeam& team, const Control& control) {
  const std::size_t n = rows.size();
  NeighborLists lists(n, std::min(k, n - 1));
  const Regions regions = make_regions(sample_of_all(rows, count), count, team);
  std::vector<std::vector<std::uint32_t>> members =
      members_of(regions_of(rows, regions, team), regions.count);
  WorkMeter meter(control, "neighbours", regions.count);
  Control quiet = control;
  quiet.progress = {};
  for (std::vector<std::uint32_t>& own : members) {
    meter.add();
    if (own.size() > 1) {
      const NeighborLists found = nearest_neighbors(rows.of(own), k, team, quiet);
      for_each_row_chunk(own.size(), kRowsPerTask, team,
                         [&](std::size_t begin, std::size_t end, int) {
                           std::vector<ObjectId> ids;
                           for (std::size_t at = begin; at < end; ++at) {
                             ids.clear();
                             for (const ObjectId id : found.of(at)) {
                               ids.push_back(own[id]);
                             }
                             const std::size_t list = own[at] * lists.k;
                             merge_list({std::span(lists.ids).subspan(list, lists.k),
                                         std::span(lists.squared).subspan(list, lists.k)},
                                        own[at], n, ids,
                                        std::span(found.squared).subspan(at * found.k, ids.size()));
                           }
                         });
    }
    std::vector<std::uint32_t>().swap(own);
  }
  return lists;
}

}  // namespace shiftcut
