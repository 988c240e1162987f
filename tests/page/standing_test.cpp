// Doubtful objects and similarities between clusters, against explain() and plain sums.
#include "page/standing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/rng.hpp"
#include "page/sections.hpp"
#include "shiftcut/explain.hpp"
#include "shiftcut/page.hpp"
#include "shiftcut/run.hpp"

namespace shiftcut {
namespace {

Input blobs(std::size_t rows, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      values.push_back(2.5 * rng.uniform() + (i % 3 == c ? 2 : 0));
    }
  }
  Input input;
  input.values = DenseArray::own(std::move(values), rows, 3);
  return input;
}

Input graph(std::size_t nodes, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < nodes; ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      if (rng.uniform() < (i % 2 == j % 2 ? 0.4 : 0.08)) {
        const double weight = 0.5 + rng.uniform();
        entries.push_back({i, j, weight});
        entries.push_back({j, i, weight});
      }
    }
  }
  Input input;
  input.values = sparse_from_entries(std::move(entries), nodes, nodes);
  input.shape = Shape::graph;
  return input;
}

Options quick_options(Similarity kind = Similarity::automatic) {
  Options options;
  options.similarity.kind = kind;
  options.search.clusters = 3;
  options.search.threads = 1;
  return options;
}

struct Grouping {
  Input input;
  Options options;
  Result result;
  std::shared_ptr<const NeighborTable> neighbors;
};

Grouping grouped(Input input, const Options& options) {
  Grouping run{std::move(input), options, {}, {}};
  run.result = shiftcut::run(run.input, options, {}, &run.neighbors);
  return run;
}

Standings standings_of(const Grouping& run, const std::vector<ObjectId>& sample = {}) {
  ThreadTeam team(1);
  return standings(run.input, run.options, run.result, run.neighbors.get(), sample, team, {});
}

std::vector<Grouping> groupings() {
  std::vector<Grouping> all;
  for (const Similarity kind :
       {Similarity::neighbors, Similarity::linear, Similarity::cosine, Similarity::rbf}) {
    all.push_back(grouped(blobs(60, 1), quick_options(kind)));
  }
  all.push_back(grouped(graph(40, 2), quick_options()));
  Options free = quick_options();
  free.search.clusters.reset();
  all.push_back(grouped(graph(40, 3), free));
  return all;
}

TEST(Standings, AreThoseThatExplainGives) {
  for (const Grouping& run : groupings()) {
    const Standings found = standings_of(run);
    ASSERT_EQ(found.all.size(), run.result.objects);
    for (const Standing& standing : found.all) {
      const Explanation told =
          explain(run.input, run.options, run.result, standing.object, 1, {}, run.neighbors.get());
      const double tolerance = 1e-9 * (1 + std::abs(told.own.affinity));
      EXPECT_NEAR(standing.own, told.own.affinity, tolerance) << run.result.similarity;
      ASSERT_TRUE(told.next.has_value());
      EXPECT_NEAR(standing.other, told.next->affinity, tolerance) << run.result.similarity;
    }
  }
}

// The sum of S within clusters, from the blocks, is the cost with the diagonal left out.
TEST(Blocks, AddUpToTheCost) {
  for (const Grouping& run : groupings()) {
    const Blocks blocks = standings_of(run).blocks;
    const std::size_t groups = blocks.clusters.size();
    ASSERT_EQ(blocks.means.size(), groups * groups);
    EXPECT_EQ(std::accumulate(blocks.sizes.begin(), blocks.sizes.end(), std::size_t{0}),
              run.result.objects);
    double within = 0;
    for (std::size_t a = 0; a < groups; ++a) {
      for (std::size_t b = 0; b < groups; ++b) {
        EXPECT_EQ(blocks.means[a * groups + b], blocks.means[b * groups + a]);
        const auto pairs = static_cast<double>(blocks.sizes[a]) *
                           (static_cast<double>(blocks.sizes[b]) - (a == b ? 1 : 0));
        within +=
            blocks.clusters[a] == blocks.clusters[b] ? pairs * blocks.means[a * groups + b] : 0;
      }
    }
    double own = 0;
    for (const Standing& standing : standings_of(run).all) {
      own += standing.own;
    }
    EXPECT_NEAR(within, own, 1e-6 * (1 + std::abs(own))) << run.result.similarity;
  }
}

TEST(Classes, AreCountedInEveryCluster) {
  Grouping run = grouped(blobs(60, 4), quick_options());
  run.input.truth.assign(60, 0);
  for (std::size_t i = 0; i < 60; ++i) {
    run.input.truth[i] = static_cast<std::int32_t>(i % 4) - 1;  // below 0: not known
  }
  const auto section = nlohmann::json::parse(classes_section(run.input, run.result).dump());
  EXPECT_EQ(section["table"].size(), 3U);
  std::size_t all = 0;
  for (const auto& row : section["table"]) {
    EXPECT_EQ(row.size(), run.result.sizes.size());
    for (const auto& count : row) {
      all += count.get<std::size_t>();
    }
  }
  EXPECT_EQ(all, 45U);
  EXPECT_EQ(classes_section(blobs(60, 4), run.result).dump(), "null");
}

TEST(Described, NamesColumnsAndTypicalObjects) {
  Grouping run = grouped(blobs(90, 6), quick_options());
  run.input.column_names = {"a<b", "two", "three"};
  const auto data =
      nlohmann::json::parse(page_json(run.input, run.options, run.result, {}, run.neighbors.get()));
  const auto& clusters = data["described"]["clusters"];
  ASSERT_EQ(clusters.size(), run.result.sizes.size());
  for (std::size_t k = 0; k < clusters.size(); ++k) {
    ASSERT_FALSE(clusters[k]["columns"].empty());
    const auto exemplar = std::stoul(clusters[k]["exemplars"][0].get<std::string>());
    EXPECT_EQ(run.result.labels[exemplar], static_cast<std::int32_t>(k));
  }
}

}  // namespace
}  // namespace shiftcut
