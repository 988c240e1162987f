#include "descent/projection.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/rng.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using testing_support::normal;

constexpr std::size_t kLength = 150;

// Rows of 40 hidden dimensions, more than there are directions.
struct Rows {
  explicit Rows(std::size_t n) : values(n * kLength) {
    Rng rng(5);
    std::vector<double> patterns(40 * kLength);
    for (double& value : patterns) {
      value = normal(rng);
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t h = 0; h < 40; ++h) {
        const double factor = normal(rng) / (1 + static_cast<double>(h));
        for (std::size_t j = 0; j < kLength; ++j) {
          values[i * kLength + j] += static_cast<float>(factor * patterns[h * kLength + j]);
        }
      }
    }
  }
  [[nodiscard]] const float* row(ObjectId i) const { return &values[i * kLength]; }
  [[nodiscard]] std::vector<double> sum(ObjectId begin, ObjectId end) const {
    std::vector<double> total(kLength, 0.0);
    for (ObjectId i = begin; i < end; ++i) {
      add_scaled(total.data(), 1, row(i), kLength);
    }
    return total;
  }

  std::vector<float> values;
};

void find_coordinates(Projection& projection, const Rows& rows, std::size_t n, double error) {
  std::vector<float> products(Projection::kDimensions);
  for (ObjectId i = 0; i < n; ++i) {
    const float* row = rows.row(i);
    tile_products(&row, 1, projection.directions(), products.data());
    std::vector<double> wide(kLength);
    widen(wide.data(), row, 1, kLength);
    const double norm = std::sqrt(dot(wide.data(), wide.data(), kLength));
    projection.set_coordinates(i, products.data(), norm, error);
  }
}

TEST(projection, bounds_the_part_of_a_product_that_its_coordinates_leave_out) {
  constexpr std::size_t kRows = 300;
  const double error = std::sqrt(32.0) * product_roundings(kLength) * 0x1p-24;
  ThreadTeam team(2);
  const Rows rows(kRows);
  const std::vector<double> a = rows.sum(0, 100);
  const std::vector<double> b = rows.sum(100, 300);
  const std::vector<double> other = rows.sum(50, 120);
  Projection projection(kRows, kLength);
  EXPECT_FALSE(projection.is_set());
  const std::vector<const double*> vectors{a.data(), b.data()};
  projection.rebuild(vectors, [&](ObjectId i) { return rows.row(i); }, team);
  EXPECT_TRUE(projection.is_set());
  EXPECT_FALSE(projection.has_coordinates(0));
  find_coordinates(projection, rows, kRows, error);
  EXPECT_TRUE(projection.has_coordinates(0));

  for (const std::vector<double>* s : {&a, &b, &other}) {
    std::vector<double> coordinates(Projection::kDimensions);
    const double rest = projection.project(s->data(), coordinates.data());
    const double length = std::sqrt(dot(s->data(), s->data(), kLength));
    EXPECT_EQ(rest < 1e-5 * length, s != &other) << rest / length;
    EXPECT_LT(rest, 0.5 * length);
    for (ObjectId i = 0; i < kRows; ++i) {
      std::vector<double> x(kLength);
      widen(x.data(), rows.row(i), 1, kLength);
      std::vector<double> u(Projection::kDimensions);
      widen(u.data(), projection.coordinates(i), 1, u.size());
      const double norm = std::sqrt(dot(x.data(), x.data(), kLength));
      const double approximate = dot(u.data(), coordinates.data(), u.size());
      const double off = std::abs(dot(x.data(), s->data(), kLength) - approximate);
      const double left = static_cast<double>(projection.residual(i)) * norm;
      ASSERT_LE(off, left * rest + error * norm * length) << "row " << i;
      ASSERT_LE(left, 1.1 * norm);
    }
  }
}

TEST(projection, forgets_coordinates_when_it_is_rebuilt) {
  constexpr std::size_t kRows = 50;
  ThreadTeam team(1);
  const Rows rows(kRows);
  const std::vector<double> a = rows.sum(0, 20);
  const std::vector<const double*> vectors{a.data()};
  Projection projection(kRows, kLength);
  projection.rebuild(vectors, [&](ObjectId i) { return rows.row(i); }, team);
  find_coordinates(projection, rows, kRows, 1e-5);
  EXPECT_TRUE(projection.has_coordinates(7));
  projection.rebuild(vectors, [&](ObjectId i) { return rows.row(i); }, team);
  EXPECT_FALSE(projection.has_coordinates(7));
}

// Fewer directions than there is room for, and vectors that are nothing.
TEST(projection, of_rows_that_lie_in_few_dimensions_holds_them_all) {
  ThreadTeam team(2);
  std::vector<float> values(40 * kLength, 0.0F);
  for (std::size_t i = 0; i < 40; ++i) {
    values[i * kLength + i % 3] = static_cast<float>(1 + i);
  }
  const std::vector<double> zero(kLength, 0.0);
  const std::vector<const double*> vectors{zero.data(), zero.data()};
  Projection projection(40, kLength);
  projection.rebuild(vectors, [&](ObjectId i) { return &values[i * kLength]; }, team);
  std::vector<double> s(kLength, 0.0);
  s[0] = 3;
  s[2] = -4;
  std::vector<double> coordinates(Projection::kDimensions);
  EXPECT_LT(projection.project(s.data(), coordinates.data()), 1e-4);
  EXPECT_NEAR(dot(coordinates.data(), coordinates.data(), coordinates.size()), 25, 1e-6);
}

}  // namespace
}  // namespace shiftcut
