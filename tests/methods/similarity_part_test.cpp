#include "methods/dominant_sets/similarity_part.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "methods/similarity_cases.hpp"

namespace shiftcut::methods {
namespace {

// Products of a part against the definition, for x with many and with few entries.
void expect_products(const SimilarityPart& part, const DenseArray& a, std::uint64_t seed) {
  Rng rng(seed, 1);
  const std::size_t m = part.size();
  for (const std::uint32_t density : {1U, 20U}) {
    std::vector<double> x(m);
    for (double& entry : x) {
      entry = rng.below(density) == 0 ? rng.uniform() : 0.0;
    }
    std::vector<double> first;
    for (const int threads : {1, 3}) {
      ThreadTeam team(threads);
      std::vector<double> out(m, -1.0);
      part.multiply(x, out, team);
      first = first.empty() ? out : first;
      EXPECT_EQ(out, first);
      for (std::size_t i = 0; i < m; ++i) {
        double expected = 0;
        for (std::size_t j = 0; j < m; ++j) {
          expected += i == j ? 0 : a.at(part.object(i), part.object(j)) * x[j];
        }
        EXPECT_NEAR(out[i], expected, 1e-12);
      }
    }
    std::vector<double> added(m, 1.0);
    part.add_row(m / 2, 2.0, added);
    for (std::size_t i = 0; i < m; ++i) {
      EXPECT_DOUBLE_EQ(added[i],
                       1 + (i == m / 2 ? 0 : 2 * a.at(part.object(i), part.object(m / 2))));
    }
  }
}

TEST(similarity_part, products_are_those_of_the_objects_kept_however_many_are_gone) {
  for (const std::size_t n : {5, 60, 400}) {
    const DenseArray a = with_diagonal(random_similarities(n, n, 0.7), 1e6);
    for (const Similarities& s : {Similarities(a), Similarities(as_graph(a))}) {
      SimilarityPart part(s);
      Rng rng(n, 7);
      while (part.size() > 1) {
        expect_products(part, a, part.size());
        std::vector<std::uint32_t> leave = {rng.below(static_cast<std::uint32_t>(part.size()))};
        for (std::uint32_t i = leave[0] + 1; i < part.size(); ++i) {
          if (rng.below(5) == 0) {
            leave.push_back(i);
          }
        }
        const SimilarityPart before = part;
        part = part.without(leave);
        ASSERT_EQ(part.size(), before.size() - leave.size());
        for (const std::uint32_t position : leave) {
          for (std::size_t i = 0; i < part.size(); ++i) {
            ASSERT_NE(part.object(i), before.object(position));
          }
        }
      }
    }
  }
}

TEST(similarity_part, an_empty_part_has_nothing) {
  const Similarities s = worked_matrix();
  EXPECT_EQ(SimilarityPart(s).kept({}).size(), 0);
}

}  // namespace
}  // namespace shiftcut::methods
