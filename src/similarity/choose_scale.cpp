#include "similarity/choose_scale.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include "core/kernels/elementary.hpp"
#include "core/kernels/kernels.hpp"
#include "core/kernels/metric_kernels.hpp"
#include "core/rng.hpp"
#include "similarity/row_chunks.hpp"
#include "similarity/tuning.hpp"

namespace shiftcut {

namespace {

using namespace similarity_tuning;

std::vector<std::size_t> varying_columns(const Scaling& scaling) {
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < scaling.deviation.size(); ++j) {
    if (scaling.deviation[j] > kConstantColumn * std::abs(scaling.mean[j])) {
      columns.push_back(j);
    }
  }
  return columns;
}

// ---- A sample of the rows that does not depend on their order ----

// Rows at even ranks of a random projection of the standardised columns.
std::vector<std::size_t> sampled_rows(const DenseArray& data, const Scaling& scaling,
                                      const std::vector<std::size_t>& columns, ThreadTeam& team) {
  const std::size_t n = data.rows();
  if (n <= kScaleSample) {
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  Rng rng(kScaleSeed);
  std::vector<double> weights;
  for (const std::size_t j : columns) {
    weights.push_back((2 * rng.uniform() - 1) / scaling.deviation[j]);
  }
  const std::size_t ranked = std::min(n, kMostRankedRows);
  std::vector<std::pair<double, std::size_t>> places(ranked);
  for_each_row_chunk(ranked, kRowsPerScaleTask, team, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t r = begin; r < end; ++r) {
      const std::size_t i = r * n / ranked;
      double place = 0;
      for (std::size_t c = 0; c < columns.size(); ++c) {
        place += weights[c] * (data.at(i, columns[c]) - scaling.mean[columns[c]]);
      }
      places[r] = {place, i};
    }
  });
  std::ranges::sort(places);
  std::vector<std::size_t> rows(kScaleSample);
  for (std::size_t s = 0; s < kScaleSample; ++s) {
    rows[s] = places[(2 * s + 1) * ranked / (2 * kScaleSample)].second;
  }
  return rows;
}

// ---- Principal components ----

// The root mean square of the correlations of different columns over some rows.
double typical_correlation(const DenseArray& data, const std::vector<std::size_t>& rows,
                           const std::vector<std::size_t>& columns) {
  const std::size_t d = columns.size();
  const std::size_t n = rows.size();
  std::vector<double> centred(d * n);
  for (std::size_t c = 0; c < d; ++c) {
    double* column = &centred[c * n];
    for (std::size_t r = 0; r < n; ++r) {
      column[r] = data.at(rows[r], columns[c]);
    }
    const double mean = std::accumulate(column, column + n, 0.0) / static_cast<double>(n);
    for (std::size_t r = 0; r < n; ++r) {
      column[r] -= mean;
    }
    const double length = std::sqrt(dot(column, column, n));
    for (std::size_t r = 0; r < n; ++r) {
      column[r] = length > 0 ? column[r] / length : 0.0;
    }
  }
  double squares = 0;
  for (std::size_t a = 0; a < d; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double correlation = dot(&centred[a * n], &centred[b * n], n);
      squares += correlation * correlation;
    }
  }
  return std::sqrt(squares / (static_cast<double>(d * (d - 1)) / 2));
}

// Columns of decreasing variance that are uncorrelated: exactly where they are few, else as far as
// a sample can tell.
bool are_principal_components(const DenseArray& data, const Scaling& scaling,
                              const std::vector<std::size_t>& columns,
                              const std::vector<std::size_t>& sample) {
  const std::size_t d = columns.size();
  if (d < 3) {
    return false;
  }
  std::size_t falls = 0;
  for (std::size_t c = 1; c < d; ++c) {
    falls += scaling.deviation[columns[c]] <= scaling.deviation[columns[c - 1]] ? 1 : 0;
  }
  const double needed = d >= kManyComponents ? kFallingSteps : 1;
  if (static_cast<double>(falls) < needed * static_cast<double>(d - 1)) {
    return false;
  }
  const bool are_few = d < kFewComponents;
  std::vector<std::size_t> rows = sample;
  if (are_few) {
    rows.resize(std::min(data.rows(), kMostRankedRows));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      rows[r] = r * data.rows() / rows.size();
    }
  }
  std::vector<std::size_t> some(std::min(d, kMostCorrelated));
  for (std::size_t c = 0; c < some.size(); ++c) {
    some[c] = columns[c * d / some.size()];
  }
  return typical_correlation(data, rows, some) <=
         (are_few ? kExactCorrelation : kSampledCorrelation) /
             std::sqrt(static_cast<double>(rows.size()));
}

// ---- Agreement of halves of the columns ----

// Sets of half of the blocks, one of each pair of complements, evenly spaced among all.
std::vector<unsigned> halves_of(std::size_t blocks) {
  std::vector<unsigned> all;
  for (unsigned set = 0; set < 1U << blocks; ++set) {
    const bool is_first = blocks % 2 == 1 || (set & 1U) != 0;
    if (std::popcount(set) == static_cast<int>(blocks / 2) && is_first) {
      all.push_back(set);
    }
  }
  std::vector<unsigned> some(std::min(all.size(), kColumnSplits));
  for (std::size_t s = 0; s < some.size(); ++s) {
    some[s] = all[s * all.size() / some.size()];
  }
  return some;
}

// How near by `others` those are that are nearest to row i by `own`, 1 being nearest. All of those
// that tie with the k-th count, so the order of the rows does not matter.
double agreement_at(std::size_t i, const std::vector<double>& own,
                    const std::vector<double>& others, std::vector<double>& room) {
  const std::size_t n = own.size();
  const std::size_t k = std::clamp<std::size_t>(n / 10, 1, kAgreeingNeighbors);
  room.assign(own.begin(), own.end());
  room.erase(room.begin() + static_cast<std::ptrdiff_t>(i));
  const auto last = room.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(room.begin(), last, room.end());
  const double limit = *last;
  double ranks = 0;
  double count = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (own[j] <= limit && j != i) {
      // Row i itself, which is nearer or as near, does not count.
      ranks += mid_rank(others.data(), n, others[j]) - (others[j] > 0 ? 1.0 : 0.5);
      count += 1;
    }
  }
  return 1 - ranks / count / static_cast<double>(n - 1);
}

// The sampled rows in blocks of columns, each scaled.
class Blocks {
 public:
  Blocks(const DenseArray& data, const Scaling& scaling, const std::vector<std::size_t>& columns,
         const std::vector<std::size_t>& rows, bool standardised)
      : n_(rows.size()), count_(std::min(columns.size(), kColumnBlocks)), values_(count_) {
    std::vector<std::size_t> order = columns;
    Rng rng(kScaleSeed);
    for (std::size_t c = order.size(); c > 1; --c) {
      std::swap(order[c - 1], order[rng.below(static_cast<std::uint32_t>(c))]);
    }
    double largest = 0;
    for (const std::size_t j : columns) {
      largest = std::max(largest, scaling.deviation[j]);
    }
    for (std::size_t b = 0; b < count_; ++b) {
      for (const std::size_t row : rows) {
        for (std::size_t c = b; c < order.size(); c += count_) {
          const std::size_t j = order[c];
          values_[b].push_back((data.at(row, j) - scaling.mean[j]) /
                               (standardised ? scaling.deviation[j] : largest));
        }
      }
    }
  }

  [[nodiscard]] double agreement(ThreadTeam& team) const {
    const std::vector<unsigned> halves = halves_of(count_);
    std::vector<double> of_row(n_, 0.0);
    for_each_row_chunk(n_, kRowsPerAgreementTask, team,
                       [&](std::size_t begin, std::size_t end, int) {
                         for (std::size_t i = begin; i < end; ++i) {
                           of_row[i] = agreement_of(i, halves);
                         }
                       });
    return std::accumulate(of_row.begin(), of_row.end(), 0.0) / static_cast<double>(n_);
  }

 private:
  [[nodiscard]] double agreement_of(std::size_t i, const std::vector<unsigned>& halves) const {
    std::vector<std::vector<double>> squared(count_, std::vector<double>(n_));
    for (std::size_t b = 0; b < count_; ++b) {
      const std::size_t length = values_[b].size() / n_;
      for (std::size_t j = 0; j < n_; ++j) {
        squared[b][j] = squared_distance(&values_[b][i * length], &values_[b][j * length], length);
      }
    }
    std::vector<double> one(n_);
    std::vector<double> other(n_);
    std::vector<double> room;
    double sum = 0;
    for (const unsigned set : halves) {
      std::ranges::fill(one, 0.0);
      std::ranges::fill(other, 0.0);
      for (std::size_t b = 0; b < count_; ++b) {
        add_scaled(((set >> b) & 1U) != 0 ? one.data() : other.data(), 1.0, squared[b].data(), n_);
      }
      sum += agreement_at(i, one, other, room) + agreement_at(i, other, one, room);
    }
    return sum / static_cast<double>(2 * halves.size());
  }

  std::size_t n_;
  std::size_t count_;
  std::vector<std::vector<double>> values_;  // per block, row by row
};

// How far apart the deviations of the columns are.
struct Spread {
  double typical = 0;  // standard deviation of their logarithms
  double factor = 1;   // of the largest and the smallest
};

Spread spread_of(const Scaling& scaling, const std::vector<std::size_t>& columns) {
  std::vector<double> logs;
  for (const std::size_t j : columns) {
    logs.push_back(portable_log(scaling.deviation[j]));
  }
  const auto count = static_cast<double>(logs.size());
  const double mean = std::accumulate(logs.begin(), logs.end(), 0.0) / count;
  double squares = 0;
  for (const double value : logs) {
    squares += (value - mean) * (value - mean);
  }
  const auto [low, high] =
      std::ranges::minmax(columns, {}, [&](std::size_t j) { return scaling.deviation[j]; });
  return {std::sqrt(squares / count), scaling.deviation[high] / scaling.deviation[low]};
}

ScaleChoice by_spread(const Spread& spread, bool are_alike, std::string_view what) {
  return {are_alike ? Scale::none : Scale::standard,
          fmt::format("{} whose deviations differ by a factor of up to {:.3g}: taken to have {}",
                      what, spread.factor, are_alike ? "one unit" : "different units")};
}

}  // namespace

ScaleChoice choose_scale(const DenseArray& data, const Scaling& as_given, ThreadTeam& team) {
  const std::vector<std::size_t> columns = varying_columns(as_given);
  if (columns.size() < 2 || data.rows() < kFewestRows) {
    return {Scale::standard, "there is too little to choose by"};
  }
  const Spread spread = spread_of(as_given, columns);
  if (columns.size() == 2) {
    return by_spread(spread, spread.factor < kOneUnitFactor, "two columns");
  }
  const std::vector<std::size_t> rows = sampled_rows(data, as_given, columns, team);
  if (are_principal_components(data, as_given, columns, rows)) {
    return {Scale::none,
            "the columns are uncorrelated and of decreasing variance, as principal components are"};
  }
  const double standard = Blocks(data, as_given, columns, rows, true).agreement(team);
  const double none = Blocks(data, as_given, columns, rows, false).agreement(team);
  const bool are_alike = spread.typical <= kAlikeSpread;
  const double gain = none - standard;
  if (are_alike ? (gain >= -kSameAgreement && gain <= kSameAgreement)
                : (gain >= -kSameAgreement && gain < kWideGain)) {
    return by_spread(spread, are_alike,
                     "halves of the columns agree equally on which rows are near, and the columns "
                     "are ones");
  }
  const bool is_none = gain > 0;
  return {is_none ? Scale::none : Scale::standard,
          fmt::format("halves of the columns agree more on which rows are near {} ({:.2f}) than "
                      "{} ({:.2f})",
                      is_none ? "as they are" : "standardised", is_none ? none : standard,
                      is_none ? "standardised" : "as they are", is_none ? standard : none)};
}

double share_of_zeros(const DenseArray& data, ThreadTeam& team) {
  const std::size_t n = data.rows();
  const std::size_t d = data.columns();
  std::atomic<bool> has_negative{false};
  std::atomic<double> highest{0};
  const std::vector<double> zeros =
      sum_over_row_chunks(n, d, d, team, [&](std::size_t begin, std::size_t end, double* sum) {
        double largest = 0;
        for (std::size_t i = begin; i < end && !has_negative; ++i) {
          for (std::size_t j = 0; j < d; ++j) {
            const double value = data.at(i, j);
            has_negative = has_negative || value < 0;
            largest = std::max(largest, value);
            sum[j] += value == 0 ? 1 : 0;
          }
        }
        double before = highest;
        while (largest > before && !highest.compare_exchange_weak(before, largest)) {
        }
      });
  if (has_negative || std::ranges::find(zeros, 0.0) != zeros.end()) {
    return 0;
  }
  const double unit = highest;
  if (unit == 0) {
    return share_of_zeros(zeros, zeros, n);
  }
  const std::vector<double> squares =
      sum_over_row_chunks(n, d, d, team, [&](std::size_t begin, std::size_t end, double* sum) {
        for (std::size_t i = begin; i < end; ++i) {
          for (std::size_t j = 0; j < d; ++j) {
            const double part = std::floor(data.at(i, j) / unit * kPartsOfLargest);
            sum[j] += part * part;
          }
        }
      });
  return share_of_zeros(zeros, squares, n);
}

double share_of_zeros(const std::vector<double>& zeros, const std::vector<double>& squares,
                      std::size_t rows) {
  if (std::ranges::find(zeros, 0.0) != zeros.end()) {
    return 0;
  }
  const double all = std::accumulate(squares.begin(), squares.end(), 0.0);
  const bool are_all_zero =
      std::ranges::all_of(zeros, [&](double count) { return count == static_cast<double>(rows); });
  if (!are_all_zero && std::ranges::max(squares) > kMostOfTheLength * all) {
    return 0;
  }
  return std::accumulate(zeros.begin(), zeros.end(), 0.0) /
         (static_cast<double>(rows) * static_cast<double>(zeros.size()));
}

}  // namespace shiftcut
