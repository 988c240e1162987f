#include "neighbors/nearest_neighbors.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "neighbors/support.hpp"

namespace shiftcut {
namespace {

using neighbors_testing::plain_neighbors;
using neighbors_testing::rows_of;
using testing_support::grouped_rows;

void expect_same(const NeighborLists& found, const NeighborLists& expected) {
  ASSERT_EQ(found.n, expected.n);
  ASSERT_EQ(found.k, expected.k);
  for (std::size_t e = 0; e < expected.ids.size(); ++e) {
    ASSERT_EQ(found.ids[e], expected.ids[e])
        << "object " << e / expected.k << ", place " << e % expected.k;
    ASSERT_EQ(found.squared[e], expected.squared[e]);
  }
}

void copy_some_rows(std::vector<double>& values, std::size_t n, std::size_t d, Rng& rng) {
  for (std::size_t c = 0; c < n; ++c) {
    const std::size_t from = rng.below(static_cast<std::uint32_t>(1 + n / 4));
    const std::size_t to = rng.below(static_cast<std::uint32_t>(n));
    std::copy_n(&values[from * d], d, &values[to * d]);
  }
}

TEST(nearest_neighbors, all_pairs_give_what_the_plain_loop_gives) {
  Rng rng(1);
  ThreadTeam team(2);
  for (const std::size_t n : {1U, 2U, 3U, 5U, 6U, 17U, 100U, 193U, 256U, 257U, 300U}) {
    for (const std::size_t d : {1U, 2U, 7U, 33U}) {
      std::vector<double> values = grouped_rows(n, d, 3, rng);
      if (n % 2 == 0) {
        copy_some_rows(values, n, d, rng);
      }
      const FeatureRows rows = rows_of(values, n, d);
      for (const std::size_t k : {std::size_t{1}, std::size_t{4}, n / 2 + 1, n, n + 3}) {
        SCOPED_TRACE("n " + std::to_string(n) + ", d " + std::to_string(d) + ", k " +
                     std::to_string(k));
        expect_same(nearest_neighbors(rows, k, team, Control{}), plain_neighbors(rows, k));
      }
    }
  }
}

TEST(nearest_neighbors, ties_go_to_the_next_object) {
  Rng rng(2);
  ThreadTeam team(2);
  for (const std::size_t d : {1U, 2U, 6U}) {
    std::vector<double> values(280 * d);
    for (double& value : values) {
      value = rng.below(4);
    }
    const FeatureRows rows = rows_of(values, 280, d);
    for (const std::size_t k : {1U, 3U, 40U, 200U}) {
      expect_same(nearest_neighbors(rows, k, team, Control{}), plain_neighbors(rows, k));
    }
  }
}

TEST(nearest_neighbors, a_row_that_differs_from_all_others_alike_is_found_by_number) {
  ThreadTeam team(1);
  const std::size_t n = 150;
  std::vector<double> values(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    values[i * n + i] = 1;
  }
  const FeatureRows rows = rows_of(values, n, n);
  expect_same(nearest_neighbors(rows, 4, team, Control{}), plain_neighbors(rows, 4));
}

TEST(nearest_neighbors, the_scale_of_the_numbers_does_not_matter) {
  Rng rng(3);
  ThreadTeam team(2);
  for (const double scale : {1e-150, 1e-30, 1e30, 1e150}) {
    std::vector<double> values = grouped_rows(250, 5, 3, rng);
    for (double& value : values) {
      value *= scale;
    }
    const FeatureRows rows = rows_of(values, 250, 5);
    expect_same(nearest_neighbors(rows, 6, team, Control{}), plain_neighbors(rows, 6));
  }
}

// Closer together than float32 can tell, far from the origin, and with rows far out.
TEST(nearest_neighbors, rows_that_float32_confuses_are_told_apart) {
  Rng rng(4);
  ThreadTeam team(2);
  std::vector<double> close = grouped_rows(300, 3, 1, rng);
  std::vector<double> outliers = close;
  std::vector<double> islands = close;
  for (std::size_t i = 0; i < 300; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      close[i * 3 + j] = 1e6 + 1e-6 * close[i * 3 + j];
      outliers[i * 3 + j] += i % 50 == 0 ? 1e12 * static_cast<double>(i) : 0;
      islands[i * 3 + j] = 1e-9 * islands[i * 3 + j] + static_cast<double>(i % 3);
    }
  }
  for (const auto& values : {close, outliers, islands}) {
    const FeatureRows rows = rows_of(values, 300, 3);
    expect_same(nearest_neighbors(rows, 10, team, Control{}), plain_neighbors(rows, 10));
  }
}

TEST(nearest_neighbors, equal_rows_form_a_ring) {
  ThreadTeam team(2);
  const std::size_t n = 100'000;
  const FeatureRows rows = rows_of(std::vector<double>(n * 2, 7.5), n, 2);
  const NeighborLists lists = nearest_neighbors(rows, 5, team, Control{});
  for (std::size_t i = 0; i < n; i += 999) {
    for (std::size_t e = 0; e < 5; ++e) {
      ASSERT_EQ(lists.ids[i * 5 + e], (i + e + 1) % n);
      ASSERT_EQ(lists.squared[i * 5 + e], 0);
    }
  }
}

TEST(nearest_neighbors, threads_never_change_the_lists) {
  Rng rng(5);
  std::vector<double> values = grouped_rows(1500, 9, 6, rng);
  copy_some_rows(values, 300, 9, rng);
  const FeatureRows rows = rows_of(values, 1500, 9, Scale::standard);
  for (const NeighborSearch how : {NeighborSearch::all_pairs, NeighborSearch::by_cells}) {
    ThreadTeam alone(1);
    const NeighborLists expected = nearest_neighbors(rows, 10, alone, Control{}, how);
    for (const int threads : {2, 7}) {
      ThreadTeam team(threads);
      expect_same(nearest_neighbors(rows, 10, team, Control{}, how), expected);
    }
  }
}

TEST(nearest_neighbors, is_left_by_an_exception_when_told_to_stop) {
  Rng rng(6);
  const FeatureRows rows = rows_of(grouped_rows(900, 3, 2, rng), 900, 3);
  const std::atomic<bool> flag{true};
  Control control;
  control.stop = &flag;
  for (const NeighborSearch how : {NeighborSearch::all_pairs, NeighborSearch::by_cells}) {
    ThreadTeam team(2);
    StopCheck stop(control, Clock::now(), 0);
    {
      const StopScope scope(team, stop);
      EXPECT_THROW(nearest_neighbors(rows, 5, team, control, how), Interrupted);
    }
    EXPECT_NO_THROW(nearest_neighbors(rows, 5, team, Control{}, how)) << "the team goes on";
  }
}

TEST(nearest_neighbors, tells_how_far_it_is) {
  Rng rng(7);
  const FeatureRows rows = rows_of(grouped_rows(900, 3, 2, rng), 900, 3);
  ThreadTeam team(2);
  for (const NeighborSearch how : {NeighborSearch::all_pairs, NeighborSearch::by_cells}) {
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    Control control;
    control.progress = [&](const Progress& progress) {
      EXPECT_EQ(progress.phase, "neighbours");
      EXPECT_GT(progress.done, done);
      EXPECT_TRUE(total == 0 || progress.total == total);
      done = progress.done;
      total = progress.total;
    };
    (void)nearest_neighbors(rows, 5, team, control, how);
    EXPECT_GT(total, 0U);
    EXPECT_EQ(done, total);
  }
}

}  // namespace
}  // namespace shiftcut
