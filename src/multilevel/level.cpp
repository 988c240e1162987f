#include "multilevel/level.hpp"

#include <algorithm>
#include <cmath>
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

double largest_of(std::span<const double> weights, ThreadTeam& team) {
  std::vector<double> of_piece((weights.size() + kPiece - 1) / kPiece, 0.0);
  for_each_piece(team, weights.size(), [&](std::size_t begin, std::size_t end) {
    double largest = 0;
    for (std::size_t e = begin; e < end; ++e) {
      largest = std::max(largest, std::abs(weights[e]));
    }
    of_piece[begin / kPiece] = largest;
  });
  return of_piece.empty() ? 0.0 : *std::max_element(of_piece.begin(), of_piece.end());
}

// One cluster's edges to others, summed in the order its nodes come.
struct Gathered {
  std::vector<std::uint32_t> columns;
  std::vector<double> weights;
  std::vector<std::size_t> counts;  // per cluster of the piece
};

}  // namespace

SparseLevel::SparseLevel(const GraphProblem& problem) {
  ThreadTeam alone(1);
  *this = SparseLevel(problem, alone);
}

SparseLevel::SparseLevel(const GraphProblem& problem, ThreadTeam& team)
    : nodes_(nodes_of(problem, team)),
      offsets_(problem.graph().offsets),
      columns_(problem.graph().columns),
      weights_(problem.graph().values),
      largest_weight_(largest_of(weights_, team)) {
  for (ObjectId i = 0; i < size() && problem.has_loops(); ++i) {
    const auto columns = problem.neighbors(i);
    const auto it = std::lower_bound(columns.begin(), columns.end(), i);
    if (it != columns.end() && *it == i) {
      nodes_.self[i] = problem.weights(i)[static_cast<std::size_t>(it - columns.begin())];
    }
  }
}

SparseLevel::SparseLevel(Nodes nodes, std::vector<std::int64_t> offsets,
                         PagedVector<std::uint32_t> columns, PagedVector<double> weights,
                         ThreadTeam& team)
    : nodes_(std::move(nodes)),
      own_offsets_(std::move(offsets)),
      own_columns_(std::move(columns)),
      own_weights_(std::move(weights)),
      offsets_(own_offsets_),
      columns_(own_columns_),
      weights_(own_weights_),
      largest_weight_(largest_of(weights_, team)) {}

SparseLevel SparseLevel::with_terms(const ShiftTerms& terms) const {
  SparseLevel level;
  level.nodes_ = nodes_;
  level.nodes_.terms = terms;
  level.offsets_ = offsets_;
  level.columns_ = columns_;
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

template <class Level>
SparseLevel contract(const Level& level, std::span<const ClusterId> labels, std::size_t count,
                     ThreadTeam& team) {
  const std::size_t n = level.size();
  const Nodes& fine = level.nodes();
  std::vector<std::size_t> begin(count + 1, 0);
  for (const ClusterId k : labels) {
    ++begin[k + std::size_t{1}];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<ObjectId> members(n);
  {
    std::vector<std::size_t> place(begin.begin(), begin.end() - 1);
    for (ObjectId v = 0; v < n; ++v) {
      members[place[labels[v]]++] = v;
    }
  }

  Nodes nodes{PagedVector<Volume>(count), std::vector<double>(count, 0.0), fine.terms,
              fine.tolerance};
  // Clusters are divided into pieces of about equal work, each gathered by one thread.
  const std::size_t per_piece = std::max<std::size_t>(64, count / 64 + 1);
  const std::size_t pieces = (count + per_piece - 1) / per_piece;
  std::vector<Gathered> gathered(pieces);
  struct Scratch {
    std::vector<double> weight;
    std::vector<std::uint32_t> seen;  // by which cluster + 1 it was last written
  };
  std::vector<Scratch> scratch(static_cast<std::size_t>(team.threads()));
  team.for_each(pieces, [&](std::size_t piece, int worker) {
    Scratch& own = scratch[static_cast<std::size_t>(worker)];
    own.weight.resize(count);
    own.seen.resize(count, 0);
    Gathered& out = gathered[piece];
    for (std::size_t c = piece * per_piece; c < std::min(count, (piece + 1) * per_piece); ++c) {
      const auto stamp = static_cast<std::uint32_t>(c + 1);
      const std::size_t first = out.columns.size();
      double self = 0;
      for (std::size_t m = begin[c]; m < begin[c + 1]; ++m) {
        const ObjectId v = members[m];
        nodes.volume[c].size += fine.volume[v].size;
        nodes.volume[c].degree += fine.volume[v].degree;
        self += fine.self[v];
        level.for_each_edge(v, [&](ObjectId u, double weight) {
          const ClusterId k = labels[u];
          if (k == c) {
            self += weight;
          } else if (own.seen[k] != stamp) {
            own.seen[k] = stamp;
            own.weight[k] = weight;
            out.columns.push_back(k);
          } else {
            own.weight[k] += weight;
          }
        });
      }
      nodes.self[c] = self;
      for (std::size_t e = first; e < out.columns.size(); ++e) {
        out.weights.push_back(own.weight[out.columns[e]]);
      }
      out.counts.push_back(out.columns.size() - first);
    }
  });

  std::vector<std::int64_t> offsets(count + 1, 0);
  std::vector<std::size_t> piece_begin(pieces + 1, 0);
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    piece_begin[piece + 1] = piece_begin[piece] + gathered[piece].columns.size();
    for (std::size_t i = 0; i < gathered[piece].counts.size(); ++i) {
      const std::size_t c = piece * per_piece + i;
      offsets[c + 1] = offsets[c] + static_cast<std::int64_t>(gathered[piece].counts[i]);
    }
  }
  PagedVector<std::uint32_t> columns(piece_begin[pieces]);
  PagedVector<double> weights(piece_begin[pieces]);
  team.for_each(pieces, [&](std::size_t piece, int) {
    const auto at = static_cast<std::ptrdiff_t>(piece_begin[piece]);
    std::copy(gathered[piece].columns.begin(), gathered[piece].columns.end(), columns.begin() + at);
    std::copy(gathered[piece].weights.begin(), gathered[piece].weights.end(), weights.begin() + at);
    gathered[piece] = Gathered{};
  });
  return {std::move(nodes), std::move(offsets), std::move(columns), std::move(weights), team};
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

template SparseLevel contract(const SparseLevel&, std::span<const ClusterId>, std::size_t,
                              ThreadTeam&);
template SparseLevel contract(const DenseLevel&, std::span<const ClusterId>, std::size_t,
                              ThreadTeam&);
template double cost_of(const SparseLevel&, std::span<const ClusterId>);
template double cost_of(const DenseLevel&, std::span<const ClusterId>);

}  // namespace shiftcut
