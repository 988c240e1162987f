#include "neighbors/packed_rows.hpp"

#include <algorithm>
#include <limits>

namespace shiftcut {

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
