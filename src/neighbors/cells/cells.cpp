#include "neighbors/cells/cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/kernels/kernels.hpp"
#include "core/rng.hpp"
#include "neighbors/tuning.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

// Rows in float32, each followed by a 1 as Centres expects.
std::vector<float> narrowed(const ScaledRows& rows, std::span<const ObjectId> members) {
  const std::size_t d = rows.length();
  std::vector<double> row(d);
  std::vector<float> out(members.size() * (d + 1), 1.0F);
  for (std::size_t m = 0; m < members.size(); ++m) {
    rows.row(members[m], row.data());
    narrow(&out[m * (d + 1)], row.data(), 1.0, d);
  }
  return out;
}

std::vector<const float*> pointers_to(const std::vector<float>& rows, std::size_t length) {
  std::vector<const float*> pointers;
  for (std::size_t at = 0; at < rows.size(); at += length) {
    pointers.push_back(&rows[at]);
  }
  return pointers;
}

// One random row from each of `count` equal ranges, since rows may be sorted; in random order.
std::vector<ObjectId> sample_of(std::size_t rows, std::size_t count) {
  Rng rng(0);
  std::vector<ObjectId> sample = sample_rows(rows, count, rng);
  for (std::size_t s = count; s > 1; --s) {
    std::swap(sample[s - 1], sample[rng.below(static_cast<std::uint32_t>(s))]);
  }
  return sample;
}

// k-means on a sample. A centre that loses all its rows stays where it was.
std::vector<float> find_centres(const ScaledRows& rows, std::size_t count, ThreadTeam& team) {
  const std::size_t d = rows.length();
  const std::size_t sampled = std::min(rows.size(), kSampledPerCentre * count);
  const std::vector<float> sample = narrowed(rows, sample_of(rows.size(), sampled));
  const std::vector<const float*> pointers = pointers_to(sample, d + 1);
  std::vector<float> centres;
  for (std::size_t c = 0; c < count; ++c) {
    centres.insert(centres.end(), pointers[c], pointers[c] + d);
  }
  std::vector<std::uint32_t> label(sampled);
  for (int step = 0; step < kMeansSteps; ++step) {
    const Centres now(centres, d);
    for_each_row_chunk(
        sampled, kAssignedTogether, team, [&](std::size_t begin, std::size_t end, int) {
          now.nearest(std::span(pointers).subspan(begin, end - begin), &label[begin]);
        });
    std::vector<double> sums(count * d, 0.0);
    std::vector<double> members(count, 0.0);
    for (std::size_t s = 0; s < sampled; ++s) {
      add_scaled(&sums[label[s] * d], 1, pointers[s], d);
      members[label[s]] += 1;
    }
    for (std::size_t c = 0; c < count; ++c) {
      if (members[c] > 0) {
        narrow(&centres[c * d], &sums[c * d], 1 / members[c], d);
      }
    }
  }
  return centres;
}

std::vector<std::uint32_t> assign(const ScaledRows& rows, const std::vector<float>& centres,
                                  ThreadTeam& team, WorkMeter& meter) {
  const std::size_t n = rows.size();
  const Centres packed(centres, rows.length());
  std::vector<std::uint32_t> label(n);
  for_each_row_chunk(n, kAssignedTogether, team, [&](std::size_t begin, std::size_t end, int) {
    std::vector<ObjectId> members(end - begin);
    meter.add(kAssignWork * members.size());
    std::iota(members.begin(), members.end(), static_cast<ObjectId>(begin));
    const std::vector<float> narrow_rows = narrowed(rows, members);
    packed.nearest(pointers_to(narrow_rows, rows.length() + 1), &label[begin]);
  });
  return label;
}

// Halves `members` at the median of the column with the largest variance until no part has more
// than `most`, and appends the ends of the parts.
void split(const ScaledRows& rows, std::span<ObjectId> members, std::size_t begin, std::size_t most,
           std::vector<std::size_t>& ends) {
  if (members.size() <= most) {
    ends.push_back(begin + members.size());
    return;
  }
  const std::size_t d = rows.length();
  std::vector<double> row(d);
  std::vector<double> sum(d, 0.0);
  std::vector<double> squares(d, 0.0);
  for (const ObjectId member : members) {
    rows.row(member, row.data());
    add_scaled(sum.data(), 1, row.data(), d);
  }
  for (double& value : sum) {
    value /= static_cast<double>(members.size());
  }
  for (const ObjectId member : members) {
    rows.row(member, row.data());
    add_squared_differences(squares.data(), row.data(), sum.data(), d);
  }
  const auto column =
      static_cast<std::size_t>(std::max_element(squares.begin(), squares.end()) - squares.begin());
  std::vector<std::pair<double, ObjectId>> keyed;
  for (const ObjectId member : members) {
    rows.row(member, row.data());
    keyed.emplace_back(row[column], member);
  }
  const std::size_t half = members.size() / 2;
  std::nth_element(keyed.begin(), keyed.begin() + static_cast<std::ptrdiff_t>(half), keyed.end());
  for (std::size_t m = 0; m < members.size(); ++m) {
    members[m] = keyed[m].second;
  }
  split(rows, members.first(half), begin, most, ends);
  split(rows, members.subspan(half), begin + half, most, ends);
}

}  // namespace

Centres::Centres(const std::vector<float>& centres, std::size_t length)
    : packed_((centres.size() / length + kCentresPacked - 1) / kCentresPacked) {
  const std::size_t count = centres.size() / length;
  std::vector<float> column(length + 1);
  for (std::size_t c = 0; c < count; ++c) {
    if (c % kCentresPacked == 0) {
      packed_[c / kCentresPacked].resize(length + 1, std::min(kCentresPacked, count - c));
    }
    double squared = 0;
    for (std::size_t j = 0; j < length; ++j) {
      column[j] = -centres[c * length + j];
      squared += static_cast<double>(column[j]) * static_cast<double>(column[j]);
    }
    column[length] = static_cast<float>(squared / 2);
    packed_[c / kCentresPacked].set(c % kCentresPacked, column.data(), 1.0F);
  }
}

void Centres::nearest(std::span<const float* const> rows, std::uint32_t* out) const {
  static const std::vector<float> kZeros(kCentresPacked, 0.0F);
  std::vector<float> best(rows.size(), std::numeric_limits<float>::infinity());
  std::vector<float> tile(rows.size() * kCentresPacked);
  std::vector<std::uint32_t> low(kCentresPacked + 1);
  std::fill_n(out, rows.size(), 0U);
  for (std::size_t b = 0; b < packed_.size(); ++b) {
    const std::size_t count = packed_[b].count();
    tile_products(rows.data(), rows.size(), packed_[b], tile.data());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const float* values = &tile[r * packed_[b].width()];
      const float lowest = minimum(values, count);
      if (lowest < best[r]) {
        best[r] = lowest;
        list_sums_at_most(values, kZeros.data(), count, lowest, 0, low.data());
        out[r] = static_cast<std::uint32_t>(b * kCentresPacked) + low[0];
      }
    }
  }
}

Cells::Cells(const ScaledRows& rows, ThreadTeam& team, WorkMeter& meter)
    : length_(rows.length()), groups_(rows.size()), cell_of_(rows.size()) {
  const std::size_t n = rows.size();
  const auto wanted = std::clamp<std::size_t>(
      static_cast<std::size_t>(2 * std::sqrt(static_cast<double>(n))), 1, n);
  const std::vector<float> centres = find_centres(rows, wanted, team);
  const std::vector<std::uint32_t> label = assign(rows, centres, team, meter);

  std::vector<std::size_t> first(wanted + 1, 0);
  for (const std::uint32_t cell : label) {
    ++first[cell + 1];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (std::size_t g = 0; g < n; ++g) {
    groups_[next[label[g]]++] = static_cast<ObjectId>(g);
  }
  std::vector<std::vector<std::size_t>> ends(wanted);
  team.for_each(wanted, [&](std::size_t c, int) {
    const std::size_t count = first[c + 1] - first[c];
    if (count > 0) {
      split(rows, std::span(groups_).subspan(first[c], count), first[c], 2 * (n / wanted + 1),
            ends[c]);
    }
  });
  offsets_.push_back(0);
  for (const auto& some : ends) {
    offsets_.insert(offsets_.end(), some.begin(), some.end());
  }
  lay_out(rows, team);
}

void Cells::lay_out(const ScaledRows& rows, ThreadTeam& team) {
  centres_.assign(size() * length_, 0.0);
  values_.allocate(this->rows() * length_);
  packed_.resize(size());
  squares_.resize(size());
  team.for_each(size(), [&](std::size_t cell, int) {
    std::sort(groups_.begin() + static_cast<std::ptrdiff_t>(begin(cell)),
              groups_.begin() + static_cast<std::ptrdiff_t>(end(cell)));
    std::vector<double> row(length_);
    double* centre = &centres_[cell * length_];
    for (std::size_t place = begin(cell); place < end(cell); ++place) {
      cell_of_[place] = static_cast<std::uint32_t>(cell);
      rows.row(groups_[place], row.data());
      add_scaled(centre, 1 / static_cast<double>(count(cell)), row.data(), length_);
    }
    packed_[cell].resize(length_, count(cell));
    squares_[cell].assign(packed_[cell].width(), std::numeric_limits<float>::infinity());
    const std::vector<float> nothing(length_, 0.0F);
    std::vector<float> same(length_);
    for (std::size_t c = 0; c < count(cell); ++c) {
      float* out = values_.data() + (begin(cell) + c) * length_;
      rows.row(groups_[begin(cell) + c], row.data());
      add_scaled(row.data(), -1, centre, length_);
      narrow(out, row.data(), 1, length_);
      packed_[cell].set(c, out, -2.0F);
      shift_rows(out, 1, length_, nothing.data(), same.data(), &squares_[cell][c]);
    }
  });
}

void Cells::step(std::size_t from, std::size_t to, float* out) const {
  for (std::size_t j = 0; j < length_; ++j) {
    out[j] = static_cast<float>(centre(from)[j] - centre(to)[j]);
  }
}

}  // namespace shiftcut
