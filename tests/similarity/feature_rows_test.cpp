#include "similarity/feature_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using testing_support::grouped_rows;

std::vector<double> row_of(const FeatureRows& rows, std::size_t i) {
  std::vector<double> row(rows.length());
  rows.row(i, row.data());
  return row;
}

std::vector<double> sum_of(const FeatureRows& rows) {
  std::vector<double> sum(rows.length(), 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double> row = row_of(rows, i);
    for (std::size_t j = 0; j < row.size(); ++j) {
      sum[j] += row[j];
    }
  }
  return sum;
}

DenseArray array_of(const std::vector<double>& values, std::size_t n, std::size_t d,
                    bool as_float) {
  return as_float ? DenseArray::own(std::vector<float>(values.begin(), values.end()), n, d)
                  : DenseArray::own(values, n, d);
}

template <class Check>
void for_many_arrays(std::uint64_t seed, const Check& check) {
  ThreadTeam team(2);
  Rng rng(seed);
  for (int round = 0; round < 20; ++round) {
    const std::size_t n = 2 + rng.below(300);
    const std::size_t d = 1 + rng.below(20);
    const std::vector<double> values = grouped_rows(n, d, 3, rng);
    for (const bool as_float : {false, true}) {
      const DenseArray data = array_of(values, n, d, as_float);
      for (const Scale scale : {Scale::standard, Scale::minmax, Scale::none}) {
        check(data, scaling_of(data, scale, "x", team), team);
      }
    }
  }
}

TEST(feature_rows, scaled_is_the_scaling_and_nothing_else) {
  for_many_arrays(1, [](const DenseArray& data, const Scaling& scaling, ThreadTeam&) {
    const FeatureRows rows = FeatureRows::scaled(data, scaling);
    EXPECT_EQ(rows.size(), data.rows());
    EXPECT_EQ(rows.length(), data.columns());
    EXPECT_EQ(rows.is_float32(), data.is_float32());
    EXPECT_GT(rows.typical_norm(), 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::vector<double> row = row_of(rows, i);
      for (std::size_t j = 0; j < row.size(); ++j) {
        ASSERT_NEAR(row[j], (data.at(i, j) - scaling.offset[j]) * scaling.factor[j], 1e-13);
      }
    }
  });
}

TEST(feature_rows, centred_rows_sum_to_zero_and_differ_as_the_scaled_ones) {
  for_many_arrays(2, [](const DenseArray& data, const Scaling& scaling, ThreadTeam&) {
    const FeatureRows rows = FeatureRows::centred(data, scaling);
    const FeatureRows scaled = FeatureRows::scaled(data, scaling);
    for (const double sum : sum_of(rows)) {
      EXPECT_NEAR(sum, 0, 1e-12 * static_cast<double>(rows.size()));
    }
    EXPECT_TRUE(rows.centre().empty());
    const auto first = row_of(rows, 0);
    const auto last = row_of(rows, rows.size() - 1);
    const auto scaled_first = row_of(scaled, 0);
    const auto scaled_last = row_of(scaled, rows.size() - 1);
    for (std::size_t j = 0; j < first.size(); ++j) {
      EXPECT_NEAR(first[j] - last[j], scaled_first[j] - scaled_last[j], 1e-12);
    }
  });
}

TEST(feature_rows, unit_centred_rows_have_unit_length_before_they_are_centred) {
  for_many_arrays(3, [](const DenseArray& data, const Scaling& scaling, ThreadTeam& team) {
    const FeatureRows rows = FeatureRows::unit_centred(data, scaling, team);
    const FeatureRows scaled = FeatureRows::scaled(data, scaling);
    for (const double sum : sum_of(rows)) {
      EXPECT_NEAR(sum, 0, 1e-13 * static_cast<double>(rows.size()));
    }
    ASSERT_EQ(rows.centre().size(), rows.length());
    EXPECT_GT(rows.typical_norm(), 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = row_of(rows, i);
      const auto direction = row_of(scaled, i);
      double squared = 0;
      double along = 0;
      double norm = 0;
      for (std::size_t j = 0; j < row.size(); ++j) {
        const double unit = row[j] + rows.centre()[j];
        squared += unit * unit;
        along += unit * direction[j];
        norm += direction[j] * direction[j];
      }
      ASSERT_NEAR(squared, norm > 0 ? 1 : 0, 1e-12);
      ASSERT_NEAR(along, std::sqrt(norm), 1e-12 * (1 + norm)) << "the same direction";
    }
  });
}

TEST(feature_rows, unit_centred_rows_do_not_depend_on_the_number_of_threads) {
  Rng rng(4);
  const std::size_t n = 5003;
  const DenseArray data = DenseArray::own(grouped_rows(n, 5, 3, rng), n, 5);
  ThreadTeam alone(1);
  const Scaling scaling = scaling_of(data, Scale::none, "x", alone);
  const FeatureRows expected = FeatureRows::unit_centred(data, scaling, alone);
  for (const int threads : {2, 7}) {
    ThreadTeam team(threads);
    EXPECT_EQ(FeatureRows::unit_centred(data, scaling, team).centre(), expected.centre());
  }
}

TEST(feature_rows, a_zero_row_has_no_direction_and_is_counted) {
  ThreadTeam team(1);
  const DenseArray data = DenseArray::own(std::vector<double>{3, 4, 0, 0, -6, 8, 0, 0}, 4, 2);
  const Scaling none = scaling_of(data, Scale::none, "x", team);
  const FeatureRows rows = FeatureRows::unit_centred(data, none, team);
  EXPECT_EQ(rows.zero_rows(), 2U);
  EXPECT_NEAR(rows.centre()[0], 0, 1e-15);
  EXPECT_NEAR(rows.centre()[1], 0.4, 1e-15);
  for (const std::size_t zero : {1U, 3U}) {
    EXPECT_NEAR(row_of(rows, zero)[0], 0, 1e-15);
    EXPECT_NEAR(row_of(rows, zero)[1], -0.4, 1e-15);
  }
  EXPECT_EQ(FeatureRows::centred(data, none).zero_rows(), 0U);
}

TEST(feature_rows, of_only_zeros_are_zero) {
  ThreadTeam team(1);
  const DenseArray data = DenseArray::own(std::vector<double>(6, 0.0), 3, 2);
  const FeatureRows rows =
      FeatureRows::unit_centred(data, scaling_of(data, Scale::standard, "x", team), team);
  EXPECT_EQ(rows.zero_rows(), 3U);
  EXPECT_GT(rows.typical_norm(), 0);
  EXPECT_EQ(row_of(rows, 2), std::vector<double>(2, 0.0));
}

}  // namespace
}  // namespace shiftcut
