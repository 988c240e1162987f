#include "layout/fuzzy_graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/kernels/elementary.hpp"
#include "core/partition.hpp"
#include "core/rng.hpp"
#include "layout/tuning.hpp"
#include "neighbors/reverse_lists.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

using namespace layout_tuning;

struct Pull {
  ObjectId other;
  float weight;
};

// The pulls of each object, p_ij: `width` places per object, `counts` of them used.
struct Pulls {
  std::size_t n;
  std::size_t width;
  std::vector<Pull> all;
  std::vector<std::uint32_t> counts;

  Pulls(std::size_t objects, std::size_t places)
      : n(objects), width(places), all(objects * places), counts(objects, 0) {}
  [[nodiscard]] std::span<const Pull> of(std::size_t i) const {
    return std::span(all).subspan(i * width, counts[i]);
  }
};

// exp(-r / width) for r = 0 .. k-1, the width such that they sum to log2(k + 1).
std::vector<float> falling_weights(std::size_t k) {
  constexpr int kHalvings = 60;
  const double wanted = portable_log(static_cast<double>(k) + 1) / portable_log(2);
  double low = 0;
  double high = 1;  // of e^(-1 / width)
  const auto sum = [k](double factor) {
    double total = 0;
    double weight = 1;
    for (std::size_t r = 0; r < k; ++r, weight *= factor) {
      total += weight;
    }
    return total;
  };
  for (int h = 0; h < kHalvings; ++h) {
    const double middle = (low + high) / 2;
    (sum(middle) < wanted ? low : high) = middle;
  }
  std::vector<float> weights(k);
  double weight = 1;
  for (std::size_t r = 0; r < k; ++r, weight *= low) {
    weights[r] = static_cast<float>(weight);
  }
  return weights;
}

// Both p_ij and p_ji of the edges of i, ascending.
void edges_of(std::size_t i, const Pulls& pulls, const std::vector<std::size_t>& offsets,
              const std::vector<Pull>& reverse, std::vector<Pull>& out) {
  out.assign(reverse.begin() + static_cast<std::ptrdiff_t>(offsets[i]),
             reverse.begin() + static_cast<std::ptrdiff_t>(offsets[i + 1]));
  const auto own = pulls.of(i);
  out.insert(out.end(), own.begin(), own.end());
  std::ranges::stable_sort(out, {}, &Pull::other);
  std::size_t kept = 0;
  for (const Pull& pull : out) {
    if (kept > 0 && out[kept - 1].other == pull.other) {
      float& weight = out[kept - 1].weight;
      weight = weight + pull.weight - weight * pull.weight;
    } else {
      out[kept++] = pull;
    }
  }
  out.resize(kept);
}

FuzzyGraph fuzzy_union(const Pulls& pulls, ThreadTeam& team) {
  std::vector<Pull> reverse;
  const std::vector<std::size_t> offsets = reverse_lists(
      pulls.n, team,
      [&](std::size_t i, const auto& use) {
        const auto own = pulls.of(i);
        for (std::size_t e = 0; e < own.size(); ++e) {
          use(own[e].other, e);
        }
      },
      [&](std::size_t count) { reverse.resize(count); },
      [&](std::size_t at, std::size_t i, std::size_t e) {
        reverse[at] = {static_cast<ObjectId>(i), pulls.of(i)[e].weight};
      });
  const auto for_each_object = [&](const auto& use) {
    for_each_row_chunk(pulls.n, kPlacesPerTask, team, [&](std::size_t begin, std::size_t end, int) {
      std::vector<Pull> edges;
      for (std::size_t i = begin; i < end; ++i) {
        edges_of(i, pulls, offsets, reverse, edges);
        use(i, edges);
      }
    });
  };
  FuzzyGraph graph;
  graph.offsets.assign(pulls.n + 1, 0);
  for_each_object([&](std::size_t i, const auto& edges) { graph.offsets[i + 1] = edges.size(); });
  std::partial_sum(graph.offsets.begin(), graph.offsets.end(), graph.offsets.begin());
  graph.others.resize(graph.offsets.back());
  graph.weights.resize(graph.offsets.back());
  for_each_object([&](std::size_t i, const auto& edges) {
    std::size_t at = graph.offsets[i];
    for (const Pull& edge : edges) {
      graph.others[at] = edge.other;
      graph.weights[at++] = edge.weight;
    }
  });
  return graph;
}

}  // namespace

FuzzyGraph fuzzy_graph(const NeighborTable& neighbors, ThreadTeam& team) {
  const std::vector<float> weights = falling_weights(neighbors.places);
  Pulls pulls(neighbors.objects, neighbors.places);
  for_each_row_chunk(pulls.n, kPlacesPerTask, team, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t first = i * pulls.width;
      for (std::size_t r = 0; r < pulls.width && neighbors.ids[first + r] != kNobody; ++r) {
        pulls.all[first + r] = {neighbors.ids[first + r], weights[r]};
        ++pulls.counts[i];
      }
    }
  });
  return fuzzy_union(pulls, team);
}

FuzzyGraph fuzzy_graph(const SparseMatrix& graph, ThreadTeam& team) {
  Pulls pulls(graph.rows, kMostEdges);
  for_each_row_chunk(pulls.n, kPlacesPerTask, team, [&](std::size_t begin, std::size_t end, int) {
    struct Edge {
      double weight;
      std::uint64_t order;  // of edges of equal weight: any, but not that of the numbers
      ObjectId other;
    };
    std::vector<Edge> edges;
    for (std::size_t i = begin; i < end; ++i) {
      edges.clear();
      for (auto e = static_cast<std::size_t>(graph.offsets[i]);
           e < static_cast<std::size_t>(graph.offsets[i + 1]); ++e) {
        if (graph.values[e] > 0 && graph.columns[e] != i) {
          edges.push_back({graph.values[e], mix(mix(i) ^ graph.columns[e]), graph.columns[e]});
        }
      }
      const std::size_t kept = std::min(edges.size(), kMostEdges);
      std::partial_sort(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(kept),
                        edges.end(), [](const Edge& a, const Edge& b) {
                          return a.weight > b.weight || (a.weight == b.weight && a.order < b.order);
                        });
      for (std::size_t e = 0; e < kept; ++e) {
        pulls.all[i * kMostEdges + e] = {
            edges[e].other, static_cast<float>(edges[e].weight / edges.front().weight)};
      }
      pulls.counts[i] = static_cast<std::uint32_t>(kept);
    }
  });
  return fuzzy_union(pulls, team);
}

}  // namespace shiftcut
