// Means and squared deviations of all columns in one pass: block by block in two steps while the
// block is in the cache, the blocks joined by the formula of Chan, Golub and LeVeque (1983), which
// loses no digits to a large mean.
#include "similarity/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/kernels/kernels.hpp"
#include "core/message.hpp"

namespace shiftcut {

void Moments::join(const Moments& other) {
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

namespace {

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

// `row_of(i)` is row i, which counts weights[i] times, or once.
template <class RowOf>
Moments moments_of_rows(const RowOf& row_of, std::span<const double> weights, std::size_t columns,
                        std::size_t begin, std::size_t end, bool extremes) {
  const std::size_t block_rows = std::clamp<std::size_t>(32768 / columns, 1, 256);
  Moments moments(columns);
  for (std::size_t first = begin; first < end; first += block_rows) {
    const std::size_t last = std::min(end, first + block_rows);
    Moments block(columns);
    block.count = weights.empty() ? static_cast<double>(last - first)
                                  : std::accumulate(&weights[first], &weights[last - 1] + 1, 0.0);
    for (std::size_t i = first; i < last; ++i) {
      const double weight = weights.empty() ? 1 : weights[i];
      add_scaled(block.mean.data(), weight / block.count, row_of(i), columns);
    }
    for (std::size_t i = first; i < last; ++i) {
      if (weights.empty()) {
        add_squared_differences(block.squared.data(), row_of(i), block.mean.data(), columns);
      } else {
        std::vector<double> squared(columns, 0.0);
        add_squared_differences(squared.data(), row_of(i), block.mean.data(), columns);
        add_scaled(block.squared.data(), weights[i], squared.data(), columns);
      }
      if (extremes) {
        note_extremes(row_of(i), columns, block);
      }
    }
    moments.join(block);
  }
  return moments;
}

Moments moments_between(const DenseArray& data, std::span<const double> weights, std::size_t begin,
                        std::size_t end, bool extremes) {
  const auto part = [&](const auto& row_of) {
    return moments_of_rows(row_of, weights, data.columns(), begin, end, extremes);
  };
  return data.is_float32() ? part([&](std::size_t i) { return data.f32_row(i); })
                           : part([&](std::size_t i) { return data.f64_row(i); });
}

// Chunks are cut by the number of rows alone and joined in order.
Moments moments_of(const DenseArray& data, std::span<const double> weights, bool extremes,
                   ThreadTeam& team) {
  const std::size_t n = data.rows();
  const std::size_t chunks = moment_chunks(n);
  std::vector<Moments> parts(chunks, Moments(0));
  team.for_each(chunks, [&](std::size_t c, int) {
    parts[c] = moments_between(data, weights, n * c / chunks, n * (c + 1) / chunks, extremes);
  });
  for (std::size_t c = 1; c < chunks; ++c) {
    parts[0].join(parts[c]);
  }
  return std::move(parts[0]);
}

// Squares of what is smaller than this vanish.
constexpr double kSmallestSquare = 1e-302;

// Whether a column whose squared deviations vanish is really constant.
bool is_constant(const DenseArray& data, std::size_t column) {
  for (std::size_t i = 1; i < data.rows(); ++i) {
    if (std::abs(data.at(i, column) - data.at(0, column)) > 1e-14 * std::abs(data.at(0, column))) {
      return false;
    }
  }
  return true;
}

void check_range(const DenseArray& data, const Moments& moments, const std::string& name) {
  for (std::size_t j = 0; j < moments.mean.size(); ++j) {
    if (!std::isfinite(moments.mean[j]) || !std::isfinite(moments.squared[j])) {
      refuse("too_large", "",
             "{}: found numbers in feature {} too large to square; allowed: up to about 1e140",
             name, j + 1);
    }
    if (moments.squared[j] < kSmallestSquare && data.at(0, j) != moments.mean[j] &&
        !is_constant(data, j)) {
      refuse("too_small", "",
             "{}: found numbers in feature {} that differ by too little to square; allowed: "
             "differences of about 1e-150 or more",
             name, j + 1);
    }
  }
}

double length_of_rows(const Scaling& scaling) {
  double sum = 0;
  for (std::size_t j = 0; j < scaling.factor.size(); ++j) {
    const double deviation = scaling.deviation[j] * scaling.factor[j];
    sum += deviation * deviation;
  }
  return std::sqrt(sum);
}

}  // namespace

std::size_t moment_chunks(std::size_t rows) { return std::clamp<std::size_t>(rows / 1024, 1, 64); }

Moments moments_of_chunk(const DenseArray& rows, std::span<const double> weights, bool extremes) {
  return moments_between(rows, weights, 0, rows.rows(), extremes);
}

Scaling scaling_of(const DenseArray& data, Scale scale, const std::string& name, ThreadTeam& team,
                   std::span<const double> weights) {
  Moments moments = moments_of(data, weights, scale == Scale::minmax, team);
  check_range(data, moments, name);
  return scaling_from(std::move(moments), scale);
}

Scaling scaling_from(Moments moments, Scale scale) {
  const std::size_t d = moments.mean.size();
  Scaling scaling{std::vector<double>(d, 0.0),
                  std::vector<double>(d, 1.0),
                  std::move(moments.mean),
                  std::vector<double>(d, 0.0),
                  0,
                  0};
  for (std::size_t j = 0; j < d; ++j) {
    const double deviation = std::sqrt(moments.squared[j] / moments.count);
    // A constant column's computed mean may be off by rounding: a deviation of that size is none.
    const bool constant = deviation <= 1e-14 * std::abs(scaling.mean[j]);
    double width = 1;
    if (scale == Scale::standard) {
      width = constant ? 0 : deviation;
      scaling.offset[j] = scaling.mean[j];
    } else if (scale == Scale::minmax) {
      width = moments.largest[j] - moments.smallest[j];
      scaling.offset[j] = moments.smallest[j];
    }
    scaling.factor[j] = width > 0 ? 1 / width : 0.0;
    scaling.constant_columns += constant ? 1 : 0;
    scaling.deviation[j] = deviation;
  }
  scaling.root_mean_square = length_of_rows(scaling);
  return scaling;
}

void weigh(Scaling& scaling, const std::vector<double>& weights) {
  if (weights.empty()) {
    return;
  }
  const std::size_t d = scaling.factor.size();
  if (weights.size() != d) {
    refuse("wrong_length", "feature_weights",
           "feature weights: found {}; allowed: {}, one per feature", weights.size(), d);
  }
  for (const double weight : weights) {
    if (!(weight >= 0 && std::isfinite(weight))) {
      refuse("out_of_range", "feature_weights", "feature weights: found {}; allowed: 0 or more",
             weight);
    }
  }
  if (std::ranges::all_of(weights, [](double weight) { return weight == 0; })) {
    refuse("out_of_range", "feature_weights",
           "feature weights: found only 0; allowed: at least one above 0");
  }
  for (std::size_t j = 0; j < d; ++j) {
    scaling.factor[j] *= std::sqrt(weights[j]);
  }
  scaling.root_mean_square = length_of_rows(scaling);
}

}  // namespace shiftcut
