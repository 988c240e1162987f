#include "methods/spectral/eigenvectors.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "methods/graphs.hpp"
#include "methods/operations.hpp"

namespace shiftcut::methods {
namespace {

TEST(eigenvectors, the_second_of_two_triangles_is_the_worked_one) {
  ThreadTeam team(1);
  const std::vector<double> ones(6, 1.0);
  const Eigenpair found = second_laplacian_eigenpair(two_triangles(), ones, team, {});
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.value, .0637709, 1e-7);
  const double expected[] = {.416918, .416918, .390331, -.390331, -.416918, -.416918};
  const double sign = found.vector[0] > 0 ? 1 : -1;
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(sign * found.vector[i], expected[i], 1e-6);
  }
}

TEST(eigenvectors, weighted_by_degrees_the_second_is_the_worked_one) {
  ThreadTeam team(1);
  const std::vector<double> degree = degrees(two_triangles(), team);
  const Eigenpair found = second_laplacian_eigenpair(two_triangles(), degree, team, {});
  EXPECT_NEAR(found.value, .0314066, 1e-7);
  EXPECT_NEAR(found.vector[2] / found.vector[0], .274119 / .292491, 1e-5);
  double length = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(found.vector[i], -found.vector[5 - i], 1e-12);
    length += degree[i] * found.vector[i] * found.vector[i];
  }
  EXPECT_NEAR(length, 1, 1e-12);
}

TEST(eigenvectors, a_ring_of_many_objects_has_its_known_second_eigenvalue) {
  constexpr std::uint32_t n = 400;
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < n; ++i) {
    entries.push_back({i, (i + 1) % n, 1});
    entries.push_back({(i + 1) % n, i, 1});
  }
  const Similarities ring = sparse_from_entries(std::move(entries), n, n);
  ThreadTeam team(2);
  const Eigenpair found = second_laplacian_eigenpair(ring, std::vector<double>(n, 1.0), team, {});
  EXPECT_NEAR(found.value, 2 - 2 * std::cos(2 * M_PI / n), 1e-9);
}

TEST(eigenvectors, threads_change_nothing) {
  const DenseArray w = planted(200, 3, 1, 0.1, 7);
  const std::vector<double> ones(200, 1.0);
  ThreadTeam one(1);
  const Eigenpair alone = second_laplacian_eigenpair(w, ones, one, {});
  EXPECT_TRUE(alone.converged);
  for (const int threads : {2, 7}) {
    ThreadTeam team(threads);
    EXPECT_EQ(second_laplacian_eigenpair(w, ones, team, {}).vector, alone.vector);
  }
}

TEST(eigenvectors, stop_when_asked) {
  const std::atomic<bool> stop{true};
  Control control;
  control.stop = &stop;
  ThreadTeam team(1);
  const std::vector<double> ones(80, 1.0);
  EXPECT_THROW(second_laplacian_eigenpair(planted(80, 2, 1, 0.1, 1), ones, team, control),
               Interrupted);
}

}  // namespace
}  // namespace shiftcut::methods
