#include "neighbors/packed_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shiftcut {

std::vector<double> sampled_median(const FeatureRows& rows) {
  constexpr std::size_t kSample = 1001;
  const std::size_t n = rows.size();
  const std::size_t d = rows.length();
  const std::size_t count = std::min(n, kSample);
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

PackedRows::PackedRows(const FeatureRows& rows, const RowGroups& groups, ThreadTeam& team)
    : rows_(rows),
      groups_(groups),
      count_(groups.size()),
      error_(1.01 * static_cast<double>(rows.length() + 8) * 0x1p-24),
      centre_(sampled_median(rows)),
      blocks_((count_ + kBlock - 1) / kBlock),
      base_(blocks_.size() * kBlock, std::numeric_limits<float>::infinity()),
      spread_(count_) {
  const std::size_t d = rows.length();
  const auto for_each_row = [&](const auto& visit) {
    team.for_each(blocks_.size(), [&](std::size_t block, int) {
      std::vector<double> row(d);
      for (std::size_t g = block * kBlock; g < std::min(count_, (block + 1) * kBlock); ++g) {
        scaled_row(g, row.data());
        visit(block, g, row);
      }
    });
  };

  std::vector<double> largest(blocks_.size(), 0.0);
  for_each_row([&](std::size_t block, std::size_t, const std::vector<double>& row) {
    for (const double value : row) {
      largest[block] = std::max(largest[block], std::abs(value));
    }
  });
  const double all = *std::max_element(largest.begin(), largest.end());
  scale_ = all > 0 ? std::ldexp(1.0, std::clamp(-std::ilogb(all), -1020, 1020)) : 1.0;

  for (std::size_t block = 0; block < blocks_.size(); ++block) {
    blocks_[block].resize(d, std::min(kBlock, count_ - block * kBlock));
  }
  for_each_row([&](std::size_t block, std::size_t g, const std::vector<double>& row) {
    blocks_[block].set(g - block * kBlock, row.data(), 1.0);
    const double squared = dot(row.data(), row.data(), d);
    base_[g] = static_cast<float>(squared * (1 - error_));
    spread_[g] = static_cast<float>(squared * 2 * error_);
  });
}

void PackedRows::scaled_row(std::size_t group, double* out) const {
  rows_.row(groups_.first(group), out);
  for (std::size_t j = 0; j < length(); ++j) {
    out[j] = (out[j] - centre_[j]) * scale_;
  }
}

void PackedRows::query(std::size_t group, float* out) const {
  std::vector<double> row(length());
  scaled_row(group, row.data());
  narrow(out, row.data(), -2.0, length());
}

double PackedRows::allowance(std::size_t group) const {
  constexpr double kSmallest = 0x1p-120;  // above what products too small for float32 add up to
  std::vector<double> row(length());
  scaled_row(group, row.data());
  return 2 * error_ * dot(row.data(), row.data(), length()) +
         kSmallest * static_cast<double>(length());
}

}  // namespace shiftcut
