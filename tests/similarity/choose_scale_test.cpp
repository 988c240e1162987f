#include "similarity/choose_scale.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/rng.hpp"

namespace shiftcut {
namespace {

double normal(Rng& rng) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += rng.uniform();
  return sum;
}

struct Table {
  std::size_t n;
  std::size_t d;
  std::vector<double> values;

  [[nodiscard]] ScaleChoice choice(int threads = 2) const {
    ThreadTeam team(threads);
    const DenseArray data = DenseArray::own(values, n, d);
    return choose_scale(data, scaling_of(data, Scale::none, "x", team), team);
  }
};

// Round clusters; column j times unit_j.
Table clusters(std::size_t n, std::size_t k, const std::vector<double>& unit, Rng& rng) {
  const std::size_t d = unit.size();
  std::vector<double> centre(k * d);
  for (double& value : centre) value = 4 * normal(rng);
  Table table{n, d, std::vector<double>(n * d)};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      table.values[i * d + j] = (centre[i % k * d + j] + normal(rng)) * unit[j];
    }
  }
  return table;
}

// Clusters in the first columns, small noise in all others: an embedding.
Table embedding(std::size_t n, std::size_t signal, std::size_t d, Rng& rng) {
  Table table = clusters(n, 5, std::vector<double>(d, 1.0), rng);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = signal; j < d; ++j) {
      table.values[i * d + j] = 0.5 * normal(rng);
    }
  }
  return table;
}

TEST(choose_scale, standardises_columns_of_different_units) {
  Rng rng(1);
  for (const auto& unit : {std::vector<double>{1, 100, 0.01, 5000, 1},
                           std::vector<double>{0.001, 1, 1, 30, 1, 1000, 5, 20}}) {
    const ScaleChoice choice = clusters(500, 4, unit, rng).choice();
    EXPECT_EQ(choice.scale, Scale::standard) << choice.reason;
  }
}

TEST(choose_scale, leaves_embeddings_as_they_are_in_any_order_of_columns_and_rotated) {
  Rng rng(2);
  Table table = embedding(600, 4, 24, rng);
  EXPECT_EQ(table.choice().scale, Scale::none) << table.choice().reason;
  std::vector<std::size_t> order(table.d);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t c = table.d; c > 1; --c) {
    std::swap(order[c - 1], order[rng.below(static_cast<std::uint32_t>(c))]);
  }
  Table mixed = table;
  for (std::size_t i = 0; i < table.n; ++i) {
    for (std::size_t j = 0; j < table.d; ++j) {
      mixed.values[i * table.d + j] = table.values[i * table.d + order[j]];
    }
  }
  EXPECT_EQ(mixed.choice().scale, Scale::none) << mixed.choice().reason;
  // Turned in every plane of two neighbouring columns, several times over.
  for (int turn = 0; turn < 40; ++turn) {
    for (std::size_t j = 0; j + 1 < mixed.d; ++j) {
      const double c = std::cos(0.7 + static_cast<double>(turn + static_cast<int>(j)));
      const double s = std::sqrt(1 - c * c);
      for (std::size_t i = 0; i < mixed.n; ++i) {
        double& x = mixed.values[i * mixed.d + j];
        double& y = mixed.values[i * mixed.d + j + 1];
        const double turned = c * x - s * y;
        y = s * x + c * y;
        x = turned;
      }
    }
  }
  EXPECT_EQ(mixed.choice().scale, Scale::none) << mixed.choice().reason;
}

TEST(choose_scale, recognises_principal_components) {
  Rng rng(3);
  Table table{400, 10, std::vector<double>(4000)};
  for (std::size_t i = 0; i < 400; ++i) {
    for (std::size_t j = 0; j < 10; ++j) {
      table.values[i * 10 + j] = normal(rng) / static_cast<double>(j + 1);
    }
  }
  const ScaleChoice choice = table.choice();
  EXPECT_EQ(choice.scale, Scale::none);
  EXPECT_NE(choice.reason.find("principal components"), std::string::npos) << choice.reason;
}

TEST(choose_scale, does_not_depend_on_a_constant_factor_or_the_number_of_threads) {
  Rng rng(4);
  for (int repeat = 0; repeat < 6; ++repeat) {
    Table table = repeat % 2 == 0 ? embedding(700, 3, 12, rng)
                                  : clusters(700, 3, {1, 50, 0.2, 900, 4, 4}, rng);
    const ScaleChoice choice = table.choice();
    EXPECT_EQ(table.choice(1).reason, choice.reason);
    for (const double factor : {1e-6, 0.3, 1e5}) {
      Table other = table;
      for (double& value : other.values) value *= factor;
      EXPECT_EQ(other.choice().scale, choice.scale) << factor;
    }
  }
}

TEST(choose_scale, does_not_depend_on_the_order_of_the_rows) {
  Rng rng(5);
  for (const std::size_t n : {250U, 900U}) {
    Table table = embedding(n, 3, 9, rng);
    const ScaleChoice choice = table.choice();
    Table shuffled = table;
    for (std::size_t i = n; i > 1; --i) {
      const std::size_t other = rng.below(static_cast<std::uint32_t>(i));
      std::swap_ranges(&shuffled.values[(i - 1) * 9], &shuffled.values[(i - 1) * 9] + 9,
                       &shuffled.values[other * 9]);
    }
    EXPECT_EQ(shuffled.choice().reason, choice.reason);
  }
}

TEST(choose_scale, takes_two_columns_to_have_one_unit_unless_they_differ_tenfold) {
  Rng rng(6);
  EXPECT_EQ(clusters(200, 3, {1, 3}, rng).choice().scale, Scale::none);
  EXPECT_EQ(clusters(200, 3, {1, 1000}, rng).choice().scale, Scale::standard);
}

TEST(choose_scale, standardises_where_there_is_nothing_to_choose_by) {
  Rng rng(7);
  EXPECT_EQ(clusters(100, 3, {5}, rng).choice().scale, Scale::standard);
  EXPECT_EQ(clusters(5, 2, {1, 1, 1}, rng).choice().scale, Scale::standard);
  EXPECT_EQ((Table{30, 3, std::vector<double>(90, 7.0)}).choice().scale, Scale::standard);
}

TEST(share_of_zeros, is_that_of_rows_of_one_kind_without_negative_numbers) {
  ThreadTeam team(2);
  const auto share = [&](std::vector<double> values) {
    return share_of_zeros(DenseArray::own(std::move(values), 4, 3), team);
  };
  EXPECT_DOUBLE_EQ(share({1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0}), 8.0 / 12);
  EXPECT_EQ(share({1, 0, 0, 0, -1, 0, 0, 0, 1, 2, 0, 0}), 0);
  EXPECT_EQ(share({1, 0, 90, 0, 1, 80, 0, 0, 70, 2, 0, 60}), 0);  // a column without zeros
  EXPECT_EQ(share({1, 0, 90, 0, 1, 80, 0, 0, 70, 2, 0, 0}), 0);   // with a unit of its own
}

}  // namespace
}  // namespace shiftcut
