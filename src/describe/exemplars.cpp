#include "describe/exemplars.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "core/kernels/kernels.hpp"
#include "core/rng.hpp"
#include "describe/tuning.hpp"

namespace shiftcut {

namespace {

using namespace describe_tuning;

constexpr double kFar = std::numeric_limits<double>::infinity();

std::uint64_t hash_of(const std::vector<double>& row) {
  std::uint64_t hash = 0;
  for (const double value : row) {
    hash = mix(hash ^ std::bit_cast<std::uint64_t>(value + 0.0));  // -0 is 0
  }
  return hash;
}

// The members that are compared, in ascending order.
std::vector<ObjectId> candidates_of(const ObjectDistances& distances,
                                    std::span<const ObjectId> members) {
  std::vector<ObjectId> out(members.begin(), members.end());
  if (out.size() <= kCandidates) {
    return out;
  }
  std::vector<std::pair<std::uint64_t, ObjectId>> hashes;
  std::vector<double> row(distances.rows != nullptr ? distances.rows->length() : 0);
  for (const ObjectId i : members) {
    if (distances.rows != nullptr) {
      distances.rows->row(i, row.data());
    }
    hashes.emplace_back(distances.rows != nullptr ? hash_of(row) : mix(i), i);
  }
  std::ranges::nth_element(hashes, hashes.begin() + kCandidates);
  out.resize(kCandidates);
  for (std::size_t c = 0; c < kCandidates; ++c) {
    out[c] = hashes[c].second;
  }
  std::ranges::sort(out);
  return out;
}

// Of all pairs of candidates.
std::vector<double> pair_distances(const ObjectDistances& distances,
                                   const std::vector<ObjectId>& of) {
  const std::size_t m = of.size();
  std::vector<double> out(m * m, 0.0);
  const std::size_t d = distances.rows != nullptr ? distances.rows->length() : 0;
  std::vector<double> rows(m * d);
  for (std::size_t a = 0; a < m && d > 0; ++a) {
    distances.rows->row(of[a], &rows[a * d]);
  }
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = a + 1; b < m; ++b) {
      const double distance = distances.rows != nullptr
                                  ? std::sqrt(squared_distance(&rows[a * d], &rows[b * d], d))
                                  : distances.between(of[a], of[b]);
      out[a * m + b] = out[b * m + a] = distance;
    }
  }
  return out;
}

std::vector<std::size_t> choose(const std::vector<ObjectId>& candidates,
                                const std::vector<double>& distances, std::size_t most) {
  const std::size_t m = candidates.size();
  std::vector<std::size_t> chosen;
  std::vector<double> nearest(m, kFar);  // of each candidate to the chosen ones
  double before = kFar;
  while (chosen.size() < std::min(most, m)) {
    std::size_t best = 0;
    double best_sum = kFar;
    for (std::size_t a = 0; a < m; ++a) {
      double sum = 0;
      for (std::size_t b = 0; b < m; ++b) {
        sum += std::min(nearest[b], distances[a * m + b]);
      }
      if (sum < best_sum) {
        best = a;
        best_sum = sum;
      }
    }
    if (!(best_sum < before)) {
      break;  // all others equal a chosen one
    }
    before = best_sum;
    chosen.push_back(candidates[best]);
    for (std::size_t b = 0; b < m; ++b) {
      nearest[b] = std::min(nearest[b], distances[best * m + b]);
    }
  }
  return chosen;
}

// Similarities to members of the same cluster; to itself the largest of them.
template <class Visit>
void for_each_similarity(const SparseMatrix& graph, const ClusterMembers& members, ObjectId i,
                         const Visit& visit) {
  double largest = 0;
  for (auto e = static_cast<std::size_t>(graph.offsets[i]);
       e < static_cast<std::size_t>(graph.offsets[i + 1]); ++e) {
    const ObjectId j = graph.columns[e];
    if (j != i && graph.values[e] > 0 && members.label(j) == members.label(i)) {
      visit(j, graph.values[e]);
      largest = std::max(largest, graph.values[e]);
    }
  }
  visit(i, largest);
}

}  // namespace

std::vector<std::vector<std::size_t>> exemplars_by_distance(const ObjectDistances& distances,
                                                            const ClusterMembers& members,
                                                            std::size_t most, ThreadTeam& team) {
  std::vector<std::vector<std::size_t>> out(members.clusters());
  if (most == 0) {
    return out;
  }
  team.for_each(out.size(), [&](std::size_t k, int) {
    const std::vector<ObjectId> candidates = candidates_of(distances, members.of(k));
    out[k] = choose(candidates, pair_distances(distances, candidates), most);
  });
  return out;
}

std::vector<std::vector<std::size_t>> exemplars_of_graph(const SparseMatrix& graph,
                                                         const ClusterMembers& members,
                                                         std::size_t most, ThreadTeam& team) {
  std::vector<std::vector<std::size_t>> out(members.clusters());
  std::vector<double> covered(graph.rows, 0.0);  // the largest similarity to an exemplar
  team.for_each(out.size(), [&](std::size_t k, int) {
    while (out[k].size() < std::min(most, members.size(k))) {
      std::optional<ObjectId> best;
      double best_gain = 0;
      for (const ObjectId i : members.of(k)) {
        double gain = 0;
        for_each_similarity(graph, members, i, [&](ObjectId j, double value) {
          gain += std::max(0.0, value - covered[j]);
        });
        if (gain > best_gain) {
          best = i;
          best_gain = gain;
        }
      }
      if (!best && out[k].empty()) {
        best = members.of(k).front();  // no member is tied to another
      }
      if (!best) {
        break;
      }
      out[k].push_back(*best);
      for_each_similarity(graph, members, *best, [&](ObjectId j, double value) {
        covered[j] = std::max(covered[j], value);
      });
    }
  });
  return out;
}

std::optional<std::int32_t> nearest_by_exemplars(
    const ObjectDistances& distances, const std::vector<std::vector<std::size_t>>& exemplars,
    std::size_t cluster) {
  if (exemplars[cluster].empty()) {
    return std::nullopt;
  }
  const auto from = static_cast<ObjectId>(exemplars[cluster].front());
  std::optional<std::int32_t> nearest;
  double least = kFar;
  const std::size_t d = distances.rows != nullptr ? distances.rows->length() : 0;
  std::vector<double> a(d);
  std::vector<double> b(d);
  for (std::size_t k = 0; k < exemplars.size(); ++k) {
    for (const std::size_t to : exemplars[k]) {
      if (k == cluster) {
        continue;
      }
      double distance = 0;
      if (distances.rows != nullptr) {
        distances.rows->row(from, a.data());
        distances.rows->row(to, b.data());
        distance = std::sqrt(squared_distance(a.data(), b.data(), d));
      } else {
        distance = distances.between(from, static_cast<ObjectId>(to));
      }
      if (!nearest || distance < least) {
        nearest = static_cast<std::int32_t>(k);
        least = distance;
      }
    }
  }
  return nearest;
}

}  // namespace shiftcut
