#include "similarity/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/kernels.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

// Column sums of visit(row values as double), by chunks of rows added up in order.
using RowTerm = std::function<void(const double* row, double* sums)>;

std::vector<double> column_sums(const DenseArray& data, ThreadTeam& team, const RowTerm& term) {
  const std::size_t d = data.columns();
  const std::vector<double> zero(d, 0.0);
  const std::vector<double> one(d, 1.0);
  return sum_over_row_chunks(data.rows(), d, d, team, [&](std::size_t begin, std::size_t end,
                                                       double* sums) {
    std::vector<double> row(d);
    for (std::size_t i = begin; i < end; ++i) {
      if (data.is_float32()) {
        affine(row.data(), data.f32() + i * d, zero.data(), one.data(), d);
      } else {
        affine(row.data(), data.f64() + i * d, zero.data(), one.data(), d);
      }
      term(row.data(), sums);
    }
    data.release_pages();
  });
}

void standard(const DenseArray& data, ThreadTeam& team, Scaling& scaling) {
  const std::size_t d = data.columns();
  const auto n = static_cast<double>(data.rows());
  std::vector<double> variance =
      column_sums(data, team, [&](const double* row, double* sums) {
        for (std::size_t j = 0; j < d; ++j) {
          const double difference = row[j] - scaling.mean[j];
          sums[j] += difference * difference;
        }
      });
  scaling.offset = scaling.mean;
  for (std::size_t j = 0; j < d; ++j) {
    const double deviation = std::sqrt(variance[j] / n);
    // A constant column's computed mean may be off by rounding: a deviation of that size is none.
    const bool constant = deviation <= 1e-14 * std::abs(scaling.mean[j]);
    scaling.factor[j] = constant ? 0.0 : 1.0 / deviation;
    scaling.constant_columns += constant ? 1 : 0;
  }
}

void minmax(const DenseArray& data, Scaling& scaling) {
  const std::size_t d = data.columns();
  for (std::size_t j = 0; j < d; ++j) {
    scaling.offset[j] = data.at(0, j);
  }
  std::vector<double> largest = scaling.offset;
  for (std::size_t i = 1; i < data.rows(); ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      const double x = data.at(i, j);
      scaling.offset[j] = std::min(scaling.offset[j], x);
      largest[j] = std::max(largest[j], x);
    }
  }
  for (std::size_t j = 0; j < d; ++j) {
    const bool constant = largest[j] == scaling.offset[j];
    scaling.factor[j] = constant ? 0.0 : 1.0 / (largest[j] - scaling.offset[j]);
    scaling.constant_columns += constant ? 1 : 0;
  }
}

}  // namespace

Scaling scaling_of(const DenseArray& data, Scale scale, ThreadTeam& team) {
  const std::size_t d = data.columns();
  Scaling scaling{std::vector<double>(d, 0.0), std::vector<double>(d, 1.0), {}, 0};
  scaling.mean = column_sums(data, team, [d](const double* row, double* sums) {
    for (std::size_t j = 0; j < d; ++j) {
      sums[j] += row[j];
    }
  });
  for (double& m : scaling.mean) {
    m /= static_cast<double>(data.rows());
  }
  if (scale == Scale::standard || scale == Scale::automatic) {
    standard(data, team, scaling);
  } else if (scale == Scale::minmax) {
    minmax(data, scaling);
  }
  return scaling;
}

}  // namespace shiftcut
