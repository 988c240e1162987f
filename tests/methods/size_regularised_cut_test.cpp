#include "shiftcut/methods/size_regularised_cut.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "methods/graphs.hpp"

namespace shiftcut::methods {
namespace {

using testing::HasSubstr;

// L has the eigenvalues 0, 2, 4.5857864, 7.4142136.
DenseArray four_objects() { return square({0, 3, 1, 0, 3, 0, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0}, 4); }

SizeRegularisedCut cut_in(const Similarities& w, std::size_t clusters, double alpha,
                          CutSize size = CutSize::cardinality,
                          CutThreshold threshold = CutThreshold::sweep, int threads = 1) {
  return size_regularised_cut(w, {clusters, alpha, size, threshold, threads});
}

double least_cost_of_two(const Similarities& w, double alpha, CutSize size) {
  const std::size_t n = objects(w);
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t sides = 1; sides + 1 < (1U << (n - 1)) * 2; ++sides) {
    Labels labels(n);
    for (std::size_t i = 0; i < n; ++i) {
      labels[i] = static_cast<std::int32_t>((sides >> i) & 1U);
    }
    least = std::min(least, size_regularised_cost(w, labels, alpha, size));
  }
  return least;
}

TEST(size_regularised_cut, the_smallest_eigenpair_is_the_worked_one) {
  for (const CutThreshold threshold : {CutThreshold::sweep, CutThreshold::zero}) {
    const auto found = cut_in(four_objects(), 2, 1, CutSize::cardinality, threshold);
    EXPECT_NEAR(found.value, 2, 1e-12);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(std::abs(found.vector[i]), 0.5, 1e-12);
    }
    EXPECT_THAT(found.labels, testing::ElementsAre(0, 0, 1, 1));
    EXPECT_NEAR(found.cost, 2, 1e-12);
  }
}

TEST(size_regularised_cut, costs_are_the_worked_ones) {
  const auto cost = [](const Labels& labels) {
    return size_regularised_cost(four_objects(), labels, 1, CutSize::cardinality);
  };
  EXPECT_DOUBLE_EQ(cost({0, 0, 1, 1}), 2);
  EXPECT_DOUBLE_EQ(cost({0, 1, 1, 1}), 5);
  EXPECT_DOUBLE_EQ(cost({0, 0, 0, 0}), 4);
}

TEST(size_regularised_cut, the_cost_is_the_quadratic_form) {
  const DenseArray w = planted(9, 2, 1, 0.4, 4);
  for (const CutSize size : {CutSize::cardinality, CutSize::volume}) {
    const Labels labels = {0, 1, 1, 0, 1, 0, 0, 0, 1};
    double form = 0;
    double sum = 0;
    for (std::size_t i = 0; i < 9; ++i) {
      double degree = 0;
      for (std::size_t j = 0; j < 9; ++j) {
        degree += w.at(i, j);
        form += w.at(i, j) - (labels[i] == labels[j] ? w.at(i, j) : -w.at(i, j));
      }
      sum += (labels[i] == 0 ? 1 : -1) * (size == CutSize::volume ? degree : 1);
    }
    EXPECT_NEAR(size_regularised_cost(w, labels, 0.7, size), (form + 0.7 * sum * sum) / 4, 1e-12);
  }
}

TEST(size_regularised_cut, the_sweep_never_costs_more_than_the_signs_nor_less_than_the_optimum) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::size_t n = 3 + seed % 7;
    const DenseArray w = planted(n, 2, 1, 0.3, seed);
    for (const double alpha : {0.01, 0.1, 0.5, 3.0}) {
      for (const CutSize size : {CutSize::cardinality, CutSize::volume}) {
        const auto sweep = cut_in(w, 2, alpha, size);
        const auto signs = cut_in(w, 2, alpha, size, CutThreshold::zero);
        EXPECT_EQ(*std::max_element(sweep.labels.begin(), sweep.labels.end()), 1);
        if (*std::max_element(signs.labels.begin(), signs.labels.end()) == 1) {
          EXPECT_LE(sweep.cost, signs.cost + 1e-12);
        }
        EXPECT_GE(sweep.cost, least_cost_of_two(w, alpha, size) - 1e-9);
      }
    }
  }
}

TEST(size_regularised_cut, well_separated_groups_are_cut_at_the_least_cost) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::size_t n = 6 + 2 * (seed % 3);
    const DenseArray w = planted(n, 2, 1, 0.02, seed);
    for (const CutSize size : {CutSize::cardinality, CutSize::volume}) {
      const auto found = cut_in(w, 2, 0.2, size);
      EXPECT_TRUE(same_groups(found.labels, planted_labels(n, 2)));
      EXPECT_NEAR(found.cost, least_cost_of_two(w, 0.2, size), 1e-9);
    }
  }
}

TEST(size_regularised_cut, a_light_alpha_would_rather_not_cut) {
  const DenseArray w = planted(12, 2, 1, 0.3, 1);
  const double alpha = 1e-3;
  const auto signs = cut_in(w, 2, alpha, CutSize::cardinality, CutThreshold::zero);
  EXPECT_THAT(signs.labels, testing::Each(0));
  EXPECT_DOUBLE_EQ(signs.value, alpha * 12);
  EXPECT_NEAR(signs.cost, alpha * 36, 1e-12);
  EXPECT_THAT(cut_in(w, 2, alpha).labels, testing::Contains(1));
}

TEST(size_regularised_cut, finds_several_groups_in_both_forms_for_any_number_of_threads) {
  const DenseArray w = planted(120, 4, 1, 0.02, 9);
  for (const CutSize size : {CutSize::cardinality, CutSize::volume}) {
    const auto alone = cut_in(w, 4, 0.3, size);
    EXPECT_TRUE(same_groups(alone.labels, planted_labels(120, 4)));
    for (const int threads : {2, 7}) {
      const auto together = cut_in(w, 4, 0.3, size, CutThreshold::sweep, threads);
      EXPECT_EQ(together.labels, alone.labels);
      EXPECT_EQ(together.vector, alone.vector);
      EXPECT_EQ(together.cost, alone.cost);
    }
    const auto of_graph = cut_in(as_graph(w), 4, 0.3, size);
    EXPECT_EQ(of_graph.labels, alone.labels);
    EXPECT_NEAR(of_graph.value, alone.value, 1e-9 * alone.value);
  }
}

TEST(size_regularised_cut, the_vector_is_an_eigenvector) {
  const std::size_t n = 90;  // more than are done all at once
  const DenseArray w = planted(n, 3, 1, 0.2, 11);
  for (const CutSize size : {CutSize::cardinality, CutSize::volume}) {
    const double alpha = 0.05;
    const auto found = cut_in(w, 2, alpha, size);
    std::vector<double> sizes(n, 1.0);
    std::vector<double> degree(n);
    double product = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        degree[i] += w.at(i, j);
      }
      sizes[i] = size == CutSize::volume ? degree[i] : 1;
      product += sizes[i] * found.vector[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
      double out = degree[i] * found.vector[i] + alpha * sizes[i] * product;
      for (std::size_t j = 0; j < n; ++j) {
        out -= w.at(i, j) * found.vector[j];
      }
      EXPECT_NEAR(out, found.value * found.vector[i], 1e-7);
    }
  }
}

TEST(size_regularised_cut, components_are_not_cut) {
  DenseArray w = planted(100, 2, 1, 0, 3);
  EXPECT_TRUE(same_groups(cut_in(w, 2, 0.1).labels, planted_labels(100, 2)));
  EXPECT_TRUE(
      same_groups(cut_in(as_graph(w), 2, 0.1, CutSize::volume).labels, planted_labels(100, 2)));
  const auto edgeless = cut_in(sparse_from_entries({}, 100, 100), 2, 1);
  EXPECT_NEAR(edgeless.cost, 0, 1e-9);  // two halves
}

TEST(size_regularised_cut, one_cluster_and_a_cluster_an_object_are_possible) {
  const DenseArray w = planted(7, 2, 1, 0.1, 3);
  EXPECT_THAT(cut_in(w, 1, 1).labels, testing::Each(0));
  EXPECT_THAT(cut_in(w, 7, 1).labels, testing::ElementsAre(0, 1, 2, 3, 4, 5, 6));
}

TEST(size_regularised_cut, what_is_not_allowed_is_named) {
  EXPECT_THAT(complaint([] { cut_in(four_objects(), 5, 1); }),
              HasSubstr("found 5 clusters; allowed: 1 to 4"));
  EXPECT_THAT(complaint([] { cut_in(four_objects(), 0, 1); }), HasSubstr("found 0 clusters"));
  EXPECT_THAT(complaint([] { cut_in(four_objects(), 2, 0); }), HasSubstr("found alpha 0"));
  EXPECT_THAT(complaint([] { cut_in(square({0, -1, -1, 0}, 2), 2, 1); }),
              HasSubstr("found the similarity -1"));
  const DenseArray isolated = square({0, 1, 0, 1, 0, 0, 0, 0, 0}, 3);
  EXPECT_THAT(complaint([&] { cut_in(isolated, 2, 1, CutSize::volume); }),
              HasSubstr("found object 2 without"));
  EXPECT_EQ(complaint([&] { cut_in(isolated, 2, 1); }), "");
  EXPECT_THAT(complaint([] { size_regularised_cost(four_objects(), {0}, 1, CutSize::volume); }),
              HasSubstr("found 1 labels"));
}

TEST(size_regularised_cut, stops_when_asked) {
  const std::atomic<bool> stop{true};
  Control control;
  control.stop = &stop;
  EXPECT_THROW(size_regularised_cut(four_objects(), {.clusters = 2, .alpha = 1}, control),
               Interrupted);
}

}  // namespace
}  // namespace shiftcut::methods
