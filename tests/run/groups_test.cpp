// No two objects of a group are in one cluster, in any answer of any search on any view: as pairs
// named at once where these are few, else round by round.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <stdexcept>
#include <tuple>

#include "run/pipeline.hpp"
#include "shiftcut/shiftcut.hpp"
#include "support/plain.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace testing_support;

template <class Labels>
bool clash(const std::vector<std::int32_t>& group, const Labels& labels) {
  std::set<std::pair<std::int32_t, std::uint32_t>> seen;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (group[i] >= 0 && !seen.emplace(group[i], static_cast<std::uint32_t>(labels[i])).second) {
      return true;
    }
  }
  return false;
}

// A weight drawn in parts is a sum in another order the other way: not worth a complaint.
std::vector<NamedInput> data_of(std::uint32_t n, std::size_t features, Rng& rng) {
  std::vector<NamedInput> all = one_of_each(n, features, rng);
  for (NamedInput& data : all) {
    data.input.checked = true;
  }
  return all;
}

// None has more than `most` objects.
std::vector<std::int32_t> random_groups(std::uint32_t n, std::uint32_t count, std::size_t most,
                                        Rng& rng) {
  std::vector<std::size_t> sizes(count, 0);
  std::vector<std::int32_t> groups(n, -1);
  for (std::int32_t& group : groups) {
    const std::uint32_t drawn = rng.below(count);
    if (rng.below(8) > 0 && ++sizes[drawn] <= most) {
      group = static_cast<std::int32_t>(drawn);
    }
  }
  return groups;
}

// As run() does where pairs are many.
Solution round_by_round(const Input& input, const Options& options) {
  ThreadTeam team(options.search.threads);
  const Control control;
  StopCheck stop(control, Clock::now(), options.search.max_seconds);
  Rng rng(0);
  const Context context{rng, team, stop};
  const Prepared prepared = prepare(input, options, context);
  const std::optional<Constraints> links = make_constraints(
      options.links, input.objects(), options.search.clusters,
      [](ObjectId i) { return std::to_string(i); }, 0);
  return solve(prepared, links, context);
}

std::vector<Method> methods_with_groups(const NamedInput& data) {
  std::vector<Method> methods{Method::automatic, Method::local_search, Method::annealing,
                              Method::frank_wolfe};
  if (data.input.shape == Shape::graph || data.similarity.kind == Similarity::neighbors) {
    methods.push_back(Method::multilevel);
  }
  return methods;
}

plain::Matrix matrix_of(const NamedInput& data, const ShiftOptions& shift) {
  ThreadTeam team(1);
  return plain::shifted_matrix(problem_of(data, shift, team).problem);
}

double rounding(const plain::Matrix& s, std::size_t n) {
  return 1e-9 * static_cast<double>(n) * (plain::largest_entry(s) + 1);
}

// No object gains by going to another cluster that is free of its group.
void expect_local_optimum(const plain::Matrix& s, const std::vector<ClusterId>& labels,
                          const Options& options, const std::string& name) {
  const std::size_t found = *std::max_element(labels.begin(), labels.end()) + 1;
  const std::size_t count = options.search.clusters.value_or(found + 1);
  const double before = plain::cost(s, labels);
  for (ObjectId i = 0; i < labels.size(); ++i) {
    for (ClusterId to = 0; to < count; ++to) {
      std::vector<ClusterId> moved = labels;
      moved[i] = to;
      EXPECT_TRUE(clash(options.links.one_per_cluster, moved) ||
                  plain::cost(s, moved) >= before - rounding(s, labels.size()))
          << name;
    }
  }
}

class GroupedRuns : public testing::TestWithParam<int> {};

TEST_P(GroupedRuns, keep_to_the_groups_at_the_cost_of_the_definition) {
  Rng rng(static_cast<std::uint64_t>(GetParam()));
  const auto n = static_cast<std::uint32_t>(12 + rng.below(30));
  for (const NamedInput& data : data_of(n, 3, rng)) {
    for (const Method method : methods_with_groups(data)) {
      Options options;
      options.similarity = data.similarity;
      options.shift = some_shifts()[rng.below(6)];
      options.search.method = method;
      options.search.restarts = 3;
      options.search.threads = 1 + static_cast<int>(rng.below(3));
      const std::uint32_t clusters = 3 + rng.below(6);
      const bool is_free = rng.below(2) == 0;
      if (!is_free) {
        options.search.clusters = clusters;
      }
      options.links.one_per_cluster =
          random_groups(n, 1 + rng.below(8), is_free ? n : clusters, rng);
      const plain::Matrix s = matrix_of(data, options.shift);
      const Result at_once = run(data.input, options);
      EXPECT_FALSE(clash(options.links.one_per_cluster, at_once.labels)) << data.name;
      const Solution found = round_by_round(data.input, options);
      EXPECT_FALSE(clash(options.links.one_per_cluster, found.labels)) << data.name;
      EXPECT_NEAR(found.cost, plain::cost(s, found.labels), rounding(s, n) * n) << data.name;
      expect_local_optimum(s, found.labels, options, data.name);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(groups, GroupedRuns, testing::Range(0, 6));

// The lowest cost of all labels that keep to the groups, by trying them.
double lowest_cost(const plain::Matrix& s, const Options& options) {
  const std::size_t n = s.size();
  const std::size_t most = options.search.clusters.value_or(n);
  std::vector<ClusterId> labels(n, 0);
  double best = std::numeric_limits<double>::infinity();
  const std::function<void(std::size_t, ClusterId)> label = [&](std::size_t i, ClusterId used) {
    if (i == n) {
      if (!clash(options.links.one_per_cluster, labels)) {
        best = std::min(best, plain::cost(s, labels));
      }
      return;
    }
    for (ClusterId k = 0; k <= used && k < most; ++k) {
      labels[i] = k;
      label(i + 1, std::max(used, k + 1));
    }
  };
  label(0, 0);
  return best;
}

TEST(groups, of_few_objects_are_grouped_at_the_lowest_cost_but_for_rare_cases) {
  Rng rng(3);
  int runs = 0;
  int best = 0;
  for (int round = 0; round < 40; ++round) {
    const std::uint32_t n = 4 + rng.below(5);
    for (const NamedInput& data : data_of(n, 2, rng)) {
      Options options;
      options.similarity = data.similarity;
      options.shift = {ShiftKind::adaptive, 1, 0, {}};
      options.search.threads = 1;
      if (round % 2 == 0) {
        options.search.clusters = 2 + rng.below(3);
      }
      options.links.one_per_cluster = random_groups(n, 3, options.search.clusters.value_or(n), rng);
      const plain::Matrix s = matrix_of(data, options.shift);
      const double lowest = lowest_cost(s, options);
      for (const double cost :
           {run(data.input, options).cost, round_by_round(data.input, options).cost}) {
        EXPECT_GE(cost, lowest - rounding(s, n));
        best += cost <= lowest + rounding(s, n) ? 1 : 0;
        ++runs;
      }
    }
  }
  EXPECT_GE(best, runs * 97 / 100) << best << " of " << runs;
}

// Records of several sources, each entity at most once in a source, matched with noise.
Input linkage(std::uint32_t entities, std::uint32_t sources, Rng& rng,
              std::vector<std::int32_t>& source) {
  const std::uint32_t n = entities * sources;
  std::vector<Entry> edges;
  const auto add = [&](std::uint32_t a, std::uint32_t b, double p) {
    edges.push_back({a, b, p});
    edges.push_back({b, a, p});
  };
  source.resize(n);
  for (std::uint32_t s = 0; s < sources; ++s) {
    for (std::uint32_t e = 0; e < entities; ++e) {
      const std::uint32_t record = s * entities + e;
      source[record] = static_cast<std::int32_t>(s);
      for (std::uint32_t t = 0; t < s; ++t) {
        add(record, t * entities + e, 0.5 + 0.49 * rng.uniform());
      }
      if (rng.below(2) == 0) {  // a false match, sometimes within a source
        const std::uint32_t other = rng.below(n);
        if (other % entities != e) {
          add(record, other, 0.2 + 0.7 * rng.uniform());
        }
      }
    }
  }
  // Of a pair drawn twice the smaller one, both ways.
  std::sort(edges.begin(), edges.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.row, a.column, a.value) < std::tie(b.row, b.column, b.value);
  });
  edges.erase(std::unique(edges.begin(), edges.end(),
                          [](const Entry& a, const Entry& b) {
                            return a.row == b.row && a.column == b.column;
                          }),
              edges.end());
  Input input;
  input.values = sparse_from_entries(std::move(edges), n, n);
  input.shape = Shape::graph;
  return input;
}

TEST(groups, of_records_are_as_good_round_by_round_as_all_pairs_at_once) {
  Rng rng(8);
  for (const std::uint32_t entities : {20U, 100U, 300U}) {
    Options options;
    options.similarity.weights = Weights::log_odds;
    const Input input = linkage(entities, 3, rng, options.links.one_per_cluster);
    const Solution found = round_by_round(input, options);
    EXPECT_FALSE(clash(options.links.one_per_cluster, found.labels));
    Options explicit_pairs = options;
    explicit_pairs.links.one_per_cluster.clear();
    for (std::uint32_t s = 0; s < 3; ++s) {
      for (std::uint32_t a = 0; a < entities; ++a) {
        for (std::uint32_t b = a + 1; b < entities; ++b) {
          explicit_pairs.links.cannot_link.push_back({s * entities + a, s * entities + b});
        }
      }
    }
    const double expected = run(input, explicit_pairs).cost;
    EXPECT_LE(found.cost, expected + 0.002 * std::abs(expected)) << entities;
  }
}

TEST(groups, are_the_same_for_any_number_of_threads) {
  Rng rng(9);
  Options options;
  options.similarity.weights = Weights::log_odds;
  const Input input = linkage(2000, 3, rng, options.links.one_per_cluster);
  options.search.threads = 1;
  const Result one = run(input, options);
  EXPECT_FALSE(clash(options.links.one_per_cluster, one.labels));
  ASSERT_TRUE(one.links);
  EXPECT_EQ(one.links->groups, 3U);
  EXPECT_EQ(one.links->in_groups, 6000U);
  options.search.threads = 3;
  const Result three = run(input, options);
  EXPECT_EQ(one.labels, three.labels);
  EXPECT_EQ(one.cost, three.cost);
}

TEST(groups, hold_when_stopped_at_once) {
  Rng rng(6);
  const std::uint32_t n = 400;
  for (const NamedInput& data : data_of(n, 3, rng)) {
    for (const Method method : methods_with_groups(data)) {
      for (const bool is_free : {true, false}) {
        Options options;
        options.similarity = data.similarity;
        options.links.one_per_cluster = random_groups(n, 2, 210, rng);  // over 20,000 pairs
        if (!is_free) {
          options.search.clusters = 210;
        }
        options.search.method = method;
        options.search.max_seconds = 1e-9;
        const Result result = run(data.input, options);
        EXPECT_FALSE(clash(options.links.one_per_cluster, result.labels)) << data.name;
        EXPECT_LE(result.clusters_found, options.search.clusters.value_or(n));
      }
    }
  }
}

TEST(groups, hold_beside_pairs) {
  Rng rng(12);
  const std::uint32_t n = 40;
  for (int round = 0; round < 5; ++round) {
    for (const NamedInput& data : data_of(n, 3, rng)) {
      Options options;
      options.similarity = data.similarity;
      options.search.restarts = 3;
      options.search.clusters = 15;
      options.links.one_per_cluster = random_groups(n, 5, 6, rng);
      options.links.must_link = {{0, 1}, {1, 2, 0.5}};
      options.links.one_per_cluster[0] = -1;
      options.links.cannot_link = {{0, 5}, {5, 6}, {7, 8}, {9, 3, 2.0}};
      const Solution found = round_by_round(data.input, options);
      EXPECT_FALSE(clash(options.links.one_per_cluster, found.labels)) << data.name;
      EXPECT_EQ(found.labels[0], found.labels[1]);
      EXPECT_NE(found.labels[0], found.labels[5]);
      EXPECT_NE(found.labels[5], found.labels[6]);
      EXPECT_NE(found.labels[7], found.labels[8]);
    }
  }
}

TEST(groups, larger_than_the_number_of_clusters_are_refused) {
  Options options;
  options.search.clusters = 2;
  options.links.one_per_cluster = {0, 0, 0, 1};
  EXPECT_THROW(run(features({0, 1, 4, 5}, 4, 1), options), std::invalid_argument);
}

TEST(groups, explain_who_keeps_an_object_out) {
  Options options;
  options.similarity.weights = Weights::log_odds;
  options.links.one_per_cluster = {0, 1, 1};
  Input input;
  input.values = sparse_from_entries({{0, 1, 0.9}, {1, 0, 0.9}, {0, 2, 0.8}, {2, 0, 0.8}}, 3, 3);
  input.shape = Shape::graph;
  const Result result = run(input, options);
  EXPECT_EQ(result.labels, (std::vector<std::int32_t>{0, 0, 1}));
  const Explanation e = explain(input, options, result, 2);
  ASSERT_TRUE(e.rival);
  EXPECT_EQ(*e.rival, 1U);
  EXPECT_NE(
      to_text(e, input).find("but 1 is there, and a cluster may hold only one of their group"),
      std::string::npos);
  EXPECT_TRUE(e.cannot_link.empty());
  EXPECT_FALSE(explain(input, options, result, 0).rival);
}

}  // namespace
}  // namespace shiftcut
