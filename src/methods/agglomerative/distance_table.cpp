#include "methods/agglomerative/distance_table.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace shiftcut::methods {

namespace {

constexpr double kNoPair = std::numeric_limits<double>::infinity();
constexpr std::size_t kTile = 64;   // rows and columns mirrored together: 2 x 32 kB, in the cache
constexpr std::size_t kSearch = 8;  // rows per task
constexpr auto kNone = std::numeric_limits<std::uint32_t>::max();

// Two clusters at a distance, with their distances to `count` others. Infinity stays infinity.
struct MergingRows {
  double* kept;  // the first one's; becomes that of the merged cluster
  const double* other;
  double kept_size;
  double other_size;
  double distance;
  const double* sizes;  // of the others
  std::size_t count;
};

template <class Rule>
void for_all(const MergingRows& rows, const Rule& rule) {
  double* kept = rows.kept;
  const double* other = rows.other;
  for (std::size_t k = 0; k < rows.count; ++k) {
    kept[k] = rule(kept[k], other[k], k);
  }
}

// The distances of a merged cluster to all others (Lance, Williams 1967), written over the row of
// the first of the two.
void merge_rows(Linkage linkage, const MergingRows& rows) {
  const double i = rows.kept_size;
  const double j = rows.other_size;
  const double* sizes = rows.sizes;
  switch (linkage) {
    case Linkage::single:
      for_all(rows, [](double a, double b, std::size_t) { return std::min(a, b); });
      break;
    case Linkage::complete:
      for_all(rows, [](double a, double b, std::size_t) { return std::max(a, b); });
      break;
    case Linkage::average:
      for_all(rows, [=](double a, double b, std::size_t) { return (i * a + j * b) / (i + j); });
      break;
    case Linkage::ward:
      for_all(rows, [=, d = rows.distance](double a, double b, std::size_t k) {
        const double size = sizes[k];
        return ((i + size) * a + (j + size) * b - size * d) / (i + j + size);
      });
      break;
  }
}

}  // namespace

DistanceTable::DistanceTable(const DenseArray& distances, const AgglomerativeOptions& options,
                             ThreadTeam& team)
    : options_(options),
      team_(team),
      width_(distances.rows()),
      active_(width_),
      object_(width_),
      sizes_(width_, 1.0),
      nearest_(width_),
      distance_(width_),
      is_stale_(width_) {
  std::iota(active_.begin(), active_.end(), Slot{0});
  std::iota(object_.begin(), object_.end(), std::uint32_t{0});
  table_.allocate(width_ * width_);
  copy(distances);
  find_nearest_of(active_);
}

// The upper triangle, mirrored tile by tile.
void DistanceTable::copy(const DenseArray& distances) {
  const bool squares = options_.linkage == Linkage::ward && !options_.squared;
  const double* from = distances.f64();
  const std::size_t n = width_;
  team_.for_each((n + kTile - 1) / kTile, [&](std::size_t task, int) {
    const std::size_t first = task * kTile;
    const std::size_t last = std::min(n, first + kTile);
    for (std::size_t tile = first; tile < n; tile += kTile) {
      for (std::size_t i = first; i < last; ++i) {
        for (std::size_t j = std::max(tile, i + 1); j < std::min(n, tile + kTile); ++j) {
          const double d = from[i * n + j];
          const double value = squares ? d * d : d;
          row(static_cast<Slot>(i))[j] = value;
          row(static_cast<Slot>(j))[i] = value;
        }
      }
    }
    for (std::size_t i = first; i < last; ++i) {
      row(static_cast<Slot>(i))[i] = kNoPair;
    }
  });
}

// Of equally near clusters the one of the lowest slot.
void DistanceTable::find_nearest(Slot slot) {
  const double* distances = row(slot);
  const double* nearest = std::min_element(distances, distances + width_);
  nearest_[slot] = static_cast<Slot>(nearest - distances);
  distance_[slot] = *nearest;
  is_stale_[slot] = 0;
}

void DistanceTable::find_nearest_of(const std::vector<Slot>& slots) {
  team_.for_each((slots.size() + kSearch - 1) / kSearch, [&](std::size_t task, int) {
    for (std::size_t i = task * kSearch; i < std::min(slots.size(), (task + 1) * kSearch); ++i) {
      find_nearest(slots[i]);
    }
  });
}

void DistanceTable::merge_round(std::vector<Merge>& out, const Control& control) {
  struct Pair {
    Slot kept;
    Slot gone;
    double distance;
  };
  std::vector<Pair> pairs;
  for (const Slot slot : active_) {
    if (slot < nearest_[slot] && nearest_[nearest_[slot]] == slot) {
      pairs.push_back({slot, nearest_[slot], distance_[slot]});
    }
  }
  assert(!pairs.empty());  // the closest pair, of equal ones that of the lowest slot, is mutual
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.distance < b.distance; });
  out.clear();
  for (const auto& [kept, gone, distance] : pairs) {
    if (control.stop_requested()) {
      throw Interrupted();
    }
    out.push_back({object_[kept], object_[gone], distance, 0});
    merge(kept, gone, distance);
  }

  std::erase_if(active_, [&](Slot slot) { return sizes_[slot] == 0; });
  if (active_.size() * 2 <= width_) {
    shrink();
  }
  std::vector<Slot> stale;
  std::copy_if(active_.begin(), active_.end(), std::back_inserter(stale),
               [&](Slot slot) { return is_stale_[slot] != 0; });
  find_nearest_of(stale);
}

void DistanceTable::merge(Slot kept, Slot gone, double distance) {
  double* merged = row(kept);
  merge_rows(options_.linkage,
             {merged, row(gone), sizes_[kept], sizes_[gone], distance, sizes_.data(), width_});
  merged[kept] = kNoPair;
  merged[gone] = kNoPair;
  sizes_[kept] += sizes_[gone];
  sizes_[gone] = 0;
  is_stale_[kept] = 1;
  for (const Slot k : active_) {
    if (sizes_[k] == 0 || k == kept) {
      continue;
    }
    double* other = row(k);
    other[kept] = merged[k];
    other[gone] = kNoPair;
    const bool lost = nearest_[k] == kept || nearest_[k] == gone;
    if (merged[k] < distance_[k] || (merged[k] == distance_[k] && (lost || kept < nearest_[k]))) {
      nearest_[k] = kept;
      distance_[k] = merged[k];
    } else if (lost) {
      is_stale_[k] = 1;
    }
  }
}

// Keeps the order of the slots, so that a lower slot still has a lower object.
void DistanceTable::shrink() {
  const std::size_t count = active_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double* from = row(active_[i]);
    double* to = table_.data() + i * count;
    for (std::size_t j = 0; j < count; ++j) {
      to[j] = from[active_[j]];
    }
  }
  std::vector<Slot> moved(width_, kNone);
  for (std::size_t i = 0; i < count; ++i) {
    moved[active_[i]] = static_cast<Slot>(i);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Slot from = active_[i];
    object_[i] = object_[from];
    sizes_[i] = sizes_[from];
    nearest_[i] = moved[nearest_[from]];  // kNone where it is stale
    distance_[i] = distance_[from];
    is_stale_[i] = is_stale_[from];
    active_[i] = static_cast<Slot>(i);
  }
  width_ = count;
}

}  // namespace shiftcut::methods
