#include "shiftcut/blocks.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "neighbors/nearest_neighbors.hpp"
#include "shiftcut/run.hpp"
#include "similarity/choose_scale.hpp"
#include "similarity/row_groups.hpp"
#include "similarity/scaling.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using testing_support::grouped_rows;

DenseArray part_of(const std::vector<double>& values, std::size_t d, std::size_t begin,
                   std::size_t end) {
  return DenseArray::own(std::vector<double>(&values[begin * d], values.data() + end * d),
                         end - begin, d);
}

// Where the blocks of n rows begin, and n: some are empty.
std::vector<std::size_t> random_cuts(std::size_t n, std::size_t blocks, std::mt19937& random) {
  std::vector<std::size_t> cuts{0, n};
  while (cuts.size() <= blocks) {
    cuts.push_back(random() % (n + 1));
  }
  std::ranges::sort(cuts);
  return cuts;
}

BlockFacts facts_of(const std::vector<double>& values, std::size_t d,
                    const std::vector<std::size_t>& cuts, std::mt19937& random) {
  std::vector<std::size_t> order(cuts.size() - 1);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::shuffle(order, random);
  BlockFacts all;
  for (const std::size_t b : order) {
    all = merge_facts(all, facts_of_block(part_of(values, d, cuts[b], cuts[b + 1])));
  }
  return all;
}

TEST(blocks, facts_merge_to_those_of_all_rows) {
  Rng rng(1);
  std::mt19937 random(1);
  const std::vector<double> values = grouped_rows(300, 4, 3, rng);
  const BlockFacts whole = facts_of_block(part_of(values, 4, 0, 300));
  for (int round = 0; round < 20; ++round) {
    const BlockFacts facts = facts_of(values, 4, random_cuts(300, 7, random), random);
    EXPECT_EQ(facts.rows, 300U);
    EXPECT_EQ(facts.smallest, whole.smallest);
    EXPECT_EQ(facts.largest, whole.largest);
    EXPECT_EQ(facts.zeros, whole.zeros);
  }
}

TEST(blocks, choose_the_metric_that_run_chooses) {
  std::mt19937 random(2);
  for (const unsigned share : {0U, 50U, 70U, 95U}) {
    std::vector<double> values(200 * 5);
    for (double& value : values) {
      value = random() % 100 < share ? 0.0 : 1 + static_cast<double>(random() % 9);
    }
    ThreadTeam team(2);
    const double expected = share_of_zeros(part_of(values, 5, 0, 200), team);
    const std::vector<std::size_t> cuts = random_cuts(200, 5, random);
    const BlockFacts facts = facts_of(values, 5, cuts, random);
    std::vector<double> squares(5, 0.0);
    for (std::size_t b = 0; b + 1 < cuts.size(); ++b) {
      const std::vector<double> own = squares_of_block(part_of(values, 5, cuts[b], cuts[b + 1]),
                                                       std::ranges::max(facts.largest));
      std::ranges::transform(own, squares, squares.begin(), std::plus<>());
    }
    EXPECT_EQ(
        share_of_zeros(std::vector<double>(facts.zeros.begin(), facts.zeros.end()), squares, 200),
        expected);
  }
}

TEST(blocks, buckets_one_after_another_hold_the_nodes_of_run) {
  std::mt19937 random(3);
  std::vector<double> values(400 * 3);
  for (double& value : values) {
    value = static_cast<double>(random() % 4);
  }
  const DenseArray all = part_of(values, 3, 0, 400);
  const BlockFacts facts = facts_of_block(all);
  const std::vector<std::uint64_t> hashes = hash_rows(all, facts, 1);
  ThreadTeam team(2);
  const RowGroups groups = distinct_rows(all, team);
  std::size_t node = 0;
  for (std::uint64_t bucket = 0; bucket < 8; ++bucket) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t i = 0; i < 400; ++i) {
      if (hashes[i] >> 61 == bucket) {
        rows.push_back(i);
      }
    }
    if (rows.empty()) {
      continue;
    }
    const DistinctRows distinct = distinct_in_bucket(all.with_rows(rows), facts, 1);
    for (std::size_t own = 0; own < distinct.first.size(); ++own, ++node) {
      ASSERT_EQ(rows[distinct.first[own]], groups.first(node));
      ASSERT_EQ(distinct.counts[own], groups.of(node).size());
    }
  }
  EXPECT_EQ(node, groups.size());
}

TEST(blocks, parts_scale_as_all_rows_do) {
  Rng rng(4);
  std::mt19937 random(4);
  const std::size_t n = 5000;
  const std::vector<double> values = grouped_rows(n, 3, 4, rng);
  std::vector<double> counts(n);
  for (double& count : counts) {
    count = 1 + static_cast<double>(random() % 3);
  }
  ThreadTeam team(2);
  const DenseArray all = part_of(values, 3, 0, n);
  for (const bool is_weighted : {false, true}) {
    const std::span<const double> weights =
        is_weighted ? std::span<const double>(counts) : std::span<const double>();
    std::vector<PartMoments> parts;
    for (std::size_t p = 0; p < moment_parts(n); ++p) {
      const std::size_t begin = n * p / moment_parts(n);
      const std::size_t end = n * (p + 1) / moment_parts(n);
      parts.push_back(moments_of_part(
          part_of(values, 3, begin, end),
          is_weighted ? weights.subspan(begin, end - begin) : std::span<const double>()));
    }
    for (const Scale scale : {Scale::standard, Scale::minmax, Scale::none}) {
      const Scaling expected = scaling_of(all, scale, "x", team, weights);
      const FeatureScaling found = scaling_of_parts(parts, scale);
      EXPECT_EQ(found.offset, expected.offset);
      EXPECT_EQ(found.factor, expected.factor);
    }
  }
}

// The search of blocks.hpp, step by step, for random blocks and a random order of merging.
NeighborTable table_by_blocks(const std::vector<double>& values, std::size_t n, std::size_t d,
                              const RowGeometry& geometry, std::size_t k, std::size_t region_rows,
                              std::mt19937& random) {
  const std::size_t count = region_count(n, d, geometry.metric, region_rows);
  const std::size_t sampled = region_sample_size(n, count);
  std::vector<std::uint32_t> sample(sampled);
  for (std::size_t s = 0; s < sampled; ++s) {
    sample[s] = static_cast<std::uint32_t>(s * n / sampled);
  }
  const DenseArray all = part_of(values, d, 0, n);
  const RegionCentres centres = find_regions(all.with_rows(sample), geometry, count, 1);
  const std::vector<std::size_t> cuts = random_cuts(n, 5, random);
  std::vector<std::vector<std::uint32_t>> members(centres.count);
  for (std::size_t b = 0; b + 1 < cuts.size(); ++b) {
    if (cuts[b] == cuts[b + 1]) {
      continue;
    }
    const RegionMembers found =
        find_members(part_of(values, d, cuts[b], cuts[b + 1]), geometry, centres, 1);
    for (std::size_t r = 0; r < centres.count; ++r) {
      for (std::size_t e = found.offsets[r]; e < found.offsets[r + 1]; ++e) {
        members[r].push_back(found.rows[e] + static_cast<std::uint32_t>(cuts[b]));
      }
    }
  }
  std::ranges::shuffle(members, random);
  NeighborTable table = no_neighbors(n, k);
  for (const std::vector<std::uint32_t>& own : members) {
    merge_neighbors(table, 0, static_cast<std::uint32_t>(n), own,
                    search_region(all.with_rows(own), own, geometry, k, 2));
  }
  return table;
}

TEST(blocks, neighbours_are_those_of_one_machine_however_rows_are_divided) {
  Rng rng(5);
  std::mt19937 random(5);
  const std::size_t n = 2000;
  for (const Metric metric : {Metric::euclidean, Metric::cosine}) {
    const std::vector<double> values = grouped_rows(n, 6, 4, rng);
    ThreadTeam team(2);
    const DenseArray all = part_of(values, 6, 0, n);
    const Scaling scaling = scaling_of(all, Scale::standard, "x", team);
    const NeighborLists expected = nearest_neighbors(
        FeatureRows::for_metric(metric, all, scaling, team), metric, 10, team, Control{}, 500);
    const RowGeometry geometry{{scaling.offset, scaling.factor}, metric};
    for (int round = 0; round < 3; ++round) {
      const NeighborTable table = table_by_blocks(values, n, 6, geometry, 10, 500, random);
      EXPECT_EQ(table.ids, expected.ids);
      EXPECT_EQ(table.squared, expected.squared);
    }
  }
}

TEST(blocks, known_neighbours_lead_to_the_same_result) {
  Rng rng(6);
  const std::size_t n = 1500;
  Input input;
  input.values = part_of(grouped_rows(n, 4, 5, rng), 4, 0, n);
  Options options;
  options.similarity.kind = Similarity::neighbors;
  options.similarity.scale = Scale::none;
  options.similarity.metric = Metric::euclidean;
  std::shared_ptr<const NeighborTable> kept;
  const Result searched = run(input, options, {}, &kept);
  ThreadTeam team(1);
  const RowGroups nodes = distinct_rows(std::get<DenseArray>(input.values), team);
  std::vector<std::uint32_t> order;
  for (std::size_t g = 0; g < nodes.size(); ++g) {
    order.push_back(nodes.first(g));
  }
  std::vector<std::uint32_t> numbers(order.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  const RowGeometry geometry{{std::vector<double>(4, 0.0), std::vector<double>(4, 1.0)},
                             Metric::euclidean};
  const auto known_as = [](const NeighborTable& table) {
    return std::make_shared<const KnownNeighbors>(
        KnownNeighbors{[table] { return table; }, {}, {}, 0});
  };
  input.neighbors = known_as(
      search_region(std::get<DenseArray>(input.values).with_rows(order), numbers, geometry, 10, 1));
  const Result known = run(input, options);
  EXPECT_EQ(known.labels, searched.labels);
  EXPECT_EQ(known.cost, searched.cost);
  input.neighbors = known_as(no_neighbors(7, 10));
  EXPECT_THROW(run(input, options), std::invalid_argument);
}

}  // namespace
}  // namespace shiftcut
