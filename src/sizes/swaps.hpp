// Two objects take each other's places where bounds keep one of them from moving alone. The gain of
// a swap of o in a and p in b is
//   g_o(b) - g_o(a) + g_p(a) - g_p(b) - 2 S_op,
// and -2 S_op is at most slack(o) + slack(p), so objects listed by gain plus slack need be compared
// only as long as these sum up to more than 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/kernels/kernels.hpp"
#include "sizes/bounded_state.hpp"
#include "sizes/tuning.hpp"

namespace shiftcut {

/// S_op for many p, in units of ClusterSums.
template <class View>
class PairValues {
 public:
  explicit PairValues(const View& problem) : problem_(problem) {}
  void set_first(ObjectId o) { first_ = o; }
  double operator()(ObjectId p) { return problem_.shifted(first_, p); }

 private:
  const View& problem_;
  ObjectId first_ = 0;
};

template <>
class PairValues<GramProblem> {
 public:
  explicit PairValues(const GramProblem& problem)
      : problem_(problem), z_(problem.length()), x_(problem.length()) {}
  void set_first(ObjectId o) {
    first_ = o;
    problem_.x_row(o, problem_.first_truth(), z_.data());
    problem_.x_to_z(o, z_.data());
  }
  double operator()(ObjectId p) {
    problem_.x_row(p, problem_.first_truth(), x_.data());
    return dot(x_.data(), z_.data(), x_.size()) + problem_.pairs().between(first_, p);
  }

 private:
  const GramProblem& problem_;
  ObjectId first_ = 0;
  std::vector<double> z_;
  std::vector<double> x_;
};

/// -2 S_ij <= slack[i] + slack[j] for all i != j.
std::vector<double> swap_slacks(const GramProblem& problem);
std::vector<double> swap_slacks(const SparseGramProblem& problem);
std::vector<double> swap_slacks(const DenseProblem& problem);
std::vector<double> swap_slacks(const GraphProblem& problem);

template <class View>
class Swaps {
 public:
  explicit Swaps(BoundedState<View>& state)
      : state_(state), values_(state.problem()), slacks_(swap_slacks(state.problem())) {
    for (ObjectId i = 0; i < state.objects(); ++i) {
      largest_count_ = std::max(largest_count_, state.bounds().count(i));
    }
  }

  /// Swaps until none is left to make, for as many rounds over the pairs of clusters as that takes;
  /// returns the number of swaps.
  std::size_t run(StopCheck& stop) {
    members_ = state_.members();
    settled_.clear();  // objects may have moved
    versions_.resize(members_.size(), 0);
    std::size_t swaps = 0;
    for (std::size_t made = 1; made > 0 && !stop.should_stop(); swaps += made) {
      made = 0;
      for (const auto& [a, b] : pairs_of_clusters()) {
        if (stop.should_stop()) {
          break;
        }
        made += between(a, b, stop);
      }
    }
    return swaps;
  }

 private:
  struct Member {
    ObjectId object;
    double gain;   // of moving to the other cluster
    double bound;  // gain + slack
    bool is_used;
  };

  // Whether some move between the two is kept from by a bound.
  [[nodiscard]] bool may_block(ClusterId a, ClusterId b) const {
    const SizeBounds& bounds = state_.bounds();
    const auto is_tight = [&](std::size_t size) {
      return (bounds.most != SizeBounds::kNoLimit && size + largest_count_ > bounds.most) ||
             (bounds.least > 0 && size < bounds.least + largest_count_);
    };
    return is_tight(state_.size(a)) || is_tight(state_.size(b));
  }

  [[nodiscard]] std::vector<std::pair<ClusterId, ClusterId>> pairs_of_clusters() const {
    std::vector<ClusterId> used;
    for (ClusterId k = 0; k < members_.size(); ++k) {
      if (!members_[k].empty()) {
        used.push_back(k);
      }
    }
    std::vector<std::pair<ClusterId, ClusterId>> pairs;
    const auto add = [&](ClusterId a, ClusterId b) {
      if (a < b && may_block(a, b)) {
        pairs.emplace_back(a, b);
      }
    };
    if constexpr (BoundedState<View>::kIsGraph) {
      if (used.size() > sizes_tuning::kAllPairsOfClusters) {
        for (ObjectId i = 0; i < state_.objects(); ++i) {
          for (const ObjectId j : state_.problem().neighbors(i)) {
            add(state_.label(i), state_.label(j));
          }
        }
        std::ranges::sort(pairs);
        pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        return pairs;
      }
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
      for (std::size_t j = i + 1; j < used.size(); ++j) {
        add(used[i], used[j]);
      }
    }
    return pairs;
  }

  std::size_t between(ClusterId a, ClusterId b, StopCheck& stop) {
    const std::uint64_t key = (std::uint64_t{a} << 32) | b;
    const auto versions = [&] { return std::pair(versions_[a], versions_[b]); };
    if (const auto seen = settled_.find(key);
        seen != settled_.end() && seen->second == versions()) {
      return 0;
    }
    std::size_t swaps = 0;
    while (const std::size_t made = round(a, b, stop)) {
      swaps += made;
    }
    if (!stop.should_stop()) {
      settled_[key] = versions();
    }
    return swaps;
  }

  std::vector<Member> listed(ClusterId from, ClusterId to) {
    std::vector<Member> list;
    list.reserve(members_[from].size());
    for (const ObjectId i : members_[from]) {
      const double gain = state_.gain(i, to);
      list.push_back({i, gain, gain + slacks_[i], false});
    }
    std::ranges::sort(list, [](const Member& x, const Member& y) {
      return x.bound != y.bound ? x.bound > y.bound : x.object < y.object;
    });
    return list;
  }

  [[nodiscard]] bool allows(ObjectId o, ClusterId a, ObjectId p, ClusterId b) const {
    const SizeBounds& bounds = state_.bounds();
    const std::size_t leaves = bounds.count(o);
    const std::size_t comes = bounds.count(p);
    return bounds.allow(state_.size(a) - leaves + comes) &&
           bounds.allow(state_.size(b) - comes + leaves);
  }

  // Each object of a with its best partner in b; gains that earlier swaps have changed are computed
  // again before a swap is made.
  std::size_t round(ClusterId a, ClusterId b, StopCheck& stop) {
    std::vector<Member> in_a = listed(a, b);
    std::vector<Member> in_b = listed(b, a);
    const double tolerance = state_.tolerance();
    std::size_t made = 0;
    std::size_t looked = 0;
    for (Member& o : in_a) {
      if (in_b.empty() || o.bound + in_b.front().bound <= tolerance) {
        break;
      }
      Member* best = nullptr;
      double best_gain = tolerance;
      values_.set_first(o.object);
      for (Member& p : in_b) {
        if (o.bound + p.bound <= best_gain) {
          break;
        }
        if (++looked % 256 == 0 && stop.should_stop()) {
          return made;
        }
        if (p.is_used || !allows(o.object, a, p.object, b)) {
          continue;
        }
        const double gain = o.gain + p.gain - 2 * values_(p.object);
        if (gain > best_gain) {
          best_gain = gain;
          best = &p;
        }
      }
      if (best == nullptr) {
        continue;
      }
      const double now = made == 0 ? best_gain
                                   : state_.gain(o.object, b) + state_.gain(best->object, a) -
                                         2 * values_(best->object);
      if (now > tolerance) {
        swap(o.object, a, best->object, b);
        best->is_used = true;
        ++made;
      }
    }
    return made;
  }

  void swap(ObjectId o, ClusterId a, ObjectId p, ClusterId b) {
    state_.move(o, b);
    state_.move(p, a);
    *std::ranges::find(members_[a], o) = p;
    *std::ranges::find(members_[b], p) = o;
    ++versions_[a];
    ++versions_[b];
  }

  BoundedState<View>& state_;
  PairValues<View> values_;
  std::vector<double> slacks_;
  std::size_t largest_count_ = 1;
  std::vector<std::vector<ObjectId>> members_;
  std::vector<std::uint32_t> versions_;  // of each cluster: how many swaps it took part in
  std::unordered_map<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>> settled_;
};

}  // namespace shiftcut
