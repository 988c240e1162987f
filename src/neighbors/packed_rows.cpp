#include "neighbors/packed_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "neighbors/tuning.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

// The approximate median of every column, from a sample of the rows.
std::vector<double> sampled_median(const FeatureRows& rows) {
  const std::size_t n = rows.size();
  const std::size_t d = rows.length();
  const std::size_t count = std::min(n, kMedianSample);
  std::vector<double> sample(count * d);
  for (std::size_t s = 0; s < count; ++s) {
    rows.row(s * n / count, &sample[s * d]);
  }
  std::vector<double> column(count);
  std::vector<double> median(d);
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t s = 0; s < count; ++s) {
      column[s] = sample[s * d + j];
    }
    const auto middle = column.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(column.begin(), middle, column.end());
    median[j] = *middle;
  }
  return median;
}

}  // namespace

ScaledRows::ScaledRows(const FeatureRows& rows, const RowGroups& groups, ThreadTeam& team)
    : rows_(rows), groups_(groups), centre_(sampled_median(rows)) {
  std::vector<double> largest((size() + kRowsPerTask - 1) / kRowsPerTask, 0.0);
  for_each_row_chunk(size(), kRowsPerTask, team, [&](std::size_t begin, std::size_t end, int) {
    double& of_chunk = largest[begin / kRowsPerTask];
    std::vector<double> row(length());
    for (std::size_t g = begin; g < end; ++g) {
      this->row(g, row.data());
      for (const double value : row) {
        of_chunk = std::max(of_chunk, std::abs(value));
      }
    }
  });
  const double all = *std::max_element(largest.begin(), largest.end());
  scale_ = all > 0 ? std::ldexp(1.0, std::clamp(-std::ilogb(all), -1020, 1020)) : 1.0;
}

void ScaledRows::row(std::size_t group, double* out) const {
  rows_.row(groups_.first(group), out);
  place(out);
}

void ScaledRows::place(double* row) const {
  for (std::size_t j = 0; j < length(); ++j) {
    row[j] = (row[j] - centre_[j]) * scale_;
  }
}

PackedRows::PackedRows(const ScaledRows& rows, ThreadTeam& team)
    : rows_(rows),
      error_(1.01 * static_cast<double>(rows.length() + 8) * 0x1p-24),
      blocks_((rows.size() + kBlock - 1) / kBlock),
      base_(blocks_.size() * kBlock, std::numeric_limits<float>::infinity()),
      spread_(rows.size()) {
  const std::size_t d = rows.length();
  team.for_each(blocks_.size(), [&](std::size_t block, int) {
    const std::size_t first = block * kBlock;
    const std::size_t count = std::min(kBlock, rows.size() - first);
    std::vector<double> row(d);
    blocks_[block].resize(d, count);
    for (std::size_t c = 0; c < count; ++c) {
      rows.row(first + c, row.data());
      blocks_[block].set(c, row.data(), 1.0);
      const double squared = dot(row.data(), row.data(), d);
      base_[first + c] = static_cast<float>(squared * (1 - error_));
      spread_[first + c] = static_cast<float>(squared * 2 * error_);
    }
  });
}

double PackedRows::query(std::size_t group, float* out) const {
  std::vector<double> row(length());
  rows_.row(group, row.data());
  return query(row.data(), out);
}

double PackedRows::query(const double* row, float* out) const {
  constexpr double kSmallest = 0x1p-120;  // above what products too small for float32 add up to
  const std::size_t d = length();
  narrow(out, row, -2.0, d);
  return 2 * error_ * dot(row, row, d) + kSmallest * static_cast<double>(d);
}

}  // namespace shiftcut
