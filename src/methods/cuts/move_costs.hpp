// Costs that a search can follow: kept as sums of the clusters, changed by a move in place. The
// terms themselves are those of metrics/cut_terms.hpp.
#pragma once

#include <concepts>
#include <span>
#include <vector>

#include "core/partition.hpp"
#include "metrics/cut_terms.hpp"

namespace shiftcut::methods {

/// An object that may move: its links to the clusters (to its own without itself), X_oo and d_o.
struct Mover {
  std::span<const double> links;
  double self = 0;
  double degree = 0;
};

/// begin(), add() for every object, end(); then cost() is the cost of that grouping, changes() that
/// of moving an object from its cluster to each (0 for its own; meaningless if that would leave the
/// cluster empty), and move() moves it.
template <class C>
concept MoveCost =
    requires(C cost, const C& kept, ClusterId k, const Mover& object, std::span<double> out) {
      cost.begin();
      cost.add(k, object);
      cost.end();
      { kept.cost() } -> std::convertible_to<double>;
      { kept.size(k) } -> std::convertible_to<double>;
      kept.changes(k, object, out);
      cost.move(k, k, object);
    };

/// A sum of one term a cluster: O(1) an evaluated move.
template <class Term>
class ClusterwiseCost {
 public:
  explicit ClusterwiseCost(std::size_t clusters) : sums_(clusters) {}

  void begin() { sums_.assign(sums_.size(), ClusterSums{}); }
  void add(ClusterId k, const Mover& object) {
    sums_[k] += {1, object.links[k] + object.self, object.degree};
  }
  void end() {}

  [[nodiscard]] double cost() const {
    double sum = 0;
    for (const ClusterSums& k : sums_) {
      sum += Term::of(k);
    }
    return sum;
  }
  [[nodiscard]] double size(ClusterId k) const { return sums_[k].size; }

  void changes(ClusterId from, const Mover& object, std::span<double> out) const {
    const double leaving = Term::change(sums_[from], taken(from, object));
    for (ClusterId to = 0; to < out.size(); ++to) {
      out[to] = to == from ? 0.0 : leaving + Term::change(sums_[to], given(to, object));
    }
  }

  void move(ClusterId from, ClusterId to, const Mover& object) {
    sums_[from] += taken(from, object);
    sums_[to] += given(to, object);
  }

 private:
  // What an object adds to a cluster it is not in. Its own similarity counts once, its links twice.
  static ClusterSums given(ClusterId to, const Mover& object) {
    return {1, 2 * object.links[to] + object.self, object.degree};
  }
  static ClusterSums taken(ClusterId from, const Mover& object) {
    return {-1, -2 * object.links[from] - object.self, -object.degree};
  }

  std::vector<ClusterSums> sums_;
};

/// The adaptive ratio cut: the cuts between all pairs of clusters and the weights of their sizes,
/// as they are and with one object fewer or more, so that an evaluated move is O(K) without a
/// logarithm. A move is O(K).
class AdaptiveRatioCost {
 public:
  AdaptiveRatioCost(std::size_t clusters, double p);

  void begin();
  void add(ClusterId k, const Mover& object);
  void end();

  [[nodiscard]] double cost() const;
  [[nodiscard]] double size(ClusterId k) const { return sizes_[k]; }
  void changes(ClusterId from, const Mover& object, std::span<double> out) const;
  void move(ClusterId from, ClusterId to, const Mover& object);

 private:
  [[nodiscard]] std::size_t at(std::size_t k, std::size_t l) const { return k * sizes_.size() + l; }
  [[nodiscard]] double weight(double size_k, double size_l) const;
  void weigh(std::size_t k, std::size_t l);

  double p_;
  std::vector<double> sizes_;
  std::vector<double> cuts_;       // K x K, symmetric; the diagonal is not used
  std::vector<double> now_;        // weight(|k|, |l|)
  std::vector<double> fewer_;      // weight(|k| - 1, |l|)
  std::vector<double> more_;       // weight(|k| + 1, |l|)
  std::vector<double> exchanged_;  // weight(|k| - 1, |l| + 1)
};

}  // namespace shiftcut::methods
