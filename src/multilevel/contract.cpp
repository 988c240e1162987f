// The level whose nodes are the clusters of a finer one: W_kl = sum of the weights between k and l.
//
// Clusters are divided into pieces, gathered on all threads and appended in order, a few pieces at
// a time, so that no more than these is ever held twice. Room for all edges is reserved at once:
// pages that are never written take no memory. The number of threads does not change the result.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <utility>

#include "multilevel/level.hpp"
#include "multilevel/tuning.hpp"

namespace shiftcut {

namespace {

// The nodes of every cluster, in the order of their numbers: those of cluster k from begin[k] on.
struct Members {
  std::vector<std::size_t> begin;
  PagedVector<ObjectId> nodes;
  bool are_sorted = true;

  [[nodiscard]] std::span<ObjectId> of(std::size_t k) {
    return std::span(nodes).subspan(begin[k], begin[k + 1] - begin[k]);
  }
};

// On several threads the nodes of a cluster come in any order, and are sorted where they are used.
Members members_of(std::span<const ClusterId> labels, std::size_t count, ThreadTeam& team) {
  const std::size_t n = labels.size();
  Members members{std::vector<std::size_t>(count + 1, 0), PagedVector<ObjectId>(n),
                  team.threads() == 1 || n <= kNodesPerPiece};
  std::vector<std::size_t>& begin = members.begin;
  if (members.are_sorted) {
    for (const ClusterId k : labels) {
      ++begin[k + std::size_t{1}];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::size_t> place(begin.begin(), begin.end() - 1);
    for (ObjectId v = 0; v < n; ++v) {
      members.nodes[place[labels[v]]++] = v;
    }
    return members;
  }
  const auto for_each_label = [&](const auto& visit) {
    team.for_each((n + kNodesPerPiece - 1) / kNodesPerPiece, [&](std::size_t piece, int) {
      for (std::size_t v = piece * kNodesPerPiece; v < std::min(n, (piece + 1) * kNodesPerPiece);
           ++v) {
        visit(static_cast<ObjectId>(v), labels[v]);
      }
    });
  };
  for_each_label([&](ObjectId, ClusterId k) {
    std::atomic_ref<std::size_t>(begin[k + std::size_t{1}]).fetch_add(1, std::memory_order_relaxed);
  });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::size_t> place(begin.begin(), begin.end() - 1);
  for_each_label([&](ObjectId v, ClusterId k) {
    members.nodes[std::atomic_ref<std::size_t>(place[k]).fetch_add(1, std::memory_order_relaxed)] =
        v;
  });
  return members;
}

// The edges of a piece's clusters to others. `Weight` is a sum of weights, or a count of edges that
// all weigh the same.
template <class Weight>
struct Gathered {
  std::vector<std::uint32_t> columns;
  std::vector<Weight> weights;
};

// A sum for every cluster a thread may meet.
template <class Weight>
struct Sum {
  Weight weight = 0;
  std::uint32_t seen = 0;  // by which cluster + 1 it was last written
};
template <class Weight>
using Sums = std::vector<Sum<Weight>>;

template <class Weight, class Level, class Visit>
void for_each_edge_of(const Level& level, ObjectId v, const Visit& visit) {
  if constexpr (std::is_integral_v<Weight>) {
    level.for_each_count(v, visit);
  } else {
    level.for_each_edge(v, visit);
  }
}

// Appends the edges of cluster c, in the order they are met, and returns the weight within it.
template <class Weight, class Level>
double gather(const Level& level, std::span<const ClusterId> labels, std::size_t c,
              std::span<const ObjectId> nodes, Sums<Weight>& sums, Gathered<Weight>& out) {
  const auto stamp = static_cast<std::uint32_t>(c + 1);
  const std::size_t first = out.columns.size();
  std::conditional_t<std::is_integral_v<Weight>, std::uint64_t, double> within = 0;
  for (const ObjectId v : nodes) {
    for_each_edge_of<Weight>(level, v, [&](ObjectId u, Weight weight) {
      const ClusterId k = labels[u];
      if (k == c) {
        within += weight;
        return;
      }
      Sum<Weight>& sum = sums[k];
      if (sum.seen != stamp) {
        sum = {weight, stamp};
        out.columns.push_back(k);
      } else {
        sum.weight += weight;
      }
    });
  }
  for (std::size_t e = first; e < out.columns.size(); ++e) {
    out.weights.push_back(sums[out.columns[e]].weight);
  }
  return static_cast<double>(within);
}

template <class Weight, class Level>
class Contraction {
 public:
  Contraction(const Level& level, std::span<const ClusterId> labels, std::size_t count,
              ThreadTeam& team)
      : level_(level),
        labels_(labels),
        count_(count),
        team_(team),
        members_(members_of(labels, count, team)),
        nodes_{PagedVector<Volume>(count), std::vector<double>(count, 0.0), level.nodes().terms,
               level.nodes().tolerance},
        offsets_(count + 1, 0),
        sums_(static_cast<std::size_t>(team.threads())),
        gathered_(kPiecesAtOnce),
        per_piece_(std::max<std::size_t>(64, count / (kPiecesAtOnce * kContractRounds) + 1)) {}

  SparseLevel run() {
    const std::size_t most = std::min(level_.edges(), count_ * count_);
    columns_.reserve(most);
    weights_.reserve(most);
    const std::size_t pieces = (count_ + per_piece_ - 1) / per_piece_;
    for (std::size_t piece = 0; piece < pieces; piece += kPiecesAtOnce) {
      append(piece, std::min(pieces - piece, kPiecesAtOnce));
    }
    EdgeWeights weights;
    if constexpr (std::is_integral_v<Weight>) {
      weights.unit = level_.unit();
      weights.counts = std::move(weights_);
    } else {
      weights.values = std::move(weights_);
    }
    return {std::move(nodes_), std::move(offsets_), std::move(columns_), std::move(weights), team_};
  }

 private:
  void append(std::size_t first, std::size_t pieces) {
    team_.for_each(pieces, [&](std::size_t i, int worker) {
      gather_piece(first + i, sums_[static_cast<std::size_t>(worker)], gathered_[i]);
    });
    std::vector<std::size_t> at(pieces + 1, columns_.size());
    for (std::size_t i = 0; i < pieces; ++i) {
      at[i + 1] = at[i] + gathered_[i].columns.size();
    }
    columns_.resize(at[pieces]);
    weights_.resize(at[pieces]);
    team_.for_each(pieces, [&](std::size_t i, int) {
      const auto to = static_cast<std::ptrdiff_t>(at[i]);
      std::ranges::copy(gathered_[i].columns, columns_.begin() + to);
      std::ranges::copy(gathered_[i].weights, weights_.begin() + to);
    });
    const std::size_t begin = first * per_piece_;
    const std::size_t end = std::min(count_, (first + pieces) * per_piece_);
    for (std::size_t c = begin; c < end; ++c) {
      offsets_[c + 1] += offsets_[c];  // gather_piece() left the number of edges there
    }
  }

  void gather_piece(std::size_t piece, Sums<Weight>& sums, Gathered<Weight>& out) {
    sums.resize(count_);
    out.columns.clear();
    out.weights.clear();
    const Nodes& fine = level_.nodes();
    const double unit = std::is_integral_v<Weight> ? level_.unit() : 1.0;
    for (std::size_t c = piece * per_piece_; c < std::min(count_, (piece + 1) * per_piece_); ++c) {
      const std::size_t before = out.columns.size();
      const std::span<ObjectId> nodes = members_.of(c);
      if (!members_.are_sorted) {
        std::ranges::sort(nodes);
      }
      for (const ObjectId v : nodes) {
        nodes_.volume[c].size += fine.volume[v].size;
        nodes_.volume[c].degree += fine.volume[v].degree;
        nodes_.self[c] += fine.self[v];
      }
      nodes_.self[c] += unit * gather(level_, labels_, c, nodes, sums, out);
      offsets_[c + 1] = static_cast<std::int64_t>(out.columns.size() - before);
    }
  }

  const Level& level_;
  std::span<const ClusterId> labels_;
  std::size_t count_;
  ThreadTeam& team_;
  Members members_;
  Nodes nodes_;
  std::vector<std::int64_t> offsets_;
  PagedVector<std::uint32_t> columns_;
  PagedVector<Weight> weights_;
  std::vector<Sums<Weight>> sums_;  // per thread
  std::vector<Gathered<Weight>> gathered_;
  std::size_t per_piece_;
};

}  // namespace

template <class Level>
SparseLevel contract(const Level& level, std::span<const ClusterId> labels, std::size_t count,
                     ThreadTeam& team) {
  if constexpr (!Level::kIsDense) {
    if (level.unit() != 0) {
      return Contraction<std::uint32_t, Level>(level, labels, count, team).run();
    }
  }
  return Contraction<double, Level>(level, labels, count, team).run();
}

template SparseLevel contract(const SparseLevel&, std::span<const ClusterId>, std::size_t,
                              ThreadTeam&);
template SparseLevel contract(const DenseLevel&, std::span<const ClusterId>, std::size_t,
                              ThreadTeam&);

}  // namespace shiftcut
