#include "neighbors/regions/regions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "neighbors/list_writer.hpp"
#include "neighbors/tuning.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

// ---- Rows in float32 ----

// Writes (x - middle) * scale, far outliers moved closer so that squares stay finite.
void narrow_row(const Regions& regions, double* row, float* out) {
  constexpr double kFarthest = 1e15;
  for (std::size_t j = 0; j < regions.length; ++j) {
    row[j] = std::clamp((row[j] - regions.middle[j]) * regions.scale, -kFarthest, kFarthest);
  }
  narrow(out, row, 1, regions.length);
}

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The median of every column, and a power of two by which the typical distance from it is about 1.
void set_place(const FeatureRows& sample, Regions& regions) {
  const std::size_t count = std::min(sample.size(), kMedianSample);
  const std::size_t d = regions.length;
  std::vector<double> rows(count * d);
  for (std::size_t s = 0; s < count; ++s) {
    sample.row(s * sample.size() / count, &rows[s * d]);
  }
  std::vector<double> values(count);
  double typical = 0;
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t s = 0; s < count; ++s) {
      values[s] = rows[s * d + j];
    }
    regions.middle.push_back(median_of(values));
    for (std::size_t s = 0; s < count; ++s) {
      values[s] = std::abs(rows[s * d + j] - regions.middle[j]);
    }
    typical = std::max(typical, median_of(values));
  }
  regions.scale =
      typical > 0 ? std::ldexp(1.0, std::clamp(-std::ilogb(typical), -1020, 1020)) : 1.0;
}

// ---- Centres ----

// |c|^2 / 2 - x.c of rows and centres, the less the nearer.
class CentreScores {
 public:
  CentreScores(const std::vector<float>& centres, std::size_t length)
      : blocks_((centres.size() / length + kCentresPacked - 1) / kCentresPacked),
        count_(centres.size() / length) {
    const std::vector<double> zeros(length, 0.0);
    std::vector<double> wide(length);
    half_.assign(blocks_.size() * kCentresPacked, 0.0F);
    for (std::size_t c = 0; c < count_; ++c) {
      if (c % kCentresPacked == 0) {
        blocks_[c / kCentresPacked].resize(length, std::min(kCentresPacked, count_ - c));
      }
      blocks_[c / kCentresPacked].set(c % kCentresPacked, &centres[c * length], -1.0F);
      widen(wide.data(), &centres[c * length], 1, length);
      half_[c] = static_cast<float>(squared_distance(wide.data(), zeros.data(), length) / 2);
    }
  }

  /// Writes count() scores per row.
  void of(std::span<const float* const> rows, float* out) const {
    std::vector<float> tile(rows.size() * kCentresPacked);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      tile_products(rows.data(), rows.size(), blocks_[b], tile.data());
      const std::size_t first = b * kCentresPacked;
      for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t c = 0; c < blocks_[b].count(); ++c) {
          out[r * count_ + first + c] = half_[first + c] + tile[r * blocks_[b].width() + c];
        }
      }
    }
  }

  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  std::vector<PackedColumns<float>> blocks_;
  std::vector<float> half_;
  std::size_t count_;
};

// Calls use(i, scores) for all rows.
template <class Use>
void for_each_score(const FeatureRows& rows, const Regions& regions, const CentreScores& scores,
                    ThreadTeam& team, const Use& use) {
  const std::size_t d = regions.length;
  for_each_row_chunk(rows.size(), kAssignedTogether, team,
                     [&](std::size_t begin, std::size_t end, int) {
                       std::vector<double> row(d);
                       std::vector<float> values((end - begin) * d);
                       std::vector<const float*> pointers;
                       for (std::size_t i = begin; i < end; ++i) {
                         rows.row(i, row.data());
                         narrow_row(regions, row.data(), &values[(i - begin) * d]);
                         pointers.push_back(&values[(i - begin) * d]);
                       }
                       std::vector<float> out((end - begin) * scores.count());
                       scores.of(pointers, out.data());
                       for (std::size_t i = begin; i < end; ++i) {
                         use(i, pointers[i - begin],
                             std::span(out).subspan((i - begin) * scores.count(), scores.count()));
                       }
                     });
}

// k-means on the sample; returns how many sampled rows each centre has at last.
std::vector<double> find_region_centres(const FeatureRows& sample, std::size_t cells,
                                        Regions& regions, ThreadTeam& team) {
  const std::size_t d = regions.length;
  const std::size_t n = sample.size();
  std::vector<float> rows(n * d);
  std::vector<double> row(d);
  for (std::size_t i = 0; i < n; ++i) {
    sample.row(i, row.data());
    narrow_row(regions, row.data(), &rows[i * d]);
  }
  for (std::size_t c = 0; c < cells; ++c) {
    const std::size_t i = (2 * c + 1) * n / (2 * cells);
    regions.centres.insert(regions.centres.end(), &rows[i * d], &rows[i * d] + d);
  }
  std::vector<double> members;
  std::vector<std::uint32_t> label(n);
  for (int step = 0; step < kMeansSteps; ++step) {
    for_each_score(
        sample, regions, CentreScores(regions.centres, d), team,
        [&](std::size_t i, const float*, std::span<const float> scores) {
          label[i] = static_cast<std::uint32_t>(std::ranges::min_element(scores) - scores.begin());
        });
    std::vector<double> sums(cells * d, 0.0);
    members.assign(cells, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      add_scaled(&sums[label[i] * d], 1, &rows[i * d], d);
      members[label[i]] += 1;
    }
    for (std::size_t c = 0; c < cells; ++c) {
      if (members[c] > 0) {
        narrow(&regions.centres[c * d], &sums[c * d], 1 / members[c], d);
      }
    }
  }
  return members;
}

// ---- Regions of centres ----

class Halving {
 public:
  Halving(const std::vector<double>& weights, Regions& regions)
      : weights_(weights), regions_(regions) {}

  /// Numbers the parts of `cells` from `first` on.
  void divide(std::span<std::uint32_t> cells, std::size_t first, std::size_t parts) {
    if (parts == 1) {
      for (const std::uint32_t cell : cells) {
        regions_.region_of[cell] = static_cast<std::uint32_t>(first);
      }
      return;
    }
    sort_along_axis(cells);
    double all = 0;
    for (const std::uint32_t cell : cells) {
      all += weights_[cell];
    }
    const std::size_t left = parts / 2;
    const double wanted = all * static_cast<double>(left) / static_cast<double>(parts);
    std::size_t at = 0;  // every part keeps a cell
    for (double sum = 0; at < cells.size() - (parts - left); ++at) {
      const double weight = weights_[cells[at]];
      if (at >= left && sum + weight / 2 > wanted) {
        break;
      }
      sum += weight;
    }
    divide(cells.first(at), first, left);
    divide(cells.subspan(at), first + left, parts - left);
  }

 private:
  // By the first principal component of the centres, found by power iteration.
  void sort_along_axis(std::span<std::uint32_t> cells) const {
    constexpr int kPowerSteps = 16;
    const std::size_t d = regions_.length;
    std::vector<double> mean(d, 0.0);
    double all = 0;
    for (const std::uint32_t cell : cells) {
      add_scaled(mean.data(), weights_[cell], &regions_.centres[cell * d], d);
      all += weights_[cell];
    }
    std::vector<double> rows(cells.size() * d);
    std::size_t widest = 0;
    double most = -1;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      widen(&rows[c * d], &regions_.centres[cells[c] * d], 1, d);
      add_scaled(&rows[c * d], all > 0 ? -1 / all : 0, mean.data(), d);
      const double far = dot(&rows[c * d], &rows[c * d], d);
      if (far > most) {
        most = far;
        widest = c;
      }
    }
    std::vector<double> axis(&rows[widest * d], &rows[widest * d] + d);
    for (int step = 0; step < kPowerSteps; ++step) {
      std::vector<double> next(d, 0.0);
      for (std::size_t c = 0; c < cells.size(); ++c) {
        add_scaled(next.data(), weights_[cells[c]] * dot(axis.data(), &rows[c * d], d),
                   &rows[c * d], d);
      }
      const double length = std::sqrt(dot(next.data(), next.data(), d));
      if (!(length > 0)) {
        break;
      }
      for (std::size_t j = 0; j < d; ++j) {
        axis[j] = next[j] / length;
      }
    }
    std::vector<std::pair<double, std::uint32_t>> keyed;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      keyed.emplace_back(dot(axis.data(), &rows[c * d], d), cells[c]);
    }
    std::ranges::sort(keyed);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      cells[c] = keyed[c].second;
    }
  }

  const std::vector<double>& weights_;
  Regions& regions_;
};

// The regions of the nearest centres, ascending, each once.
void choose_regions(std::span<const float> scores, const Regions& regions,
                    std::vector<std::uint32_t>& out) {
  std::array<std::uint32_t, kRegionProbes> nearest{};
  std::size_t count = 0;
  for (std::uint32_t c = 0; c < scores.size(); ++c) {
    if (count == kRegionProbes && !(scores[c] < scores[nearest[count - 1]])) {
      continue;
    }
    std::size_t at = count < kRegionProbes ? count++ : count - 1;
    for (; at > 0 && scores[c] < scores[nearest[at - 1]]; --at) {
      nearest[at] = nearest[at - 1];
    }
    nearest[at] = c;
  }
  out.clear();
  for (std::size_t p = 0; p < count; ++p) {
    out.push_back(regions.region_of[nearest[p]]);
  }
  std::ranges::sort(out);
  const auto again = std::ranges::unique(out);
  out.erase(again.begin(), again.end());
}

}  // namespace

std::size_t regions_for(std::size_t rows, std::size_t length, std::size_t most_rows) {
  const std::size_t most =
      most_rows > 0
          ? most_rows
          : std::min(kMostRowsAtOnce, kMostNumbersAtOnce / std::max<std::size_t>(1, length));
  // Regions overlap: with half as many rows of its own, a region has about as many as it may.
  return rows <= most ? 1 : (2 * rows + most - 1) / std::max<std::size_t>(1, most);
}

std::size_t region_sample(std::size_t rows, std::size_t regions) {
  return std::min(rows, regions * kCellsPerRegion * kSampledPerCentre);
}

Regions make_regions(const FeatureRows& sample, std::size_t count, ThreadTeam& team) {
  Regions regions;
  regions.length = sample.length();
  set_place(sample, regions);
  const std::size_t cells = std::min(sample.size(), count * kCellsPerRegion);
  regions.count = std::min(count, cells);
  const std::vector<double> members = find_region_centres(sample, cells, regions, team);
  regions.region_of.resize(cells);
  std::vector<std::uint32_t> all(cells);
  std::iota(all.begin(), all.end(), 0U);
  Halving(members, regions).divide(all, 0, regions.count);
  return regions;
}

RegionsOfRows regions_of(const FeatureRows& rows, const Regions& regions, ThreadTeam& team) {
  const std::size_t n = rows.size();
  std::vector<std::vector<std::uint32_t>> parts((n + kAssignedTogether - 1) / kAssignedTogether);
  std::vector<std::size_t> counts(n + 1, 0);
  for_each_score(rows, regions, CentreScores(regions.centres, regions.length), team,
                 [&](std::size_t i, const float*, std::span<const float> scores) {
                   std::vector<std::uint32_t> own;
                   choose_regions(scores, regions, own);
                   counts[i + 1] = own.size();
                   std::vector<std::uint32_t>& part = parts[i / kAssignedTogether];
                   part.insert(part.end(), own.begin(), own.end());
                 });
  RegionsOfRows out;
  std::partial_sum(counts.begin(), counts.end(), counts.begin());
  out.offsets = std::move(counts);
  out.all.reserve(out.offsets.back());
  for (const std::vector<std::uint32_t>& part : parts) {
    out.all.insert(out.all.end(), part.begin(), part.end());
  }
  return out;
}

void merge_list(const ListOfRow& list, ObjectId row, std::size_t n, std::span<const ObjectId> ids,
                std::span<const double> squared) {
  struct Candidate {
    double squared;
    ObjectId steps;
    ObjectId id;
    bool operator<(const Candidate& other) const {
      return this->squared != other.squared ? this->squared < other.squared : steps < other.steps;
    }
    bool operator==(const Candidate& other) const { return id == other.id; }
  };
  std::vector<Candidate> all;
  const auto add = [&](ObjectId id, double distance) {
    if (id != kNoNeighbor) {
      all.push_back({distance, steps_from(row, id, n), id});
    }
  };
  const std::size_t k = list.ids.size();
  for (std::size_t e = 0; e < k; ++e) {
    add(list.ids[e], list.squared[e]);
  }
  for (std::size_t e = 0; e < ids.size(); ++e) {
    add(ids[e], squared[e]);
  }
  std::ranges::sort(all, std::less<>());
  const auto again = std::ranges::unique(all);
  all.erase(again.begin(), again.end());
  // Of equal rows no more than most_copies(), unless there are too few others.
  const auto copies = static_cast<std::size_t>(
      std::ranges::find_if(all, [](const Candidate& entry) { return entry.squared > 0; }) -
      all.begin());
  const std::size_t others = all.size() - copies;
  const std::size_t kept = std::max(most_copies(k), k - std::min(k, others));
  if (copies > kept) {
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(kept),
              all.begin() + static_cast<std::ptrdiff_t>(copies));
  }
  for (std::size_t e = 0; e < std::min(k, all.size()); ++e) {
    list.ids[e] = all[e].id;
    list.squared[e] = all[e].squared;
  }
}

}  // namespace shiftcut
