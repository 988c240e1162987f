#include "multilevel/level.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

namespace shiftcut {

namespace {

// Nodes or edges that one thread takes at a time.
constexpr std::size_t kPiece = std::size_t{1} << 14;

// Calls task(begin, end) for pieces of 0 .. count.
template <class Task>
void for_each_piece(ThreadTeam& team, std::size_t count, const Task& task) {
  team.for_each((count + kPiece - 1) / kPiece, [&](std::size_t piece, int) {
    task(piece * kPiece, std::min(count, (piece + 1) * kPiece));
  });
}

// The self weight of an object is X_ii.
Nodes nodes_of(const GraphProblem& problem, ThreadTeam& team) {
  const std::size_t n = problem.size();
  Nodes nodes{PagedVector<Volume>(n), std::vector<double>(n, 0.0), problem.terms(),
              problem.tolerance()};
  for_each_piece(team, n, [&](std::size_t begin, std::size_t end) {
    for (auto i = static_cast<ObjectId>(begin); i < end; ++i) {
      nodes.volume[i] = {problem.node_weight(i), problem.degree(i)};
    }
  });
  return nodes;
}

// The largest absolute value.
template <class Number>
double largest_of(std::span<const Number> weights, ThreadTeam& team) {
  std::vector<double> of_piece((weights.size() + kPiece - 1) / kPiece, 0.0);
  for_each_piece(team, weights.size(), [&](std::size_t begin, std::size_t end) {
    double largest = 0;
    for (std::size_t e = begin; e < end; ++e) {
      largest = std::max(largest, std::abs(static_cast<double>(weights[e])));
    }
    of_piece[begin / kPiece] = largest;
  });
  return of_piece.empty() ? 0.0 : *std::max_element(of_piece.begin(), of_piece.end());
}

// Counts of edges fit into 32 bits.
double unit_of(const GraphProblem& problem) {
  const std::size_t edges = problem.graph().columns.size();
  return edges <= std::numeric_limits<std::uint32_t>::max() ? problem.same_weight() : 0.0;
}

}  // namespace

SparseLevel::SparseLevel(const GraphProblem& problem) {
  ThreadTeam alone(1);
  *this = SparseLevel(problem, alone);
}

SparseLevel::SparseLevel(const GraphProblem& problem, ThreadTeam& team)
    : nodes_(nodes_of(problem, team)),
      offsets_(problem.graph().offsets),
      columns_(problem.graph().columns),
      unit_(unit_of(problem)),
      weights_(unit_ != 0 ? std::span<const double>() : problem.graph().values),
      largest_weight_(unit_ != 0 ? std::abs(unit_) : largest_of(weights_, team)) {
  for (ObjectId i = 0; i < size() && problem.has_loops(); ++i) {
    const auto columns = problem.neighbors(i);
    const auto it = std::lower_bound(columns.begin(), columns.end(), i);
    if (it != columns.end() && *it == i) {
      nodes_.self[i] = problem.weights(i)[static_cast<std::size_t>(it - columns.begin())];
    }
  }
}

SparseLevel::SparseLevel(Nodes nodes, std::vector<std::int64_t> offsets,
                         PagedVector<std::uint32_t> columns, EdgeWeights weights, ThreadTeam& team)
    : nodes_(std::move(nodes)),
      own_offsets_(std::move(offsets)),
      own_columns_(std::move(columns)),
      own_weights_(std::move(weights)),
      offsets_(own_offsets_),
      columns_(own_columns_),
      unit_(own_weights_.unit),
      counts_(own_weights_.counts),
      weights_(own_weights_.values),
      largest_weight_(unit_ != 0 ? std::abs(unit_) * largest_of(counts_, team)
                                 : largest_of(weights_, team)) {}

SparseLevel SparseLevel::with_terms(const ShiftTerms& terms) const {
  SparseLevel level;
  level.nodes_ = nodes_;
  level.nodes_.terms = terms;
  level.offsets_ = offsets_;
  level.columns_ = columns_;
  level.unit_ = unit_;
  level.counts_ = counts_;
  level.weights_ = weights_;
  level.largest_weight_ = largest_weight_;
  return level;
}

// Weights are the raw entries; the constant that X adds to every entry is part of the flat term.
DenseLevel::DenseLevel(const DenseProblem& problem) : problem_(problem) {
  const std::size_t n = problem.size();
  nodes_ = {PagedVector<Volume>(n), std::vector<double>(n), problem.raw_terms(),
            problem.tolerance()};
  for (ObjectId i = 0; i < n; ++i) {
    nodes_.volume[i] = {1, problem.degree(i)};
    nodes_.self[i] = weight(i, i);
  }
}

std::vector<ClusterId> project_labels(std::span<const ClusterId> labels,
                                      std::span<const ClusterId> coarse_node) {
  std::vector<ClusterId> out(coarse_node.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = labels[coarse_node[i]];
  }
  return out;
}

std::vector<ClusterId> project_labels(std::span<const ClusterId> labels,
                                      std::span<const ClusterId> coarse_node, ThreadTeam& team) {
  std::vector<ClusterId> out(coarse_node.size());
  for_each_piece(team, out.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      out[i] = labels[coarse_node[i]];
    }
  });
  return out;
}

std::size_t compact_labels(std::span<ClusterId> labels) {
  const ClusterId largest = labels.empty() ? 0 : *std::max_element(labels.begin(), labels.end());
  std::vector<ClusterId> number(largest + std::size_t{1}, kNoCluster);
  ClusterId next = 0;
  for (ClusterId& label : labels) {
    if (number[label] == kNoCluster) {
      number[label] = next++;
    }
    label = number[label];
  }
  return next;
}

// A label's number is that of the nodes that come first with theirs, up to its own.
std::size_t compact_labels(std::span<ClusterId> labels, ThreadTeam& team) {
  if (team.threads() == 1 || labels.size() <= kPiece) {
    return compact_labels(labels);
  }
  const std::size_t n = labels.size();
  const std::size_t pieces = (n + kPiece - 1) / kPiece;
  std::vector<ClusterId> largest(pieces, 0);
  for_each_piece(team, n, [&](std::size_t begin, std::size_t end) {
    largest[begin / kPiece] = *std::max_element(labels.begin() + static_cast<std::ptrdiff_t>(begin),
                                                labels.begin() + static_cast<std::ptrdiff_t>(end));
  });
  const std::size_t slots = *std::max_element(largest.begin(), largest.end()) + std::size_t{1};
  PagedVector<ObjectId> first(slots);
  for_each_piece(team, slots, [&](std::size_t begin, std::size_t end) {
    std::fill(first.begin() + static_cast<std::ptrdiff_t>(begin),
              first.begin() + static_cast<std::ptrdiff_t>(end), kNoCluster);
  });
  for_each_piece(team, n, [&](std::size_t begin, std::size_t end) {
    for (auto v = static_cast<ObjectId>(begin); v < end; ++v) {
      const std::atomic_ref<ObjectId> least(first[labels[v]]);
      ObjectId now = least.load(std::memory_order_relaxed);
      while (v < now && !least.compare_exchange_weak(now, v, std::memory_order_relaxed)) {
      }
    }
  });
  std::vector<std::size_t> numbered(pieces + 1, 0);
  PagedVector<ClusterId> number(slots);
  for_each_piece(team, n, [&](std::size_t begin, std::size_t end) {
    std::size_t count = 0;
    for (auto v = static_cast<ObjectId>(begin); v < end; ++v) {
      count += first[labels[v]] == v ? 1 : 0;
    }
    numbered[begin / kPiece + 1] = count;
  });
  std::partial_sum(numbered.begin(), numbered.end(), numbered.begin());
  for_each_piece(team, n, [&](std::size_t begin, std::size_t end) {
    auto next = static_cast<ClusterId>(numbered[begin / kPiece]);
    for (auto v = static_cast<ObjectId>(begin); v < end; ++v) {
      if (first[labels[v]] == v) {
        number[labels[v]] = next++;
      }
    }
  });
  for_each_piece(team, n, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      labels[v] = number[labels[v]];
    }
  });
  return numbered[pieces];
}

template <class Level>
double cost_of(const Level& level, std::span<const ClusterId> labels) {
  const Nodes& nodes = level.nodes();
  const std::size_t slots = *std::max_element(labels.begin(), labels.end()) + std::size_t{1};
  std::vector<Volume> volume(slots);
  double within = 0;
  for (ObjectId v = 0; v < level.size(); ++v) {
    volume[labels[v]].size += nodes.volume[v].size;
    volume[labels[v]].degree += nodes.volume[v].degree;
    within += nodes.self[v];
    level.for_each_edge(
        v, [&](ObjectId u, double weight) { within += labels[u] == labels[v] ? weight : 0.0; });
  }
  for (const Volume& k : volume) {
    within -= nodes.terms.flat * k.size * k.size + 2 * nodes.terms.per_degree * k.size * k.degree +
              nodes.terms.per_product * k.degree * k.degree;
  }
  return -within;
}

template double cost_of(const SparseLevel&, std::span<const ClusterId>);
template double cost_of(const DenseLevel&, std::span<const ClusterId>);

}  // namespace shiftcut
