#include "blocks/file/region_lists.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/core.h>

#include "core/work_meter.hpp"
#include "neighbors/kept_neighbors.hpp"

namespace shiftcut {

namespace {

// Nodes whose lists are merged together.
constexpr std::size_t kMergedTogether = std::size_t{1} << 17;

// The rows of all regions.
struct Members {
  struct Piece {
    std::uint64_t rows = 0;  // their place
    std::uint64_t numbers = 0;
    std::size_t count = 0;
  };
  RowFile rows;
  SpillFile numbers;
  std::vector<std::vector<Piece>> of_region;
};

Members divide(const NodeRows& nodes, const RegionSearch& search, const Control& control) {
  const RegionCentres centres =
      find_regions(nodes.fetched_sample(region_sample_size(nodes.count, search.regions)),
                   search.geometry, search.regions, search.threads);
  Members members;
  members.rows = RowFile(nodes.values.columns(), nodes.values.is_float32());
  members.of_region.resize(centres.count);
  const std::size_t together = rows_together(search.limit, nodes.values.row_bytes());
  WorkMeter meter(control, "regions", nodes.count);
  for (std::size_t first = 0; first < nodes.count; first += together) {
    stop_if_asked(control);
    const std::size_t last = std::min(nodes.count, first + together);
    const DenseArray rows = nodes.read(first, last);
    RegionMembers own = find_members(rows, search.geometry, centres, search.threads);
    std::uint64_t place = members.rows.append(rows, own.rows);
    for (std::uint32_t& row : own.rows) {
      row += static_cast<std::uint32_t>(first);
    }
    std::uint64_t number = members.numbers.append(own.rows);
    for (std::size_t r = 0; r < centres.count; ++r) {
      const std::size_t count = own.offsets[r + 1] - own.offsets[r];
      if (count > 0) {
        members.of_region[r].push_back({place, number, count});
        place += count * nodes.values.row_bytes();
        number += count * sizeof(std::uint32_t);
      }
    }
    meter.add(last - first);
  }
  std::size_t largest = 0;
  for (const auto& pieces : members.of_region) {
    std::size_t rows = 0;
    for (const Members::Piece& piece : pieces) {
      rows += piece.count;
    }
    largest = std::max(largest, rows);
  }
  search.check(largest);
  return members;
}

// The lists that regions show of a stretch of the nodes: numbers, ids, squared distances.
struct Shown {
  struct Piece {
    std::uint64_t numbers = 0;
    std::uint64_t ids = 0;
    std::uint64_t squared = 0;
    std::size_t count = 0;
    std::size_t places = 0;
  };
  SpillFile file;
  std::vector<std::vector<Piece>> of_stretch;
};

// `lists` name neighbours by their places in `numbers`.
void add_lists(const NeighborLists& lists, std::span<const std::uint32_t> numbers, Shown& shown) {
  std::vector<std::uint32_t> ids;
  for (std::size_t first = 0; first < lists.n;) {
    const std::size_t stretch = numbers[first] / kMergedTogether;
    std::size_t last = first;
    while (last < lists.n && numbers[last] / kMergedTogether == stretch) {
      ++last;
    }
    ids.assign(lists.ids.begin() + static_cast<std::ptrdiff_t>(first * lists.k),
               lists.ids.begin() + static_cast<std::ptrdiff_t>(last * lists.k));
    for (std::uint32_t& id : ids) {
      id = id == kNobody ? kNobody : numbers[id];
    }
    const std::size_t count = last - first;
    Shown::Piece piece;
    piece.numbers = shown.file.append(&numbers[first], count * sizeof(std::uint32_t));
    piece.ids = shown.file.append(ids);
    piece.squared =
        shown.file.append(&lists.squared[first * lists.k], count * lists.k * sizeof(double));
    piece.count = count;
    piece.places = lists.k;
    shown.of_stretch[stretch].push_back(piece);
    first = last;
  }
}

void search_region_of(const DenseArray& rows, std::span<const std::uint32_t> numbers,
                      std::size_t region, const RegionSearch& search, const Control& control,
                      Shown& shown) {
  if (rows.rows() < 2) {
    return;
  }
  const std::size_t k = std::min(search.neighbors, rows.rows() - 1);
  const NeighborLists lists =
      kept_neighbors(control.checkpoint, fmt::format("region-{:05}", region), rows.rows(), k, [&] {
        std::vector<std::uint32_t> places(rows.rows());
        std::iota(places.begin(), places.end(), 0U);
        Control quiet = control;
        quiet.progress = {};
        return lists_of(search_region(rows, places, search.geometry, search.neighbors,
                                      search.threads, search.regions > 1 ? quiet : control));
      });
  add_lists(lists, numbers, shown);
}

Shown search_all(const NodeRows& nodes, const RegionSearch& search, const Control& control) {
  Shown shown;
  shown.of_stretch.resize(nodes.count / kMergedTogether + 1);
  if (search.regions == 1) {
    std::vector<std::uint32_t> numbers(nodes.count);
    std::iota(numbers.begin(), numbers.end(), 0U);
    search_region_of(nodes.read(0, nodes.count), numbers, 0, search, control, shown);
    return shown;
  }
  const Members members = divide(nodes, search, control);
  WorkMeter meter(control, "neighbours", members.of_region.size());
  for (std::size_t region = 0; region < members.of_region.size(); ++region) {
    stop_if_asked(control);
    meter.add();
    std::vector<RowFile::Stretch> stretches;
    std::vector<std::uint32_t> numbers;
    for (const Members::Piece& piece : members.of_region[region]) {
      stretches.push_back({piece.rows, piece.count});
      numbers.resize(numbers.size() + piece.count);
      members.numbers.read(piece.numbers, std::span(numbers).last(piece.count));
    }
    search_region_of(members.rows.read(stretches), numbers, region, search, control, shown);
  }
  return shown;
}

NeighborTable read_piece(const Shown& shown, const Shown::Piece& piece) {
  NeighborTable found{piece.count, piece.places,
                      std::vector<std::uint32_t>(piece.count * piece.places),
                      std::vector<double>(piece.count * piece.places)};
  shown.file.read(piece.ids, std::span(found.ids));
  shown.file.read(piece.squared, std::span(found.squared));
  return found;
}

}  // namespace

NeighborTable ListFile::load() const {
  NeighborTable table{nodes, neighbors, std::vector<std::uint32_t>(nodes * neighbors),
                      std::vector<double>(nodes * neighbors)};
  ids.read(0, std::span(table.ids));
  squared.read(0, std::span(table.squared));
  return table;
}

ListFile search_regions(const NodeRows& nodes, const RegionSearch& search, const Control& control) {
  const Shown shown = search_all(nodes, search, control);
  ListFile lists;
  lists.nodes = nodes.count;
  lists.neighbors = search.neighbors;
  std::vector<std::uint32_t> numbers;
  for (std::size_t s = 0; s * kMergedTogether < nodes.count; ++s) {
    stop_if_asked(control);
    const std::size_t first = s * kMergedTogether;
    const std::size_t count = std::min(kMergedTogether, nodes.count - first);
    NeighborTable merged = no_neighbors(count, search.neighbors);
    for (const Shown::Piece& piece : shown.of_stretch[s]) {
      numbers.resize(piece.count);
      shown.file.read(piece.numbers, std::span(numbers));
      merge_neighbors(merged, static_cast<std::uint32_t>(first),
                      static_cast<std::uint32_t>(nodes.count), numbers, read_piece(shown, piece));
    }
    lists.ids.append(merged.ids);
    lists.squared.append(merged.squared);
  }
  return lists;
}

}  // namespace shiftcut
