#include "similarity/scaling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "input/message_of.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using testing_support::normal;

// Two passes a column in long double: what the one pass is held to.
struct PlainColumn {
  double mean = 0;
  double deviation = 0;
  double smallest = 0;
  double largest = 0;
};

PlainColumn plain_column(const DenseArray& data, std::size_t column) {
  const auto n = static_cast<long double>(data.rows());
  PlainColumn plain;
  plain.smallest = plain.largest = data.at(0, column);
  long double sum = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    sum += data.at(i, column);
    plain.smallest = std::min(plain.smallest, data.at(i, column));
    plain.largest = std::max(plain.largest, data.at(i, column));
  }
  long double squared = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    squared += (data.at(i, column) - sum / n) * (data.at(i, column) - sum / n);
  }
  plain.mean = static_cast<double>(sum / n);
  plain.deviation = static_cast<double>(std::sqrt(squared / n));
  return plain;
}

// Columns of very different units: small about 0, small about a large number, large.
std::vector<double> uneven_columns(std::size_t n, std::size_t d, Rng& rng) {
  std::vector<double> values(n * d);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      const double offset = j % 3 == 1 ? 1e6 : 0;
      const double unit = j % 3 == 2 ? 1e9 : 1e-3;
      values[i * d + j] = offset + unit * normal(rng);
    }
  }
  return values;
}

std::vector<DenseArray> both_precisions(const std::vector<double>& values, std::size_t n,
                                        std::size_t d) {
  return {DenseArray::own(values, n, d),
          DenseArray::own(std::vector<float>(values.begin(), values.end()), n, d)};
}

TEST(scaling, has_the_means_and_deviations_of_two_plain_passes) {
  ThreadTeam team(2);
  Rng rng(1);
  for (const std::size_t n : {2U, 3U, 100U, 255U, 256U, 257U, 1023U, 2048U, 5001U}) {
    for (const std::size_t d : {1U, 3U, 17U}) {
      for (const DenseArray& data : both_precisions(uneven_columns(n, d, rng), n, d)) {
        const Scaling standard = scaling_of(data, Scale::standard, "x", team);
        const Scaling minmax = scaling_of(data, Scale::minmax, "x", team);
        const Scaling none = scaling_of(data, Scale::none, "x", team);
        double squared_length = 0;
        for (std::size_t j = 0; j < d; ++j) {
          const PlainColumn plain = plain_column(data, j);
          const double size = std::max(std::abs(plain.smallest), std::abs(plain.largest));
          ASSERT_NEAR(standard.mean[j], plain.mean, 1e-13 * size);
          EXPECT_EQ(standard.offset[j], standard.mean[j]);
          EXPECT_EQ(minmax.mean[j], standard.mean[j]);
          EXPECT_EQ(none.mean[j], standard.mean[j]);
          EXPECT_EQ(none.offset[j], 0);
          EXPECT_EQ(none.factor[j], 1);
          squared_length += plain.deviation * plain.deviation;
          EXPECT_EQ(minmax.offset[j], plain.smallest);
          if (plain.deviation == 0) {  // float32 can't tell 1e6 from 1e6 + 1e-3
            EXPECT_EQ(standard.factor[j], 0);
            EXPECT_EQ(minmax.factor[j], 0);
            continue;
          }
          // An offset of 1e9 deviations takes nine digits of the sixteen, whoever adds up.
          ASSERT_NEAR(standard.factor[j] * plain.deviation, 1, 1e-7) << n << " x " << d;
          EXPECT_NEAR(minmax.factor[j] * (plain.largest - plain.smallest), 1, 1e-15);
        }
        EXPECT_NEAR(none.root_mean_square, std::sqrt(squared_length),
                    1e-9 * std::sqrt(squared_length));
      }
    }
  }
}

TEST(scaling, does_not_depend_on_the_number_of_threads) {
  Rng rng(3);
  for (const std::size_t n : {100U, 5000U, 20011U}) {
    for (const DenseArray& data : both_precisions(uneven_columns(n, 4, rng), n, 4)) {
      for (const Scale scale : {Scale::standard, Scale::minmax, Scale::none}) {
        ThreadTeam alone(1);
        const Scaling expected = scaling_of(data, scale, "x", alone);
        for (const int threads : {2, 7}) {
          ThreadTeam team(threads);
          const Scaling found = scaling_of(data, scale, "x", team);
          EXPECT_EQ(found.offset, expected.offset);
          EXPECT_EQ(found.factor, expected.factor);
          EXPECT_EQ(found.mean, expected.mean);
          EXPECT_EQ(found.root_mean_square, expected.root_mean_square);
        }
      }
    }
  }
}

// The computed mean of a constant column is off by rounding: that must not pass for a deviation.
TEST(scaling, makes_constant_columns_zero) {
  ThreadTeam team(2);
  Rng rng(4);
  for (int round = 0; round < 60; ++round) {
    const std::size_t n = round % 6 == 0 ? 1024 + rng.below(2000) : 1 + rng.below(600);
    const std::size_t d = 40;
    std::vector<double> row(d);
    for (double& x : row) {
      x = (rng.uniform() - 0.3) * std::pow(10.0, static_cast<double>(rng.below(9)) - 4);
    }
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) {
      values.insert(values.end(), row.begin(), row.end());
    }
    for (const DenseArray& data : both_precisions(values, n, d)) {
      for (const Scale scale : {Scale::standard, Scale::minmax}) {
        const Scaling scaling = scaling_of(data, scale, "x", team);
        EXPECT_EQ(scaling.factor, std::vector<double>(d, 0.0)) << "n = " << n;
        EXPECT_EQ(scaling.constant_columns, d);
        EXPECT_EQ(scaling.root_mean_square, 0);
      }
    }
  }
}

TEST(scaling, counts_the_constant_columns_among_others) {
  ThreadTeam team(1);
  const DenseArray data = DenseArray::own(std::vector<double>{1, 5, 0, 2, 5, 0, 4, 5, 0}, 3, 3);
  const Scaling scaling = scaling_of(data, Scale::standard, "x", team);
  EXPECT_EQ(scaling.constant_columns, 2U);
  EXPECT_GT(scaling.factor[0], 0);
  EXPECT_EQ(scaling.factor[1], 0);
  EXPECT_EQ(scaling.factor[2], 0);
}

void expect_refused(const std::vector<double>& column, Scale scale, const std::string& what) {
  ThreadTeam team(1);
  std::vector<double> values;
  for (const double x : column) {
    values.insert(values.end(), {1.0 + static_cast<double>(values.size()), x});
  }
  const DenseArray data = DenseArray::own(values, column.size(), 2);
  EXPECT_THROW(scaling_of(data, scale, "my file.csv", team), std::invalid_argument);
  const std::string message =
      message_of([&] { (void)scaling_of(data, scale, "my file.csv", team); });
  EXPECT_EQ(message.find('\n'), std::string::npos);
  for (const std::string& part :
       {std::string("my file.csv"), std::string("feature 2"), what, std::string("allowed")}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
  }
}

TEST(scaling, refuses_what_overflows_or_vanishes_and_names_the_input) {
  for (const Scale scale : {Scale::standard, Scale::minmax, Scale::none}) {
    expect_refused({1e200, 2, 3}, scale, "too large");
    expect_refused({1, 1.7e308, -1.7e308}, scale, "too large");
    expect_refused({0, NAN, 1}, scale, "too large");
    expect_refused({1e-160, 2e-160, 4e-160}, scale, "too little");
    expect_refused({1e-310, 2e-310, 4e-310}, scale, "too little");
  }
}

TEST(scaling, takes_large_and_small_numbers_that_can_be_squared) {
  ThreadTeam team(1);
  for (const double unit : {1e-140, 1e-30, 1e30, 1e140}) {
    const DenseArray data = DenseArray::own(std::vector<double>{unit, 2 * unit, 4 * unit}, 3, 1);
    const Scaling scaling = scaling_of(data, Scale::standard, "x", team);
    EXPECT_NEAR(scaling.factor[0] * unit * std::sqrt(14.0) / 3, 1, 1e-12);
  }
  const DenseArray largest = DenseArray::own(std::vector<float>{3e38F, -3e38F, 1e-38F}, 3, 1);
  EXPECT_NO_THROW((void)scaling_of(largest, Scale::standard, "x", team));
}

TEST(scaling, of_one_row_finds_all_columns_constant) {
  ThreadTeam team(1);
  const DenseArray data = DenseArray::own(std::vector<double>{3, -4}, 1, 2);
  EXPECT_EQ(scaling_of(data, Scale::standard, "x", team).constant_columns, 2U);
}

}  // namespace
}  // namespace shiftcut
