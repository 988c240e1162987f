// Means and squared deviations of all columns in one pass: block by block in two steps while the
// block is in the cache, the blocks joined by the formula of Chan, Golub and LeVeque (1983), which
// loses no digits to a large mean.
#include "similarity/scaling.hpp"

#include <algorithm>
#include <cmath>

#include "core/kernels.hpp"

namespace shiftcut {

namespace {

struct Moments {
  double count = 0;
  std::vector<double> mean;
  std::vector<double> squared;  // sum of squared deviations from the mean
  std::vector<double> smallest;
  std::vector<double> largest;

  explicit Moments(std::size_t columns) : mean(columns, 0.0), squared(columns, 0.0) {}

  void join(const Moments& other) {
    const double all = count + other.count;
    for (std::size_t j = 0; j < mean.size(); ++j) {
      const double difference = other.mean[j] - mean[j];
      mean[j] += difference * (other.count / all);
      squared[j] += other.squared[j] + difference * difference * (count * other.count / all);
    }
    count = all;
    if (smallest.empty()) {
      smallest = other.smallest;
      largest = other.largest;
    }
    for (std::size_t j = 0; j < smallest.size(); ++j) {
      smallest[j] = std::min(smallest[j], other.smallest[j]);
      largest[j] = std::max(largest[j], other.largest[j]);
    }
  }
};

template <class T>
void note_extremes(const T* row, std::size_t columns, Moments& moments) {
  if (moments.smallest.empty()) {
    moments.smallest.assign(row, row + columns);
    moments.largest.assign(row, row + columns);
  }
  for (std::size_t j = 0; j < columns; ++j) {
    moments.smallest[j] = std::min(moments.smallest[j], static_cast<double>(row[j]));
    moments.largest[j] = std::max(moments.largest[j], static_cast<double>(row[j]));
  }
}

template <class T>
Moments moments_of_rows(const T* data, std::size_t columns, std::size_t begin, std::size_t end,
                        bool extremes) {
  const std::size_t block_rows = std::clamp<std::size_t>(32768 / columns, 1, 256);
  Moments moments(columns);
  for (std::size_t first = begin; first < end; first += block_rows) {
    const std::size_t last = std::min(end, first + block_rows);
    Moments block(columns);
    block.count = static_cast<double>(last - first);
    for (std::size_t i = first; i < last; ++i) {
      add_scaled(block.mean.data(), 1 / block.count, data + i * columns, columns);
    }
    for (std::size_t i = first; i < last; ++i) {
      add_squared_differences(block.squared.data(), data + i * columns, block.mean.data(), columns);
      if (extremes) {
        note_extremes(data + i * columns, columns, block);
      }
    }
    moments.join(block);
  }
  return moments;
}

// Chunks are cut by the number of rows alone and joined in order.
Moments moments_of(const DenseArray& data, bool extremes, ThreadTeam& team) {
  const std::size_t n = data.rows();
  const std::size_t d = data.columns();
  const std::size_t chunks = std::clamp<std::size_t>(n / 1024, 1, 64);
  std::vector<Moments> parts(chunks, Moments(0));
  team.for_each(chunks, [&](std::size_t c, int) {
    const std::size_t begin = n * c / chunks;
    const std::size_t end = n * (c + 1) / chunks;
    data.expect_rows(begin, end);
    parts[c] = data.is_float32() ? moments_of_rows(data.f32(), d, begin, end, extremes)
                                 : moments_of_rows(data.f64(), d, begin, end, extremes);
    data.release_rows(begin, end);
  });
  for (std::size_t c = 1; c < chunks; ++c) {
    parts[0].join(parts[c]);
  }
  return std::move(parts[0]);
}

}  // namespace

Scaling scaling_of(const DenseArray& data, Scale scale, ThreadTeam& team) {
  const std::size_t d = data.columns();
  const bool standard = scale == Scale::standard || scale == Scale::automatic;
  Moments moments = moments_of(data, scale == Scale::minmax, team);
  Scaling scaling{std::vector<double>(d, 0.0), std::vector<double>(d, 1.0),
                  std::move(moments.mean), 0, 0};
  double sum = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const double deviation = std::sqrt(moments.squared[j] / moments.count);
    double width = 1;
    if (standard) {
      // A constant column's computed mean may be off by rounding: a deviation of that size is none.
      width = deviation > 1e-14 * std::abs(scaling.mean[j]) ? deviation : 0;
      scaling.offset[j] = scaling.mean[j];
    } else if (scale == Scale::minmax) {
      width = moments.largest[j] - moments.smallest[j];
      scaling.offset[j] = moments.smallest[j];
    }
    scaling.factor[j] = width > 0 ? 1 / width : 0.0;
    scaling.constant_columns += width > 0 && deviation > 0 ? 0 : 1;
    sum += std::pow(deviation * scaling.factor[j], 2);
  }
  scaling.root_mean_square = std::sqrt(sum);
  return scaling;
}

}  // namespace shiftcut
