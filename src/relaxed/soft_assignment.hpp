// Objects that belong to their clusters by a share: the row of object o in the simplex is
//   x_o = (1 - w_o) uniform + w_o e_label(o),
// a vertex where w_o = 1. Its product with the similarities, itself left out, is
//   g_k = sum over p != o with label k of w_p S_op,
// and the same for all k from the uniform parts, which no choice between clusters depends on and
// which is left out. With all shares 1, g is the affinities. So soft rows take no n x K numbers: a
// label and a share an object, and for each cluster what its view sums over members.
//
// Looking at an object costs O(K d) for features, O(entries K) for sparse ones, O(K) for a matrix
// (a move O(n)), O(degree + K) on a graph, or O(degree) where only near clusters are looked at.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/partition.hpp"
#include "core/rng.hpp"
#include "descent/slots.hpp"
#include "problem/problem.hpp"

namespace shiftcut {

struct Members {
  std::vector<ClusterId> labels;
  std::vector<float> shares;  // empty: all 1

  [[nodiscard]] double share(ObjectId i) const {
    return shares.empty() ? 1.0 : static_cast<double>(shares[i]);
  }
};

/// What a view sums over the members of each cluster, times their shares.
///   make_room(count)              there are so many clusters now
///   add(object, cluster, share)   may be negative
///   look(object, members, clusters, out)   g for these clusters, its own label's without itself
template <class View>
class ShareSums;

template <>
class ShareSums<GramProblem> {
 public:
  explicit ShareSums(const GramProblem& problem)
      : problem_(problem), truth_(problem.first_truth()), row_(problem.length()) {}

  [[nodiscard]] double unit() const { return problem_.unit(); }
  void make_room(std::size_t clusters) { sums_.resize(clusters * problem_.length(), 0.0); }
  void add(ObjectId object, ClusterId cluster, double share);
  void look(ObjectId object, const Members& members, std::span<const ClusterId> clusters,
            double* out);

 private:
  const GramProblem& problem_;
  RowTruth truth_;
  std::vector<double> sums_;  // of z, cluster by cluster
  std::vector<double> row_;
};

template <>
class ShareSums<SparseGramProblem> {
 public:
  explicit ShareSums(const SparseGramProblem& problem) : problem_(problem) {}

  [[nodiscard]] static double unit() { return 1; }
  void make_room(std::size_t clusters);
  void add(ObjectId object, ClusterId cluster, double share);
  void look(ObjectId object, const Members& members, std::span<const ClusterId> clusters,
            double* out);

 private:
  const SparseGramProblem& problem_;
  std::size_t stride_ = 0;      // clusters there is room for
  std::vector<double> sums_;    // dimension by dimension
  std::vector<double> counts_;  // per cluster
  std::vector<double> p_sum_;   // per cluster
  std::vector<double> products_;
};

template <>
class ShareSums<DenseProblem> {
 public:
  explicit ShareSums(const DenseProblem& problem) : problem_(problem) {}

  [[nodiscard]] static double unit() { return 1; }
  void make_room(std::size_t clusters);
  void add(ObjectId object, ClusterId cluster, double share);
  void look(ObjectId object, const Members& members, std::span<const ClusterId> clusters,
            double* out);

 private:
  const DenseProblem& problem_;
  std::vector<std::vector<double>> table_;  // per cluster, length n
  std::vector<double> counts_;
  std::vector<double> degrees_;
};

template <>
class ShareSums<GraphProblem> {
 public:
  explicit ShareSums(const GraphProblem& problem) : problem_(problem) {}

  [[nodiscard]] static double unit() { return 1; }
  void make_room(std::size_t clusters);
  void add(ObjectId object, ClusterId cluster, double share);
  void look(ObjectId object, const Members& members, std::span<const ClusterId> clusters,
            double* out);
  /// The object's own cluster, then those of its neighbours.
  void list_near(ObjectId object, const Members& members, std::vector<ClusterId>& near);

 private:
  const GraphProblem& problem_;
  std::vector<double> counts_;
  std::vector<double> degrees_;
  std::vector<double> weight_to_;  // per cluster: of the object looked at, else 0
  std::vector<bool> listed_;       // all false between calls
};

template <class View>
class ShareState {
 public:
  ShareState(const View& problem, Members members, std::optional<std::size_t> clusters)
      : sums_(problem),
        masses_(problem.masses()),
        members_(std::move(members)),
        slots_(members_.labels, clusters, masses_) {
    make_room();
    for (ObjectId i = 0; i < members_.labels.size(); ++i) {
      sums_.add(i, members_.labels[i], members_.share(i));
      if (place_[members_.labels[i]] == kNoCluster) {
        list_present(members_.labels[i]);
      }
    }
  }

  [[nodiscard]] const std::vector<ClusterId>& labels() const { return members_.labels; }
  [[nodiscard]] double share(ObjectId i) const { return members_.share(i); }
  /// What affinities are in units of.
  [[nodiscard]] double unit() const { return sums_.unit(); }
  /// Clusters that are some object's label.
  [[nodiscard]] std::size_t present() const { return present_.size(); }

  /// Looks at all clusters present and, where there is one and the object is not alone in its own
  /// cluster, which is as good, at the first that is empty.
  void look(ObjectId object) {
    const ClusterId own = members_.labels[object];
    candidates_ = present_;
    own_ = place_[own];
    const std::size_t empty = slots_.count() - present_.size();
    finish_look(object, slots_.free() ? 1.0 : static_cast<double>(empty));
  }

  /// Looks at the clusters of the object's neighbours, an empty one as above and, with K given, at
  /// one drawn from all. For graphs.
  void look_near(ObjectId object, Rng& rng) {
    sums_.list_near(object, members_, candidates_);
    own_ = 0;
    if (!slots_.free()) {
      const ClusterId far = present_[rng.below(static_cast<std::uint32_t>(present_.size()))];
      if (std::find(candidates_.begin(), candidates_.end(), far) == candidates_.end()) {
        candidates_.push_back(far);
      }
    }
    finish_look(object, 1);
  }

  /// What the last look saw: clusters, g for each, and where among them the object's label is.
  [[nodiscard]] const std::vector<ClusterId>& candidates() const { return candidates_; }
  [[nodiscard]] const std::vector<double>& affinities() const { return affinities_; }
  [[nodiscard]] std::size_t own() const { return own_; }
  /// The candidate without other objects, if any, and how many such clusters it stands for.
  [[nodiscard]] std::optional<std::size_t> vacant() const { return vacant_; }
  [[nodiscard]] double vacant_copies() const { return vacant_copies_; }

  /// The whole object goes to the vertex of `to`.
  void move(ObjectId object, ClusterId to) {
    const ClusterId from = members_.labels[object];
    const double share = members_.share(object);
    if (from == to) {
      sums_.add(object, to, 1 - share);
    } else {
      sums_.add(object, from, -share);
      sums_.add(object, to, 1);
      members_.labels[object] = to;
      slots_.move(from, to, masses_.of(object));
      make_room();
      if (place_[to] == kNoCluster) {
        list_present(to);
      }
      if (slots_.size(from) == 0) {
        unlist_present(from);
      }
    }
    if (!members_.shares.empty()) {
      members_.shares[object] = 1;
    }
  }

 private:
  void make_room() {
    if (slots_.count() > place_.size()) {
      place_.resize(slots_.count(), kNoCluster);
      sums_.make_room(slots_.count());
    }
  }

  void list_present(ClusterId k) {
    place_[k] = static_cast<ClusterId>(present_.size());
    present_.push_back(k);
  }
  void unlist_present(ClusterId k) {
    const ClusterId last = present_.back();
    present_[place_[k]] = last;
    place_[last] = place_[k];
    present_.pop_back();
    place_[k] = kNoCluster;
  }

  void finish_look(ObjectId object, double empty) {
    affinities_.resize(candidates_.size());
    sums_.look(object, members_, candidates_, affinities_.data());
    vacant_.reset();
    vacant_copies_ = empty;
    if (slots_.size(members_.labels[object]) == masses_.of(object)) {
      vacant_ = own_;
      affinities_[own_] = 0;
      vacant_copies_ = slots_.free() ? 1 : empty + 1;
    } else if (const ClusterId k = slots_.first_empty(); k != kNoCluster) {
      vacant_ = candidates_.size();
      candidates_.push_back(k);
      affinities_.push_back(0);
    }
  }

  ShareSums<View> sums_;
  const NodeWeights& masses_;
  Members members_;
  Slots slots_;
  std::vector<ClusterId> present_;  // in no particular order
  std::vector<ClusterId> place_;    // of each cluster among them, or kNoCluster

  std::vector<ClusterId> candidates_;
  std::vector<double> affinities_;
  std::size_t own_ = 0;
  std::optional<std::size_t> vacant_;
  double vacant_copies_ = 0;
};

}  // namespace shiftcut
