#include "neighbors/scaled_rows.hpp"

#include <algorithm>
#include <cmath>

namespace shiftcut {

namespace {

constexpr std::size_t kScaledATask = 1024;  // rows a task

// About the median of every column, from a thousand rows.
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

}  // namespace

ScaledRows::ScaledRows(const FeatureRows& rows, const RowGroups& groups, ThreadTeam& team)
    : rows_(rows), groups_(groups), centre_(sampled_median(rows)) {
  std::vector<double> largest((size() + kScaledATask - 1) / kScaledATask, 0.0);
  team.for_each(largest.size(), [&](std::size_t chunk, int) {
    std::vector<double> row(length());
    for (std::size_t g = chunk * kScaledATask; g < std::min(size(), (chunk + 1) * kScaledATask);
         ++g) {
      this->row(g, row.data());
      for (const double value : row) {
        largest[chunk] = std::max(largest[chunk], std::abs(value));
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

}  // namespace shiftcut
