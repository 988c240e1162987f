#include "neighbors/cells/centres.hpp"

#include <algorithm>
#include <limits>

namespace shiftcut {

namespace {

constexpr std::size_t kColumns = 256;  // centres packed together

}  // namespace

Centres::Centres(const std::vector<float>& centres, std::size_t length)
    : packed_((centres.size() / length + kColumns - 1) / kColumns) {
  const std::size_t count = centres.size() / length;
  std::vector<float> column(length + 1);
  for (std::size_t c = 0; c < count; ++c) {
    if (c % kColumns == 0) {
      packed_[c / kColumns].resize(length + 1, std::min(kColumns, count - c));
    }
    double squared = 0;
    for (std::size_t j = 0; j < length; ++j) {
      column[j] = -centres[c * length + j];
      squared += static_cast<double>(column[j]) * static_cast<double>(column[j]);
    }
    column[length] = static_cast<float>(squared / 2);
    packed_[c / kColumns].set(c % kColumns, column.data(), 1.0F);
  }
}

void Centres::nearest(std::span<const float* const> rows, std::uint32_t* out) const {
  static const std::vector<float> kZeros(kColumns, 0.0F);
  std::vector<float> best(rows.size(), std::numeric_limits<float>::infinity());
  std::vector<float> tile(rows.size() * kColumns);
  std::vector<std::uint32_t> low(kColumns + 1);
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
        out[r] = static_cast<std::uint32_t>(b * kColumns) + low[0];
      }
    }
  }
}

}  // namespace shiftcut
