#include "strength/vote.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

using Labels = std::vector<ClusterId>;

std::vector<Volume> equal_nodes(std::size_t n) { return std::vector<Volume>(n, Volume{1, 1}); }

Voter voter(Labels labels, double weight = 1) {
  Voter made{std::move(labels), 0, 1, weight, false};
  made.clusters = compact_labels(made.labels);
  return made;
}

VoteOutcome vote_of(const std::vector<Voter>& voters, std::span<const Volume> nodes,
                    std::size_t clusters, double expected = 1, int threads = 1) {
  ThreadTeam team(threads);
  return vote(voters, nodes, clusters, expected, team);
}

std::vector<Voter> random_voters(std::size_t count, std::size_t n, std::size_t clusters, Rng& rng) {
  std::vector<Voter> voters;
  for (std::size_t i = 0; i < count; ++i) {
    Labels labels(n);
    for (std::size_t v = 0; v < n; ++v) {
      labels[v] = static_cast<ClusterId>(rng.uniform() < 0.6 ? v * clusters / n
                                                             : rng.below(std::uint32_t(clusters)));
    }
    voters.push_back(voter(std::move(labels), 0.5 + rng.uniform()));
  }
  return voters;
}

TEST(vote, the_partition_most_agree_with_wins) {
  const Labels halves{0, 0, 0, 1, 1, 1};
  const Labels other{0, 1, 0, 1, 0, 1};
  const std::vector<Voter> voters{voter(other), voter(halves), voter({1, 1, 1, 0, 0, 0})};
  const VoteOutcome outcome = vote_of(voters, equal_nodes(6), 2);
  EXPECT_EQ(outcome.winner, 1U);
  EXPECT_DOUBLE_EQ(outcome.similarity[1], 1);
  EXPECT_DOUBLE_EQ(outcome.similarity[2], 1);  // labels are names
  EXPECT_LT(outcome.similarity[0], 0);
  EXPECT_DOUBLE_EQ(outcome.score, 2);  // a negative similarity counts as none
}

TEST(vote, scores_are_those_of_the_formula) {
  Rng rng(1);
  for (int round = 0; round < 20; ++round) {
    const std::size_t clusters = 2 + rng.below(3);
    const std::vector<Voter> voters = random_voters(6, 30, clusters, rng);
    const std::vector<Volume> nodes = equal_nodes(30);
    const VoteOutcome outcome = vote_of(voters, nodes, clusters);
    std::vector<double> scores;
    for (const Voter& i : voters) {
      double sum = 0;
      for (const Voter& j : voters) {
        const double a = std::max(0.0, agreement(nodes, i.labels, j.labels));
        sum += j.weight * std::sqrt(evenness(nodes, j.labels, clusters)) * a * a;
      }
      scores.push_back(static_cast<double>(i.clusters) / static_cast<double>(clusters) *
                       std::sqrt(evenness(nodes, i.labels, clusters)) * sum);
    }
    EXPECT_EQ(outcome.winner, std::size_t(std::ranges::max_element(scores) - scores.begin()));
    EXPECT_NEAR(outcome.score, *std::ranges::max_element(scores), 1e-12);
  }
}

TEST(vote, the_order_of_voters_and_nodes_changes_nothing_but_ties) {
  Rng rng(2);
  for (int round = 0; round < 20; ++round) {
    const std::vector<Voter> voters = random_voters(8, 40, 3, rng);
    const VoteOutcome outcome = vote_of(voters, equal_nodes(40), 3);
    std::vector<std::size_t> order(voters.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), std::mt19937(round));
    std::vector<std::size_t> rows(40);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::shuffle(rows.begin(), rows.end(), std::mt19937(round + 100));
    std::vector<Voter> shuffled;
    for (const std::size_t i : order) {
      Voter moved = voters[i];
      for (std::size_t v = 0; v < rows.size(); ++v) {
        moved.labels[v] = voters[i].labels[rows[v]];
      }
      shuffled.push_back(std::move(moved));
    }
    const VoteOutcome again = vote_of(shuffled, equal_nodes(40), 3);
    EXPECT_EQ(order[again.winner], outcome.winner);
    EXPECT_NEAR(again.score, outcome.score, 1e-12);
  }
}

TEST(vote, the_first_wins_a_tie) {
  const std::vector<Voter> voters{voter({0, 0, 1, 1}), voter({1, 1, 0, 0})};
  EXPECT_EQ(vote_of(voters, equal_nodes(4), 2).winner, 0U);
}

TEST(vote, a_giant_cluster_neither_wins_nor_counts) {
  const Labels giant{0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  const Labels even{0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
  const std::vector<Voter> voters{voter(giant), voter(giant), voter(even), voter(even)};
  EXPECT_EQ(vote_of(voters, equal_nodes(10), 2).winner, 2U);
  // Where the data are known to be uneven, it may.
  const std::vector<Voter> three{voter(giant), voter(giant), voter(giant), voter(even)};
  EXPECT_EQ(vote_of(three, equal_nodes(10), 2, evenness(equal_nodes(10), giant, 2)).winner, 0U);
}

TEST(vote, a_node_of_weight_two_counts_as_two_objects) {
  Rng rng(3);
  for (int round = 0; round < 10; ++round) {
    std::vector<Volume> nodes = equal_nodes(20);
    std::vector<std::size_t> node_of;
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      nodes[v].size = 1 + rng.below(3);
      node_of.insert(node_of.end(), static_cast<std::size_t>(nodes[v].size), v);
    }
    const std::vector<Voter> voters = random_voters(5, 20, 2, rng);
    std::vector<Voter> spelled_out;
    for (const Voter& one : voters) {
      Labels labels;
      for (const std::size_t v : node_of) {
        labels.push_back(one.labels[v]);
      }
      spelled_out.push_back({std::move(labels), one.clusters, 1, one.weight, false});
    }
    const VoteOutcome weighted = vote_of(voters, nodes, 2);
    const VoteOutcome plain = vote_of(spelled_out, equal_nodes(node_of.size()), 2);
    EXPECT_EQ(weighted.winner, plain.winner);
    EXPECT_NEAR(weighted.score, plain.score, 1e-12);
  }
}

TEST(vote, threads_change_nothing) {
  Rng rng(4);
  const std::vector<Voter> voters = random_voters(12, 60, 4, rng);
  const VoteOutcome one = vote_of(voters, equal_nodes(60), 4, 1, 1);
  const VoteOutcome four = vote_of(voters, equal_nodes(60), 4, 1, 4);
  EXPECT_EQ(one.winner, four.winner);
  EXPECT_EQ(one.score, four.score);
  EXPECT_EQ(one.similarity, four.similarity);
}

TEST(vote, support_is_the_squared_similarity_of_the_others) {
  const std::vector<Voter> voters{voter({0, 0, 1, 1}, 2), voter({0, 0, 1, 1}, 3),
                                  voter({0, 1, 0, 1}, 5)};
  const VoteOutcome support = support_for(1, voters, equal_nodes(4));
  EXPECT_EQ(support.winner, 1U);
  EXPECT_DOUBLE_EQ(support.score, 5);
}

}  // namespace
}  // namespace shiftcut
