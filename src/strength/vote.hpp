// Which of many partitions of the same data to return: the one that the others agree with most.
//
// No criterion of a partition alone selects the right shift strength on all data. But a partition
// that different ways of looking at the data arrive at can be trusted: strengths of a path, and
// cuts of spanning trees. With e the evenness of a partition, (1 - largest share) / (1 - 1/K), and
// a_ij the squared adjusted Rand index of two (0 if it is negative), voter i of weight w_i scores
//   K_i / K sqrt(e_i) sum_j w_j sqrt(e_j) a_ij
// so that partitions with nearly everything in one cluster neither win nor count, and of two that
// are supported alike the one with more of the K clusters wins.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/partition.hpp"
#include "core/thread_team.hpp"
#include "multilevel/level.hpp"

namespace shiftcut {

struct Voter {
  std::vector<ClusterId> labels;  // compact
  std::size_t clusters = 0;
  double strength = 1;  // that the labels are a local optimum of
  double weight = 1;
  bool is_tree = false;
};

struct VoteOutcome {
  std::size_t winner = 0;
  double score = 0;                // of the winner; at most the sum of all weights
  std::vector<double> similarity;  // adjusted Rand index of the winner with each voter
};

/// The adjusted Rand index of two partitions of weighted nodes: 1 if they are the same.
double agreement(std::span<const Volume> nodes, std::span<const ClusterId> a,
                 std::span<const ClusterId> b);

/// (1 - largest share) / (1 - 1/K), and a little above 0 at least.
double evenness(std::span<const Volume> nodes, std::span<const ClusterId> labels,
                std::size_t clusters);

/// How the voters support one of them, all partitions taken as even.
VoteOutcome support_for(std::size_t voter, std::span<const Voter> voters,
                        std::span<const Volume> nodes);

/// The voter of the highest score; in a tie the first. `clusters` is K; `expected` is the evenness
/// that counts as even: 1, or less where the data are known to be uneven.
VoteOutcome vote(std::span<const Voter> voters, std::span<const Volume> nodes, std::size_t clusters,
                 double expected, ThreadTeam& team);

}  // namespace shiftcut
