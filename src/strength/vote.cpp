#include "strength/vote.hpp"

#include <algorithm>
#include <cmath>

namespace shiftcut {

namespace {

// A partition with nearly all objects in one cluster still counts a little.
constexpr double kLeastEvenness = 1e-3;

double pairs(double count) { return count * (count - 1) / 2; }

std::vector<double> sizes_of(std::span<const Volume> nodes, std::span<const ClusterId> labels) {
  std::vector<double> sizes;
  for (std::size_t v = 0; v < labels.size(); ++v) {
    if (labels[v] >= sizes.size()) {
      sizes.resize(labels[v] + std::size_t{1}, 0.0);
    }
    sizes[labels[v]] += nodes[v].size;
  }
  return sizes;
}

double sum_of_pairs(std::span<const double> sizes) {
  double sum = 0;
  for (const double size : sizes) {
    sum += pairs(size);
  }
  return sum;
}

// The pairs of objects that share a cluster in both. Nodes are gone through by the clusters of `a`,
// so that one row of the table of overlaps is enough.
double shared_pairs(std::span<const Volume> nodes, std::span<const ClusterId> a,
                    std::span<const ClusterId> b, std::size_t in_a, std::size_t in_b) {
  std::vector<std::size_t> begin(in_a + 1, 0);
  for (const ClusterId k : a) {
    ++begin[k + std::size_t{1}];
  }
  for (std::size_t k = 0; k < in_a; ++k) {
    begin[k + 1] += begin[k];
  }
  std::vector<ObjectId> order(a.size());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (ObjectId v = 0; v < a.size(); ++v) {
    order[next[a[v]]++] = v;
  }
  std::vector<double> overlap(in_b, 0.0);
  double sum = 0;
  for (std::size_t k = 0; k < in_a; ++k) {
    for (std::size_t at = begin[k]; at < begin[k + 1]; ++at) {
      overlap[b[order[at]]] += nodes[order[at]].size;
    }
    for (std::size_t at = begin[k]; at < begin[k + 1]; ++at) {
      double& size = overlap[b[order[at]]];
      sum += size > 0 ? pairs(size) : 0.0;
      size = 0;
    }
  }
  return sum;
}

// K is an upper bound, but whoever asks for K clusters would rather have them.
double found_share(const Voter& voter, std::size_t clusters) {
  return static_cast<double>(voter.clusters) / static_cast<double>(clusters);
}

}  // namespace

double evenness(std::span<const Volume> nodes, std::span<const ClusterId> labels,
                std::size_t clusters) {
  double all = 0;
  double largest = 0;
  for (const double size : sizes_of(nodes, labels)) {
    all += size;
    largest = std::max(largest, size);
  }
  const double even = (1 - largest / all) / (1 - 1 / static_cast<double>(clusters));
  return std::max(kLeastEvenness, even);
}

double agreement(std::span<const Volume> nodes, std::span<const ClusterId> a,
                 std::span<const ClusterId> b) {
  const std::vector<double> in_a = sizes_of(nodes, a);
  const std::vector<double> in_b = sizes_of(nodes, b);
  double n = 0;
  for (const double size : in_a) {
    n += size;
  }
  const double pairs_a = sum_of_pairs(in_a);
  const double pairs_b = sum_of_pairs(in_b);
  const double chance = pairs(n) > 0 ? pairs_a * pairs_b / pairs(n) : 0.0;
  const double most = (pairs_a + pairs_b) / 2;
  return most == chance
             ? 1.0
             : (shared_pairs(nodes, a, b, in_a.size(), in_b.size()) - chance) / (most - chance);
}

VoteOutcome support_for(std::size_t voter, std::span<const Voter> voters,
                        std::span<const Volume> nodes) {
  VoteOutcome outcome;
  outcome.winner = voter;
  for (const Voter& other : voters) {
    const double similarity = agreement(nodes, voters[voter].labels, other.labels);
    const double a = std::max(0.0, similarity);
    outcome.similarity.push_back(similarity);
    outcome.score += other.weight * a * a;
  }
  return outcome;
}

VoteOutcome vote(std::span<const Voter> voters, std::span<const Volume> nodes, std::size_t clusters,
                 double expected, ThreadTeam& team) {
  const std::size_t count = voters.size();
  std::vector<double> even(count);
  std::vector<double> similarity(count * count, 1.0);
  team.for_each(count, [&](std::size_t i, int) {
    even[i] = std::min(1.0, evenness(nodes, voters[i].labels, clusters) / expected);
    for (std::size_t j = 0; j < i; ++j) {
      similarity[i * count + j] = agreement(nodes, voters[i].labels, voters[j].labels);
    }
  });
  VoteOutcome outcome;
  for (std::size_t i = 0; i < count; ++i) {
    double score = 0;
    for (std::size_t j = 0; j < count; ++j) {
      double& now = similarity[i * count + j];
      now = j > i ? similarity[j * count + i] : now;
      const double a = std::max(0.0, now);
      score += voters[j].weight * std::sqrt(even[j]) * a * a;
    }
    score *= std::sqrt(even[i]) * found_share(voters[i], clusters);
    if (score > outcome.score) {
      outcome.winner = i;
      outcome.score = score;
    }
  }
  const auto row = similarity.begin() + static_cast<std::ptrdiff_t>(outcome.winner * count);
  outcome.similarity.assign(row, row + static_cast<std::ptrdiff_t>(count));
  return outcome;
}

}  // namespace shiftcut
