// Edges come from the lists and the lists read backwards; both ends compute the same weight.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "core/kernels/elementary.hpp"
#include "core/kernels/simd.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "neighbors/reverse_lists.hpp"
#include "neighbors/tuning.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

struct Edge {
  ObjectId other;
  double squared;
};

// The objects that have i among their neighbours, with their distances: the lists read backwards.
struct ReverseLists {
  std::vector<std::size_t> offsets;
  std::vector<Edge> edges;
};

ReverseLists reversed(const NeighborLists& lists, ThreadTeam& team) {
  ReverseLists reverse;
  reverse.offsets = reverse_lists(
      lists.n, team,
      [&](std::size_t i, const auto& use) {
        const auto own = lists.of(i);
        for (std::size_t e = 0; e < own.size(); ++e) {
          use(own[e], e);
        }
      },
      [&](std::size_t count) { reverse.edges.resize(count); },
      [&](std::size_t at, std::size_t i, std::size_t e) {
        reverse.edges[at] = {static_cast<ObjectId>(i), lists.squared[i * lists.k + e]};
      });
  return reverse;
}

// The edges of i, ascending.
void edges_of(std::size_t i, const NeighborLists& lists, const ReverseLists& reverse,
              std::vector<Edge>& out) {
  out.assign(reverse.edges.begin() + static_cast<std::ptrdiff_t>(reverse.offsets[i]),
             reverse.edges.begin() + static_cast<std::ptrdiff_t>(reverse.offsets[i + 1]));
  const auto own = lists.of(i);
  for (std::size_t e = 0; e < own.size(); ++e) {
    out.push_back({own[e], lists.squared[i * lists.k + e]});
  }
  std::sort(out.begin(), out.end(), [](const Edge& a, const Edge& b) { return a.other < b.other; });
  const auto end = std::unique(out.begin(), out.end(),
                               [](const Edge& a, const Edge& b) { return a.other == b.other; });
  out.erase(end, out.end());
}

template <class Visit>
void for_each_object(std::size_t n, ThreadTeam& team, const Visit& visit) {
  for_each_row_chunk(n, kRowsPerTask, team, [&](std::size_t begin, std::size_t end, int) {
    std::vector<Edge> edges;
    for (std::size_t i = begin; i < end; ++i) {
      visit(i, edges);
    }
  });
}

// Sets of up to this many are compared all with all, which vectorises: 11 with 11 in a quarter of
// the time of merging them.
constexpr std::size_t kSetPanel = 16;

// How many of a stand in the kSetPanel places from b on.
std::size_t count_in_panel(std::span<const ObjectId> a, const ObjectId* b) {
  return run_simd([=]() SHIFTCUT_INLINED {
    std::uint32_t found[kSetPanel] = {};
    for (const ObjectId member : a) {
      for (std::size_t place = 0; place < kSetPanel; ++place) {
        found[place] += b[place] == member ? 1 : 0;
      }
    }
    return static_cast<std::size_t>(std::accumulate(found, found + kSetPanel, 0U));
  });
}

// How many two ascending sets have in common.
std::size_t count_both(std::span<const ObjectId> a, std::span<const ObjectId> b) {
  std::size_t both = 0;
  for (std::size_t p = 0, q = 0; p < a.size() && q < b.size();) {
    const ObjectId left = a[p];
    const ObjectId right = b[q];
    both += left == right ? 1 : 0;
    p += left <= right ? 1 : 0;
    q += right <= left ? 1 : 0;
  }
  return both;
}

// Computes the weights of edges.
class Weigher {
 public:
  Weigher(const NeighborLists& lists, Weights weights, ThreadTeam& team)
      : lists_(lists), weights_(weights) {
    if (weights == Weights::gaussian) {
      find_scales();
    } else if (weights == Weights::shared) {
      sort_sets(team);
    }
  }

  /// Fetches what the weight of an edge to j needs ahead of its use.
  void prefetch(std::size_t j) const {
    if (weights_ == Weights::shared) {
      __builtin_prefetch(&sets_[j * width_]);
    }
  }

  [[nodiscard]] double operator()(std::size_t i, const Edge& edge) const {
    switch (weights_) {
      case Weights::binary:
      case Weights::log_odds:  // for graphs that are given, never for neighbours
        break;
      case Weights::shared:
        return overlap(i, edge.other);
      case Weights::gaussian:
        return gaussian(i, edge);
    }
    return 1;
  }

 private:
  void find_scales() {
    scale_.assign(lists_.n, 0.0);
    for (std::size_t i = 0; i < lists_.n; ++i) {
      if (const std::size_t count = lists_.of(i).size(); count > 0) {
        scale_[i] = std::sqrt(lists_.squared[i * lists_.k + count - 1]);
      }
    }
  }

  void sort_sets(ThreadTeam& team) {
    width_ = lists_.k + 1 <= kSetPanel ? kSetPanel : lists_.k + 1;
    sets_.assign(lists_.n * width_, kNoNeighbor);
    for_each_object(lists_.n, team, [&](std::size_t i, std::vector<Edge>&) {
      const auto own = lists_.of(i);
      ObjectId* set = &sets_[i * width_];
      std::copy(own.begin(), own.end(), set);
      set[own.size()] = static_cast<ObjectId>(i);
      std::sort(set, set + own.size() + 1);
    });
  }

  [[nodiscard]] std::span<const ObjectId> set(std::size_t i) const {
    return std::span(sets_).subspan(i * width_, lists_.of(i).size() + 1);
  }

  [[nodiscard]] double overlap(std::size_t i, std::size_t j) const {
    const auto a = set(i);
    const auto b = set(j);
    const std::size_t both = width_ == kSetPanel ? count_in_panel(a, b.data()) : count_both(a, b);
    return static_cast<double>(both) / static_cast<double>(a.size() + b.size() - both);
  }

  [[nodiscard]] double gaussian(std::size_t i, const Edge& edge) const {
    if (edge.squared == 0) {
      return 1;
    }
    const double larger = std::max(scale_[i], scale_[edge.other]);
    const double smaller = std::min(scale_[i], scale_[edge.other]);
    const double distance = std::sqrt(edge.squared);
    return portable_exp(-(distance / larger) * (distance / (smaller > 0 ? smaller : larger)));
  }

  const NeighborLists& lists_;
  Weights weights_;
  std::vector<double> scale_;
  std::size_t width_ = 0;
  std::vector<ObjectId> sets_;  // n * width_, each ascending, then kNoNeighbor
};

}  // namespace

SparseMatrix neighbor_graph(const NeighborLists& lists, Weights weights, ThreadTeam& team) {
  const std::size_t n = lists.n;
  const ReverseLists reverse = reversed(lists, team);
  const Weigher weigh(lists, weights, team);
  SparseMatrix graph;
  graph.rows = n;
  graph.columns_count = n;
  graph.offsets.assign(n + 1, 0);
  for_each_object(n, team, [&](std::size_t i, std::vector<Edge>& edges) {
    edges_of(i, lists, reverse, edges);
    graph.offsets[i + 1] = static_cast<std::int64_t>(edges.size());
  });
  std::partial_sum(graph.offsets.begin(), graph.offsets.end(), graph.offsets.begin());
  graph.columns.resize(static_cast<std::size_t>(graph.offsets.back()));
  graph.values.resize(graph.columns.size());
  for_each_object(n, team, [&](std::size_t i, std::vector<Edge>& edges) {
    edges_of(i, lists, reverse, edges);
    for (const Edge& edge : edges) {
      weigh.prefetch(edge.other);
    }
    auto at = static_cast<std::size_t>(graph.offsets[i]);
    for (const Edge& edge : edges) {
      graph.columns[at] = edge.other;
      graph.values[at] = weigh(i, edge);
      ++at;
    }
  });
  return graph;
}

}  // namespace shiftcut
