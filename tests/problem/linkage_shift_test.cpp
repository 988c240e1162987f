#include "problem/linkage_shift.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>

#include "core/rng.hpp"
#include "core/thread_team.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut {
namespace {

using Pairs = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

double logit(double p) { return std::log(p / (1 - p)); }

Pairs random_pairs(std::size_t n, double density, Rng& rng) {
  Pairs pairs;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i + 1; j < n; ++j) {
      if (rng.uniform() < density) {
        pairs[{i, j}] = 0.001 + 0.998 * rng.uniform();
      }
    }
  }
  return pairs;
}

SparseMatrix log_odds_of(const Pairs& pairs, std::size_t n) {
  std::vector<Entry> entries;
  for (const auto& [pair, p] : pairs) {
    entries.push_back({pair.first, pair.second, logit(p)});
    entries.push_back({pair.second, pair.first, logit(p)});
  }
  return sparse_from_entries(std::move(entries), n, n);
}

TEST(linkage_shift, judges_the_ends_of_paths_as_the_definition_says) {
  Rng rng(3);
  for (int round = 0; round < 40; ++round) {
    const std::size_t n = 2 + rng.below(14);
    const Pairs pairs = random_pairs(n, 0.5, rng);
    const SparseMatrix graph = log_odds_of(pairs, n);
    const double strength = round % 2 == 0 ? 1 : 0.4;
    ThreadTeam one(1);
    ThreadTeam three(3);
    const LinkageShift found = linkage_shift(graph, strength, one);
    EXPECT_EQ(found.edges->values, linkage_shift(graph, strength, three).edges->values);

    const auto p_of = [&](std::uint32_t i, std::uint32_t j) {
      const auto at = pairs.find({std::min(i, j), std::max(i, j)});
      return at == pairs.end() ? 0.0 : at->second;
    };
    double rate = 0;
    for (const auto& [pair, p] : pairs) {
      rate += p / static_cast<double>(pairs.size());
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      for (auto e = static_cast<std::size_t>(graph.offsets[i]);
           e < static_cast<std::size_t>(graph.offsets[i + 1]); ++e) {
        const std::uint32_t j = graph.columns[e];
        double path = 0;
        for (std::uint32_t k = 0; k < n; ++k) {
          if (p_of(i, k) >= 0.5 && p_of(k, j) >= 0.5) {
            path = std::max(path, p_of(i, k) * p_of(k, j));
          }
        }
        const double raised =
            path > 0 && rate < 2.0 / 3 ? logit(rate + path * (2.0 / 3 - rate)) - logit(rate) : 0;
        EXPECT_NEAR(found.edges->values[e], graph.values[e] + strength * (raised + found.absent),
                    1e-9);
      }
    }
    EXPECT_NEAR(found.base_rate, pairs.empty() ? 2.0 / 3 : rate, 1e-9);
  }
}

}  // namespace
}  // namespace shiftcut
