#include "shiftcut/methods/p_spectral.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "methods/graphs.hpp"

namespace shiftcut::methods {
namespace {

using testing::HasSubstr;

PSpectralOptions with(std::size_t clusters, double p, bool normalized) {
  PSpectralOptions options;
  options.clusters = clusters;
  options.p = p;
  options.normalized = normalized;
  return options;
}

struct TwoWayCosts {
  double cheeger = std::numeric_limits<double>::infinity();
  double ratio = std::numeric_limits<double>::infinity();
};

// Straight from the definitions.
TwoWayCosts costs_of(const DenseArray& w, const Labels& labels, bool normalized) {
  double cut = 0;
  double sizes[2] = {};
  for (std::size_t i = 0; i < w.rows(); ++i) {
    double degree = 0;
    for (std::size_t j = 0; j < w.rows(); ++j) {
      degree += w.at(i, j);
      cut += labels[i] != labels[j] ? w.at(i, j) / 2 : 0;
    }
    sizes[labels[i]] += normalized ? degree : 1;
  }
  return {cut / std::min(sizes[0], sizes[1]), cut / sizes[0] + cut / sizes[1]};
}

TwoWayCosts least_costs(const DenseArray& w, bool normalized) {
  TwoWayCosts least;
  const std::size_t n = w.rows();
  for (std::uint32_t sides = 1; sides < (1U << (n - 1)); ++sides) {
    Labels labels(n);
    for (std::size_t i = 0; i < n; ++i) {
      labels[i] = static_cast<std::int32_t>((sides >> i) & 1U);
    }
    const TwoWayCosts costs = costs_of(w, labels, normalized);
    least.cheeger = std::min(least.cheeger, costs.cheeger);
    least.ratio = std::min(least.ratio, costs.ratio);
  }
  return least;
}

TEST(p_spectral, second_eigenvalues_of_two_triangles_are_the_worked_ones) {
  const std::pair<double, double> worked[] = {
      {2, .0637709}, {1.5, .0471056}, {1.2, .0382899}, {1.1, .0357258}};
  for (const auto& [p, value] : worked) {
    for (const Similarities& w :
         {Similarities(two_triangles()), Similarities(as_graph(two_triangles()))}) {
      const PEigenpair found = p_eigenpair(w, with(2, p, false));
      EXPECT_NEAR(found.value, value, 1e-7) << p;
      EXPECT_TRUE(found.converged);
      EXPECT_NEAR(p_functional(w, found.vector, p, false), found.value, 1e-12);
    }
  }
}

TEST(p_spectral, indicators_have_the_worked_values) {
  const std::vector<double> triangle = {1, 1, 1, 0, 0, 0};
  const std::vector<double> pair = {1, 1, 0, 0, 0, 0};
  EXPECT_NEAR(p_functional(two_triangles(), triangle, 1.5, false), .0471405, 1e-7);
  EXPECT_NEAR(p_functional(two_triangles(), triangle, 1.0001, false), .0333333, 1e-4);
  EXPECT_NEAR(p_functional(two_triangles(), pair, 2, false), 1.5, 1e-12);
  EXPECT_NEAR(p_functional(two_triangles(), pair, 1.5, false), 1.1180340, 1e-7);
}

TEST(p_spectral, an_indicator_has_the_value_of_the_formula) {
  const DenseArray w = planted(11, 2, 1, 0.4, 3);
  for (const bool normalized : {false, true}) {
    for (const double p : {1.05, 1.3, 1.7, 2.0}) {
      std::vector<double> u(11);
      double cut = 0;
      double sizes[2] = {};
      for (std::size_t i = 0; i < 11; ++i) {
        u[i] = i < 4 ? 7 : 3;  // neither scale nor shift counts
        double degree = 0;
        for (std::size_t j = 0; j < 11; ++j) {
          degree += w.at(i, j);
          cut += i < 4 && j >= 4 ? w.at(i, j) : 0;
        }
        sizes[i < 4 ? 0 : 1] += normalized ? degree : 1;
      }
      const double expected =
          cut *
          std::pow(std::pow(sizes[0], -1 / (p - 1)) + std::pow(sizes[1], -1 / (p - 1)), p - 1);
      EXPECT_NEAR(p_functional(w, u, p, normalized), expected, 1e-10 * expected);
    }
  }
}

TEST(p_spectral, cuts_two_triangles_apart_at_the_worked_cost) {
  for (const double p : {2.0, 1.5, 1.2, 1.1}) {
    for (const CutCriterion criterion : {CutCriterion::cheeger, CutCriterion::ratio}) {
      PSpectralOptions options = with(2, p, false);
      options.criterion = criterion;
      const PSpectralResult ratio = p_spectral(two_triangles(), options);
      EXPECT_THAT(ratio.labels, testing::ElementsAre(0, 0, 0, 1, 1, 1));
      EXPECT_NEAR(ratio.cut, .0666667, 1e-7);
      options.normalized = true;
      const PSpectralResult normalized = p_spectral(two_triangles(), options);
      EXPECT_THAT(normalized.labels, testing::ElementsAre(0, 0, 0, 1, 1, 1));
      EXPECT_NEAR(normalized.cut, .0327869, 1e-7);
    }
  }
}

TEST(p_spectral, every_step_lowers_the_functional) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const DenseArray w = planted(30 + 10 * seed, 3, 1, 0.2, seed);
    for (const bool normalized : {false, true}) {
      const PEigenpair found = p_eigenpair(w, with(2, 1.2, normalized));
      for (std::size_t k = 1; k < found.history.size(); ++k) {
        EXPECT_LT(found.history[k], found.history[k - 1]);
      }
      EXPECT_EQ(found.history.back(), found.value);
    }
  }
}

TEST(p_spectral, no_small_change_of_the_eigenvector_lowers_the_functional) {
  const DenseArray w = planted(12, 2, 1, 0.3, 5);
  const PEigenpair found = p_eigenpair(w, with(2, 1.4, false));
  for (std::size_t i = 0; i < 12; ++i) {
    for (const double change : {-1e-3, 1e-3}) {
      std::vector<double> u = found.vector;
      u[i] += change;
      EXPECT_GT(p_functional(w, u, 1.4, false), found.value);
    }
  }
}

TEST(p_spectral, well_clustered_graphs_are_cut_at_the_least_cost_of_all_bipartitions) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::size_t n = 5 + seed % 6;
    const DenseArray w = planted(n, 2, 1, 0.05, seed);
    for (const bool normalized : {false, true}) {
      const TwoWayCosts least = least_costs(w, normalized);
      PSpectralOptions options = with(2, 1.2, normalized);
      const TwoWayCosts by_cheeger = costs_of(w, p_spectral(w, options).labels, normalized);
      EXPECT_NEAR(by_cheeger.cheeger, least.cheeger, 1e-12);
      options.criterion = CutCriterion::ratio;
      const PSpectralResult by_ratio = p_spectral(w, options);
      EXPECT_NEAR(costs_of(w, by_ratio.labels, normalized).ratio, least.ratio, 1e-12);
      EXPECT_NEAR(by_ratio.cut, least.ratio, 1e-12);
    }
  }
}

TEST(p_spectral, a_smaller_p_never_cuts_worse_than_2) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const DenseArray w = planted(40, 3, 1, 0.5, seed);
    for (const bool normalized : {false, true}) {
      const double at_two =
          costs_of(w, p_spectral(w, with(2, 2, normalized)).labels, normalized).cheeger;
      const double below =
          costs_of(w, p_spectral(w, with(2, 1.2, normalized)).labels, normalized).cheeger;
      EXPECT_LE(below, at_two + 1e-12);
    }
  }
}

TEST(p_spectral, finds_several_groups_in_both_forms_for_any_number_of_threads) {
  const DenseArray w = planted(100, 4, 1, 0.05, 8);
  for (const bool normalized : {false, true}) {
    PSpectralOptions options = with(4, 1.2, normalized);
    const PSpectralResult alone = p_spectral(w, options);
    EXPECT_TRUE(same_groups(alone.labels, planted_labels(100, 4)));
    const PSpectralResult of_graph = p_spectral(as_graph(w), options);
    EXPECT_EQ(of_graph.labels, alone.labels);
    EXPECT_NEAR(of_graph.cut, alone.cut, 1e-12);
    const PEigenpair pair = p_eigenpair(w, options);
    for (const int threads : {2, 7}) {
      options.threads = threads;
      const PSpectralResult together = p_spectral(w, options);
      EXPECT_EQ(together.labels, alone.labels);
      EXPECT_EQ(together.cut, alone.cut);
      EXPECT_EQ(together.steps, alone.steps);
      EXPECT_EQ(p_eigenpair(w, options).vector, pair.vector);
    }
  }
}

TEST(p_spectral, makes_exactly_as_many_clusters_as_asked) {
  const DenseArray w = planted(9, 2, 1, 0.1, 3);
  for (std::size_t clusters = 1; clusters <= 9; ++clusters) {
    const Labels labels = p_spectral(w, with(clusters, 1.3, true)).labels;
    EXPECT_EQ(static_cast<std::size_t>(*std::max_element(labels.begin(), labels.end())) + 1,
              clusters);
  }
}

TEST(p_spectral, components_come_apart_first_and_cost_nothing) {
  const DenseArray w = planted(60, 3, 1, 0, 3);
  for (const Similarities& form : {Similarities(w), Similarities(as_graph(w))}) {
    const PSpectralResult three = p_spectral(form, with(3, 1.2, true));
    EXPECT_TRUE(same_groups(three.labels, planted_labels(60, 3)));
    EXPECT_EQ(three.cut, 0);
    const PSpectralResult two = p_spectral(form, with(2, 1.2, true));
    EXPECT_EQ(two.cut, 0);
    EXPECT_EQ(two.steps, 0);
  }
  EXPECT_NEAR(p_eigenpair(w, with(2, 1.2, false)).value, 0, 1e-9);
}

TEST(p_spectral, isolated_objects_are_clusters_where_cuts_are_not_normalised) {
  const DenseArray w = square({0, 1, 0, 1, 0, 0, 0, 0, 0}, 3);
  EXPECT_THAT(p_spectral(w, with(2, 1.2, false)).labels, testing::ElementsAre(0, 0, 1));
  EXPECT_THAT(complaint([&] { p_spectral(w, with(2, 1.2, true)); }),
              HasSubstr("found object 2 without a similarity above 0"));
}

TEST(p_spectral, what_is_not_allowed_is_named) {
  const DenseArray w = two_triangles();
  EXPECT_THAT(complaint([&] { p_spectral(w, with(7, 1.2, true)); }),
              HasSubstr("found 7 clusters; allowed: 1 to 6"));
  EXPECT_THAT(complaint([&] { p_spectral(w, with(0, 1.2, true)); }), HasSubstr("found 0 clusters"));
  EXPECT_THAT(complaint([&] { p_spectral(w, with(2, 1, true)); }), HasSubstr("found p 1; allowed"));
  EXPECT_THAT(complaint([&] { p_spectral(w, with(2, 2.1, true)); }), HasSubstr("found p 2.1"));
  EXPECT_THAT(complaint([] { p_spectral(square({0, -1, -1, 0}, 2), with(2, 1.2, true)); }),
              HasSubstr("found the similarity -1"));
  EXPECT_THAT(complaint([] { p_eigenpair(square({1}, 1), with(2, 1.2, true)); }),
              HasSubstr("found 1 object"));
  EXPECT_THAT(complaint([&] { p_functional(w, std::vector<double>(6, 2.0), 1.5, true); }),
              HasSubstr("found 6 equal entries"));
  EXPECT_THAT(complaint([&] { p_functional(w, std::vector<double>{1, 2}, 1.5, true); }),
              HasSubstr("found 2 different entries"));
}

TEST(p_spectral, stops_when_asked) {
  const std::atomic<bool> stop{true};
  Control control;
  control.stop = &stop;
  EXPECT_THROW(p_spectral(two_triangles(), {}, control), Interrupted);
  EXPECT_THROW(p_eigenpair(two_triangles(), {}, control), Interrupted);
}

}  // namespace
}  // namespace shiftcut::methods
