#include "neighbors/row_groups.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>

#include "core/rng.hpp"
#include "neighbors/tuning.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

std::uint64_t hash_of(const std::vector<double>& row) {
  std::uint64_t hash = 0;
  for (const double value : row) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value + 0.0)) * 0x9e3779b97f4a7c15ULL;  // -0 is 0
    hash ^= hash >> 29;
  }
  return mix(hash);
}

std::vector<std::uint64_t> hashes_of(const FeatureRows& rows, ThreadTeam& team) {
  std::vector<std::uint64_t> hashes(rows.size());
  for_each_row_chunk(rows.size(), kRowsPerTask, team, [&](std::size_t begin, std::size_t end, int) {
    std::vector<double> row(rows.length());
    for (std::size_t i = begin; i < end; ++i) {
      rows.row(i, row.data());
      hashes[i] = hash_of(row);
    }
  });
  return hashes;
}

// Sets leader[i], for the objects in `order`, to the first of them whose row equals that of i.
void find_leaders(const FeatureRows& rows, const std::vector<std::uint64_t>& hashes,
                  std::span<ObjectId> order, std::vector<ObjectId>& leader) {
  std::sort(order.begin(), order.end(), [&](ObjectId a, ObjectId b) {
    return hashes[a] != hashes[b] ? hashes[a] < hashes[b] : a < b;
  });
  std::vector<double> row(rows.length());
  std::vector<double> other(rows.length());
  std::vector<ObjectId> seen;  // distinct rows with the same hash: nearly always one
  for (std::size_t p = 0; p < order.size(); ++p) {
    leader[order[p]] = order[p];
    if (p == 0 || hashes[order[p]] != hashes[order[p - 1]]) {
      seen.assign(1, order[p]);
      continue;
    }
    rows.row(order[p], row.data());
    const auto same = std::find_if(seen.begin(), seen.end(), [&](ObjectId candidate) {
      rows.row(candidate, other.data());
      return row == other;
    });
    if (same == seen.end()) {
      seen.push_back(order[p]);
    } else {
      leader[order[p]] = *same;
    }
  }
}

// leader[i]: the first object whose row equals that of i. Objects are divided into tasks by the
// leading bits of their hashes.
std::vector<ObjectId> leaders_of(const FeatureRows& rows, const std::vector<std::uint64_t>& hashes,
                                 ThreadTeam& team) {
  constexpr int kBits = 8;
  const auto bucket = [&](std::size_t i) { return hashes[i] >> (64 - kBits); };
  std::vector<std::size_t> offsets((std::size_t{1} << kBits) + 1, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ++offsets[bucket(i) + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<ObjectId> order(rows.size());
  std::vector<std::size_t> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    order[next[bucket(i)]++] = static_cast<ObjectId>(i);
  }
  std::vector<ObjectId> leader(rows.size());
  team.for_each(offsets.size() - 1, [&](std::size_t b, int) {
    find_leaders(rows, hashes, std::span(order).subspan(offsets[b], offsets[b + 1] - offsets[b]),
                 leader);
  });
  return leader;
}

}  // namespace

RowGroups equal_rows(const FeatureRows& rows, ThreadTeam& team) {
  const std::size_t n = rows.size();
  const std::vector<ObjectId> leader = leaders_of(rows, hashes_of(rows, team), team);
  std::vector<ObjectId> group(n);
  RowGroups groups;
  groups.offsets.push_back(0);
  for (std::size_t i = 0; i < n; ++i) {
    if (leader[i] == i) {
      group[i] = static_cast<ObjectId>(groups.size());
      groups.offsets.push_back(0);
    } else {
      group[i] = group[leader[i]];
    }
    ++groups.offsets[group[i] + 1];
  }
  std::partial_sum(groups.offsets.begin(), groups.offsets.end(), groups.offsets.begin());
  groups.members.resize(n);
  std::vector<std::size_t> next(groups.offsets.begin(), groups.offsets.end() - 1);
  for (std::size_t i = 0; i < n; ++i) {
    groups.members[next[group[i]]++] = static_cast<ObjectId>(i);
  }
  return groups;
}

}  // namespace shiftcut
