// What is certain of pairs holds in every answer, of every search on every view.
#include <gtest/gtest.h>

#include <stdexcept>

#include "constraints/constraints.hpp"
#include "shiftcut/shiftcut.hpp"
#include "support/plain.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace testing_support;

// Feasible with three clusters: pairs are drawn to agree with a hidden grouping.
LinkOptions hidden_links(std::uint32_t n, std::size_t count, Rng& rng) {
  std::vector<std::uint32_t> hidden(n);
  for (std::uint32_t& group : hidden) {
    group = rng.below(3);
  }
  LinkOptions given;
  for (std::size_t e = 0; e < count; ++e) {
    const std::uint32_t a = rng.below(n);
    const std::uint32_t b = (a + 1 + rng.below(n - 1)) % n;
    const bool together = hidden[a] == hidden[b];
    if (together && rng.below(3) > 0) {
      continue;  // fewer, or all would soon be three nodes
    }
    auto& pairs = together ? given.must_link : given.cannot_link;
    pairs.push_back({a, b, rng.below(4) == 0 ? 0.2 + rng.uniform() : ObjectPair::kCertain});
  }
  return given;
}

void expect_kept(const LinkOptions& given, const Result& result, const std::string& name) {
  for (const ObjectPair& pair : given.must_link) {
    EXPECT_TRUE(pair.weight != ObjectPair::kCertain ||
                result.labels[pair.a] == result.labels[pair.b])
        << name;
  }
  for (const ObjectPair& pair : given.cannot_link) {
    EXPECT_TRUE(pair.weight != ObjectPair::kCertain ||
                result.labels[pair.a] != result.labels[pair.b])
        << name;
  }
}

std::vector<Method> methods_for(const NamedInput& data) {
  std::vector<Method> methods{Method::automatic, Method::local_search, Method::annealing,
                              Method::frank_wolfe};
  const bool is_products =
      data.input.shape == Shape::features && (data.similarity.kind == Similarity::cosine ||
                                              (data.similarity.kind == Similarity::linear &&
                                               data.similarity.distance == Distance::sqeuclidean));
  if (!is_products) {
    methods.push_back(Method::multilevel);
  }
  return methods;
}

class LinkedRuns : public testing::TestWithParam<int> {};

TEST_P(LinkedRuns, keep_to_the_pairs_at_the_cost_of_the_definition) {
  Rng rng(static_cast<std::uint64_t>(GetParam()));
  ThreadTeam team(1);
  const auto n = static_cast<std::uint32_t>(12 + rng.below(40));
  for (const NamedInput& data : one_of_each(n, 3, rng)) {
    const ShiftOptions shift = some_shifts()[rng.below(6)];
    for (const Method method : methods_for(data)) {
      Options options;
      options.similarity = data.similarity;
      options.shift = shift;
      options.links = hidden_links(n, n, rng);
      options.search.method = method;
      options.search.restarts = 3;
      options.search.threads = 1 + static_cast<int>(rng.below(3));
      if (rng.below(2) == 0) {
        options.search.clusters = 3 + rng.below(3);
      }
      const Result result = run(data.input, options);
      expect_kept(options.links, result, data.name);
      if (options.search.clusters) {
        EXPECT_LE(result.clusters_found, *options.search.clusters);
      }
      const MadeProblem made = problem_of(data, shift, team);
      const plain::Matrix s = plain::shifted_matrix(made.problem);
      const std::vector<ClusterId> labels(result.labels.begin(), result.labels.end());
      const double evidence = result.links ? result.links->cost : 0;
      const double expected = plain::cost(s, labels) + evidence;
      EXPECT_NEAR(result.cost, expected,
                  1e-9 * std::abs(expected) + 1e-12 * n * n * (plain::largest_entry(s) + 1))
          << data.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(links, LinkedRuns, testing::Range(0, 8));

// Nothing is gained by moving one node, if that keeps to the pairs.
TEST(links, are_kept_in_local_optima) {
  ThreadTeam team(1);
  Rng rng(11);
  for (int round = 0; round < 3; ++round) {
    const std::uint32_t n = 30;
    for (const NamedInput& data : one_of_each(n, 3, rng)) {
      Options options;
      options.similarity = data.similarity;
      options.shift = {ShiftKind::adaptive, 1, 0, {}};
      options.links = hidden_links(n, n, rng);
      for (auto* pairs : {&options.links.must_link, &options.links.cannot_link}) {
        std::erase_if(*pairs, [](const ObjectPair& p) { return p.weight != ObjectPair::kCertain; });
      }
      if (round > 0) {
        options.search.clusters = 4;
      }
      const Result result = run(data.input, options);
      const MadeProblem made = problem_of(data, options.shift, team);
      const plain::Matrix s = plain::shifted_matrix(made.problem);
      const Constraints links = make_constraints(options.links, n, options.search.clusters,
                                                 [](ObjectId i) { return std::to_string(i); });
      const std::size_t count = options.search.clusters.value_or(result.clusters_found + 1);
      for (ObjectId node = 0; node < links.nodes; ++node) {
        std::vector<ClusterId> labels(result.labels.begin(), result.labels.end());
        const double before = plain::cost(s, labels);
        for (ClusterId to = 0; to < count; ++to) {
          std::vector<ClusterId> moved = labels;
          bool allowed = true;
          for (ObjectId i = 0; i < n; ++i) {
            moved[i] = links.node_of[i] == node ? to : moved[i];
          }
          for (const ObjectPair& pair : options.links.cannot_link) {
            allowed = allowed && moved[pair.a] != moved[pair.b];
          }
          EXPECT_TRUE(!allowed ||
                      plain::cost(s, moved) >= before - 1e-9 * (plain::largest_entry(s) * n + 1))
              << data.name;
        }
      }
    }
  }
}

TEST(links, hold_on_a_large_graph_and_on_many_rows_for_any_number_of_threads) {
  Rng rng(5);
  const std::uint32_t n = 6000;
  const std::vector<double> rows = grouped_rows(n, 4, 3, rng);
  for (const Similarity kind : {Similarity::neighbors, Similarity::linear}) {
    Options options;
    options.similarity.kind = kind;
    options.links = hidden_links(n, 3000, rng);
    options.search.clusters = 5;
    options.search.restarts = 3;
    options.search.threads = 1;
    const Result one = run(features(rows, n, 4), options);
    expect_kept(options.links, one, "many");
    options.search.threads = 3;
    const Result three = run(features(rows, n, 4), options);
    EXPECT_EQ(one.labels, three.labels);
    EXPECT_EQ(one.cost, three.cost);
  }
}

TEST(links, hold_when_stopped_at_once) {
  Rng rng(6);
  const std::uint32_t n = 400;
  for (const NamedInput& data : one_of_each(n, 3, rng)) {
    for (const Method method : methods_for(data)) {
      Options options;
      options.similarity = data.similarity;
      options.links = hidden_links(n, n, rng);
      options.search.clusters = 4;
      options.search.method = method;
      options.search.max_seconds = 1e-9;
      const Result result = run(data.input, options);
      expect_kept(options.links, result, data.name);
    }
  }
}

TEST(links, that_are_evidence_are_followed_where_they_are_strong) {
  Input input = features({0, 1, 4, 5}, 4, 1);
  Options options;
  options.similarity.kind = Similarity::linear;
  options.similarity.scale = Scale::none;
  options.search.clusters = 2;
  EXPECT_EQ(run(input, options).labels, (std::vector<std::int32_t>{0, 0, 1, 1}));
  options.links.must_link = {{1, 2, 0.01}};
  EXPECT_EQ(run(input, options).labels, (std::vector<std::int32_t>{0, 0, 1, 1}));
  options.links.must_link = {{1, 2, 100}};
  const Result followed = run(input, options);
  EXPECT_EQ(followed.labels[1], followed.labels[2]);
  ASSERT_TRUE(followed.links);
  EXPECT_EQ(followed.links->satisfied, 1U);
  EXPECT_EQ(followed.links->uncertain, 1U);
  EXPECT_LT(followed.links->cost, 0);
}

TEST(links, leave_as_many_clusters_as_nodes_at_most) {
  Options options;
  options.similarity.kind = Similarity::linear;
  options.search.clusters = 4;
  options.links.must_link = {{0, 1}, {1, 2}, {2, 3}};
  const Result result = run(features({0, 1, 4, 5}, 4, 1), options);
  EXPECT_EQ(result.clusters_found, 1U);
}

}  // namespace
}  // namespace shiftcut
