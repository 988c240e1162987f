#include "core/kernels/kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/kernel_numbers.hpp"

namespace shiftcut {
namespace {

using namespace kernel_testing;

void expect_close(const std::vector<double>& found, const std::vector<double>& expected,
                  std::size_t length) {
  for (std::size_t j = 0; j < length; ++j) {
    ASSERT_NEAR(found[j], expected[j], 1e-14) << "entry " << j << " of " << length;
  }
  ASSERT_EQ(found[length], kGuard);
}

TEST(kernels, dot_and_squared_distance_are_sums_over_the_entries) {
  Rng rng(1);
  for (std::size_t length = 0; length <= kLongest; ++length) {
    const auto a = numbers<double>(length, rng);
    const auto b = numbers<double>(length, rng);
    long double product = 0;
    long double squared = 0;
    long double size = 1;
    for (std::size_t j = 0; j < length; ++j) {
      product += static_cast<long double>(a[j]) * b[j];
      squared += (static_cast<long double>(a[j]) - b[j]) * (static_cast<long double>(a[j]) - b[j]);
      size += std::abs(a[j] * b[j]);
    }
    const double slack = 1e-15 * static_cast<double>(size) * static_cast<double>(length);
    EXPECT_NEAR(dot(a.data(), b.data(), length), static_cast<double>(product), slack);
    EXPECT_NEAR(squared_distance(a.data(), b.data(), length), static_cast<double>(squared),
                1e-14 * static_cast<double>(squared));
  }
}

TEST(kernels, squared_distance_of_close_rows_does_not_cancel) {
  Rng rng(2);
  for (std::size_t length = 1; length <= kLongest; ++length) {
    std::vector<double> a(length, 1e8);
    std::vector<double> b(length, 1e8);
    b[rng.below(static_cast<std::uint32_t>(length))] += 0.25;
    EXPECT_EQ(squared_distance(a.data(), b.data(), length), 0.0625);
    EXPECT_EQ(squared_distance(a.data(), a.data(), length), 0);
  }
}

// (1 + e)^2 = 1 + 2 e + e^2, where e^2 is lost in rounding: fused multiply-add would show it, and
// labels would depend on the processor.
template <class T>
struct Rounded {
  static constexpr T kEpsilon = std::is_same_v<T, float> ? T{0x1p-13F} : T{0x1p-30};
  static constexpr T kFactor = 1 + kEpsilon;
  static constexpr T kSquare = 1 + 2 * kEpsilon;
};

TEST(kernels, products_are_rounded_before_they_are_added) {
  constexpr double kFactor = Rounded<double>::kFactor;
  constexpr double kSquare = Rounded<double>::kSquare;
  constexpr std::size_t kLength = 67;
  for (const std::size_t apart : {std::size_t{1}, std::size_t{32}}) {  // in the rest, in a strand
    const std::size_t first = apart == 1 ? 64 : 3;
    std::vector<double> a(kLength, 0.0);
    std::vector<double> b(kLength, 0.0);
    a[first] = -kSquare;
    b[first] = 1;
    a[first + apart] = kFactor;
    b[first + apart] = kFactor;
    EXPECT_EQ(dot(a.data(), b.data(), kLength), 0) << apart;
  }
  const std::vector<double> x(kLength, kFactor);
  const std::vector<double> zeros(kLength, 0.0);
  std::vector<double> sums(kLength, -kSquare);
  std::vector<double> others(kLength, kSquare);
  add_scaled(sums.data(), kFactor, x.data(), kLength);
  EXPECT_EQ(sums, zeros);
  sums.assign(kLength, -kSquare);
  add_squared_differences(sums.data(), x.data(), zeros.data(), kLength);
  EXPECT_EQ(sums, zeros);
  sums.assign(kLength, -kSquare);
  move_between(others.data(), sums.data(), kFactor, x.data(), kLength);
  EXPECT_EQ(sums, zeros);
  EXPECT_EQ(others, zeros);
}

TEST(kernels, products_of_tiles_are_rounded_before_they_are_added) {
  const float row[] = {-Rounded<float>::kSquare, Rounded<float>::kFactor};
  const float column[] = {1, Rounded<float>::kFactor};
  PackedColumns<float> packed;
  packed.resize(2, 1);
  packed.set(0, column, 1.0F);
  const std::vector<const float*> rows(7, row);
  std::vector<float> out(rows.size() * packed.width());
  tile_products(rows.data(), rows.size(), packed, out.data());
  EXPECT_EQ(out, std::vector<float>(out.size(), 0.0F));
}

template <class T>
void expect_entrywise_kernels_hold(std::uint64_t seed) {
  Rng rng(seed);
  for (std::size_t length = 0; length <= kLongest; ++length) {
    const auto x = numbers<T>(length, rng);
    const auto y = numbers<double>(length, rng);
    const auto z = numbers<double>(length, rng);
    const double factor = normal(rng);

    auto sum = guarded(y);
    auto from = guarded(y);
    auto to = guarded(z);
    auto squares = guarded(y);
    std::vector<double> scaled = guarded(std::vector<double>(length));
    add_scaled(sum.data(), factor, x.data(), length);
    move_between(from.data(), to.data(), factor, x.data(), length);
    add_squared_differences(squares.data(), x.data(), z.data(), length);
    affine(scaled.data(), x.data(), y.data(), z.data(), length);

    std::vector<double> plus(length);
    std::vector<double> minus(length);
    std::vector<double> moved(length);
    std::vector<double> squared(length);
    std::vector<double> shifted(length);
    for (std::size_t j = 0; j < length; ++j) {
      const double value = x[j];
      plus[j] = y[j] + factor * value;
      minus[j] = y[j] - factor * value;
      moved[j] = z[j] + factor * value;
      squared[j] = y[j] + (value - z[j]) * (value - z[j]);
      shifted[j] = (value - y[j]) * z[j];
    }
    expect_close(sum, plus, length);
    expect_close(from, minus, length);
    expect_close(to, moved, length);
    expect_close(squares, squared, length);
    expect_close(scaled, shifted, length);
  }
}

TEST(kernels, entrywise_kernels_do_what_their_formulas_say) {
  expect_entrywise_kernels_hold<double>(3);
  expect_entrywise_kernels_hold<float>(4);
}

TEST(kernels, narrow_and_widen_scale_and_round_once) {
  Rng rng(5);
  for (std::size_t length = 0; length <= kLongest; ++length) {
    const auto wide = numbers<double>(length, rng);
    const auto slim = numbers<float>(length, rng);
    const double factor = normal(rng);
    auto as_float = guarded(std::vector<float>(length));
    auto as_double = guarded(std::vector<double>(length));
    narrow(as_float.data(), wide.data(), factor, length);
    widen(as_double.data(), slim.data(), factor, length);
    for (std::size_t j = 0; j < length; ++j) {
      ASSERT_EQ(as_float[j], static_cast<float>(factor * wide[j]));
      ASSERT_EQ(as_double[j], factor * static_cast<double>(slim[j]));
    }
    ASSERT_EQ(as_float[length], static_cast<float>(kGuard));
    ASSERT_EQ(as_double[length], kGuard);
  }
}

// Rows against packed columns for one shape; `expected` is the sum over the entries.
template <class T, class Kernel, class Term>
void expect_tiles_hold(std::size_t length, std::size_t row_count, std::size_t columns, Rng& rng,
                       const Kernel& kernel, const Term& term) {
  const auto rows = numbers<T>(row_count * length, rng);
  const auto entries = numbers<T>(columns * length, rng);
  std::vector<const T*> pointers;
  for (std::size_t r = row_count; r-- > 0;) {  // rows may lie anywhere: here backwards
    pointers.push_back(rows.data() + r * length);
  }
  PackedColumns<T> packed;
  packed.resize(length, columns);
  for (std::size_t c = 0; c < columns; ++c) {
    packed.set(c, entries.data() + c * length, T{1});
  }
  ASSERT_EQ(packed.width() % kPanel, 0U);
  ASSERT_GE(packed.width(), columns);
  auto out = guarded(std::vector<T>(row_count * packed.width()));
  kernel(pointers.data(), row_count, packed, out.data());
  const double roundoff = std::numeric_limits<T>::epsilon() * static_cast<double>(length + 2);
  for (std::size_t r = 0; r < row_count; ++r) {
    for (std::size_t c = 0; c < packed.width(); ++c) {
      double expected = 0;
      double row_norm = 0;
      double column_norm = 0;
      for (std::size_t j = 0; j < length; ++j) {
        const double a = pointers[r][j];
        const double b = c < columns ? static_cast<double>(entries[c * length + j]) : 0.0;
        expected += term(a, b);
        row_norm += a * a;
        column_norm += b * b;
      }
      const double size = std::abs(expected) + std::sqrt(row_norm * column_norm) + 1e-30;
      ASSERT_NEAR(static_cast<double>(out[r * packed.width() + c]), expected, roundoff * size)
          << "length " << length << ", row " << r << " of " << row_count << ", column " << c
          << " of " << columns;
    }
  }
  ASSERT_EQ(out.back(), static_cast<T>(kGuard));
}

// All lengths and row counts; of the column counts the borders of panels and one of 1 .. 40 in
// turn.
template <class Check>
void for_many_shapes(const Check& check) {
  for (std::size_t length = 1; length <= kLongest; ++length) {
    for (std::size_t rows = 0; rows <= 20; ++rows) {
      for (const std::size_t columns :
           {std::size_t{16}, std::size_t{17}, 1 + (7 * length + 3 * rows) % 40}) {
        check(length, rows, columns);
      }
    }
  }
}

TEST(kernels, tile_products_are_dot_products) {
  Rng rng(6);
  for_many_shapes([&](std::size_t length, std::size_t rows, std::size_t columns) {
    expect_tiles_hold<float>(length, rows, columns, rng, tile_products,
                             [](double a, double b) { return a * b; });
  });
}

// All entries positive, so that every rounding of a sum counts.
TEST(kernels, products_of_long_rows_keep_to_the_bound_on_their_error) {
  Rng rng(61);
  for (const std::size_t length : {1U, 63U, 64U, 65U, 128U, 784U, 5000U}) {
    std::vector<float> row(length);
    std::vector<float> column(length);
    double expected = 0;
    for (std::size_t j = 0; j < length; ++j) {
      row[j] = static_cast<float>(0.5 + rng.uniform());
      column[j] = static_cast<float>(0.5 + rng.uniform());
      expected += static_cast<double>(row[j]) * static_cast<double>(column[j]);
    }
    PackedColumns<float> packed;
    packed.resize(length, 1);
    packed.set(0, column.data(), 1.0F);
    const float* rows = row.data();
    std::vector<float> out(packed.width());
    tile_products(&rows, 1, packed, out.data());
    EXPECT_NEAR(static_cast<double>(out[0]), expected,
                product_roundings(length) * 0x1p-24 * expected)
        << "length " << length;
  }
}

TEST(kernels, tile_squared_distances_are_squared_distances) {
  Rng rng(7);
  for_many_shapes([&](std::size_t length, std::size_t rows, std::size_t columns) {
    expect_tiles_hold<double>(length, rows, columns, rng, tile_squared_distances,
                              [](double a, double b) { return (a - b) * (a - b); });
  });
}

TEST(kernels, packed_columns_may_be_set_one_by_one_or_all_at_once) {
  Rng rng(71);
  for (const std::size_t count : {1U, 15U, 16U, 17U, 40U}) {
    const std::size_t length = 9;
    const auto entries = numbers<double>(count * length, rng);
    PackedColumns<float> one_by_one;
    PackedColumns<float> at_once;
    one_by_one.resize(length, count);
    at_once.resize(length, count);
    std::vector<const double*> columns;
    for (std::size_t c = 0; c < count; ++c) {
      columns.push_back(&entries[c * length]);
      one_by_one.set(c, columns.back(), 0.3);
    }
    at_once.set_all(columns, 0.3);
    for (std::size_t i = 0; i < length * at_once.width(); ++i) {
      ASSERT_EQ(at_once.panel(0)[i], one_by_one.panel(0)[i]) << count << " columns, entry " << i;
    }
  }
}

TEST(kernels, add_four_adds_four_rows) {
  Rng rng(72);
  for (std::size_t length = 0; length <= kLongest; ++length) {
    const auto rows = numbers<float>(4 * length, rng);
    const float* pointers[4];
    const auto start = numbers<double>(length, rng);
    auto expected = guarded(start);
    for (std::size_t r = 0; r < 4; ++r) {
      pointers[r] = rows.data() + r * length;
      add_scaled(expected.data(), 1.5, pointers[r], length);
    }
    auto found = guarded(start);
    add_four(found.data(), 1.5, pointers, length);
    expect_close(found, expected, length);
  }
}

TEST(kernels, packed_columns_are_zero_again_after_a_change_of_size) {
  PackedColumns<float> packed;
  const std::vector<float> ones(20, 1.0F);
  packed.resize(20, 16);
  for (std::size_t c = 0; c < 16; ++c) {
    packed.set(c, ones.data(), 2.0F);
  }
  packed.resize(20, 3);
  EXPECT_EQ(packed.width(), kPanel);
  EXPECT_EQ(packed.count(), 3U);
  for (std::size_t i = 0; i < 20 * kPanel; ++i) {
    EXPECT_EQ(packed.panel(0)[i], 0.0F);
  }
}

TEST(kernels, float_sums_and_moves_do_what_their_formulas_say) {
  Rng rng(13);
  for (std::size_t length = 0; length <= kLongest; ++length) {
    const auto x = numbers<float>(length, rng);
    const auto start = numbers<float>(length, rng);
    auto sum = guarded(start);
    auto from = guarded(start);
    auto to = guarded(start);
    add_scaled(sum.data(), 1.5F, x.data(), length);
    move_between(from.data(), to.data(), x.data(), length);
    for (std::size_t j = 0; j < length; ++j) {
      ASSERT_NEAR(sum[j], start[j] + 1.5F * x[j], 1e-5);
      ASSERT_EQ(from[j], start[j] - x[j]);
      ASSERT_EQ(to[j], start[j] + x[j]);
    }
    ASSERT_EQ(sum[length], static_cast<float>(kGuard));
    ASSERT_EQ(from[length], static_cast<float>(kGuard));
    ASSERT_EQ(to[length], static_cast<float>(kGuard));
  }
}

TEST(kernels, sum_rows_sums_the_rows_whatever_their_length) {
  Rng rng(21);
  for (std::size_t length = 0; length <= 2 * kLongest; ++length) {
    const std::size_t count = rng.below(12);
    std::vector<std::vector<float>> values(count);
    std::vector<const float*> rows;
    for (auto& row : values) {
      row = numbers<float>(length, rng);
      rows.push_back(row.data());
    }
    std::vector<float> sums = guarded(numbers<float>(length, rng));
    sum_rows(sums.data(), rows.data(), count, length);
    for (std::size_t j = 0; j < length; ++j) {
      double expected = 0;
      for (const auto& row : values) {
        expected += static_cast<double>(row[j]);
      }
      ASSERT_NEAR(static_cast<double>(sums[j]), expected, 1e-5)
          << "entry " << j << " of " << length;
    }
    ASSERT_EQ(sums[length], static_cast<float>(kGuard));
  }
}

}  // namespace
}  // namespace shiftcut
