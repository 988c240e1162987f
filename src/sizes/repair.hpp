// From any grouping to one that keeps the bounds, at little cost: with K free, clusters too small
// are merged into others or spread over them, and those too large are split; then objects leave
// clusters that hold too many, and join those that hold too few, in the order of what that gains.
// Nodes that stand for several objects may leave some bound unmet, which pack() then mends.
#pragma once

#include <algorithm>
#include <queue>
#include <set>
#include <utility>
#include <vector>

#include "sizes/bounded_state.hpp"

namespace shiftcut {

template <class View>
class Repair {
 public:
  explicit Repair(BoundedState<View>& state) : state_(state), bounds_(state.bounds()) {
    std::size_t n = 0;
    for (ObjectId i = 0; i < state.objects(); ++i) {
      n += bounds_.count(i);
    }
    possible_ = possible_numbers(bounds_, n);
    state_.measure_degrees();
  }

  void run() {
    if (!bounds_.clusters && bounds_.least > 1) {
      dissolve_small();
    }
    if (bounds_.clusters && bounds_.least > 0) {
      fill_empty();
    }
    split_large();
    leave_large();
    fill_small();
  }

 private:
  [[nodiscard]] std::size_t used() const {
    std::size_t count = 0;
    for (ClusterId k = 0; k < state_.clusters(); ++k) {
      count += state_.size(k) > 0 ? 1 : 0;
    }
    return count;
  }

  // ---- Too small, K free ----

  // The smallest first, as long as the others have room for all.
  void dissolve_small() {
    std::vector<std::vector<ObjectId>> members = state_.members();
    std::set<std::pair<std::size_t, ClusterId>> small;
    for (ClusterId k = 0; k < state_.clusters(); ++k) {
      if (state_.size(k) > 0 && state_.size(k) < bounds_.least) {
        small.emplace(state_.size(k), k);
      }
    }
    std::size_t left = used();
    while (!small.empty() && left > possible_.first) {
      const auto [size, k] = *small.begin();
      small.erase(small.begin());
      const std::vector<ObjectId> leaving = std::move(members[k]);
      members[k].clear();
      if (size != state_.size(k)) {
        continue;
      }
      for (const auto& [object, to] : places_for(leaving, k)) {
        const std::size_t before = state_.size(to);
        state_.move(object, to);
        members[to].push_back(object);
        if (before < bounds_.least) {
          small.erase({before, to});
          if (state_.size(to) < bounds_.least) {
            small.emplace(state_.size(to), to);
          }
        }
      }
      left -= state_.size(k) == 0 ? 1 : 0;
      if (state_.size(k) > 0) {  // no room for some: they stay
        std::ranges::copy_if(leaving, std::back_inserter(members[k]),
                             [&, k = k](ObjectId i) { return state_.label(i) == k; });
      }
    }
  }

  // All into one cluster, or each where it gains most, whichever costs less.
  std::vector<std::pair<ObjectId, ClusterId>> places_for(const std::vector<ObjectId>& leaving,
                                                         ClusterId from) {
    std::vector<std::pair<ObjectId, ClusterId>> spread;
    std::set<ClusterId> near;
    double spread_gain = 0;
    double within = 0;
    std::size_t size = state_.size(from);
    std::vector<std::size_t> room_taken(state_.clusters(), 0);
    for (const ObjectId i : leaving) {
      const auto fits = [&](ClusterId k) {
        return state_.size(k) > 0 &&
               state_.size(k) + room_taken[k] + bounds_.count(i) <= bounds_.most;
      };
      const Target target = state_.best_target(i, fits, true);
      const double own = state_.own_affinity(i);
      within += own;
      if (target.to != kNoCluster) {
        spread.emplace_back(i, target.to);
        spread_gain += 2 * (target.gain + own);
        near.insert(target.to);
        room_taken[target.to] += bounds_.count(i);
      }
    }
    spread_gain -= within;
    ClusterId best = kNoCluster;
    double best_gain = spread_gain;
    for (const ClusterId k : near) {
      if (state_.size(k) + size > bounds_.most) {
        continue;
      }
      double gain = 0;
      for (const ObjectId i : leaving) {
        gain += 2 * (state_.gain(i, k) + state_.own_affinity(i));
      }
      if (gain > best_gain || spread.size() < leaving.size()) {
        best_gain = gain;
        best = k;
      }
    }
    if (best != kNoCluster) {
      spread.clear();
      for (const ObjectId i : leaving) {
        spread.emplace_back(i, best);
      }
    }
    return spread;
  }

  // ---- Too large ----

  // Where a new cluster may be opened.
  void split_large() {
    std::vector<std::vector<ObjectId>> members = state_.members();
    std::size_t count = used();
    for (ClusterId k = 0; k < members.size(); ++k) {
      const std::size_t size = state_.size(k);
      if (size <= bounds_.most) {
        continue;
      }
      const std::size_t may_open = possible_.last - std::min(possible_.last, count);
      const std::size_t of_least = size / std::max<std::size_t>(1, bounds_.least);
      const std::size_t parts = std::min({(size + bounds_.most - 1) / bounds_.most, 1 + may_open,
                                          std::max<std::size_t>(1, of_least)});
      for (std::size_t left = parts; left > 1; --left) {
        grow(k, state_.first_empty(), state_.size(k) / left, members[k]);
        ++count;
      }
    }
  }

  void fill_empty() {
    std::vector<std::vector<ObjectId>> members = state_.members();
    for (ClusterId k = 0; k < state_.clusters(); ++k) {
      if (state_.size(k) > 0) {
        continue;
      }
      ClusterId largest = 0;
      for (ClusterId other = 0; other < state_.clusters(); ++other) {
        largest = state_.size(other) > state_.size(largest) ? other : largest;
      }
      const std::vector<ObjectId> before = members[largest];
      grow(largest, k, state_.size(largest) / 2, members[largest]);
      std::ranges::copy_if(before, std::back_inserter(members[k]),
                           [&](ObjectId i) { return state_.label(i) == k; });
    }
  }

  // From the object least at home in `from`, taking in what is nearest to the new cluster, half as
  // many again at a time.
  void grow(ClusterId from, ClusterId to, std::size_t size, std::vector<ObjectId>& members) {
    std::vector<std::pair<double, ObjectId>> gains;
    while (state_.size(to) < size && members.size() > 1) {
      gains.clear();
      for (const ObjectId i : members) {
        gains.emplace_back(-state_.gain(i, to), i);
      }
      const std::size_t grown = state_.size(to);
      const std::size_t take =
          std::min({std::max<std::size_t>(1, grown / 2), size - grown, gains.size() - 1});
      std::ranges::nth_element(gains, gains.begin() + static_cast<std::ptrdiff_t>(take));
      std::sort(gains.begin(), gains.begin() + static_cast<std::ptrdiff_t>(take));
      for (std::size_t t = 0; t < take && state_.size(to) < size; ++t) {
        state_.move(gains[t].second, to);
      }
      std::erase_if(members, [&](ObjectId i) { return state_.label(i) != from; });
    }
  }

  // ---- Object by object ----

  struct Wish {
    double gain;
    ObjectId object;
    ClusterId to;
    bool operator<(const Wish& other) const {
      return gain != other.gain ? gain < other.gain : object > other.object;
    }
  };

  // The best wish first; one whose gain has fallen since it was made waits again.
  template <class Best, class IsNeeded>
  void grant(std::priority_queue<Wish> wishes, const Best& best, const IsNeeded& is_needed) {
    while (!wishes.empty()) {
      const Wish wish = wishes.top();
      wishes.pop();
      if (!is_needed(wish)) {
        continue;
      }
      const Target now = best(wish.object);
      if (now.to == kNoCluster) {
        continue;
      }
      const Wish again{now.gain, wish.object, now.to};
      if (!wishes.empty() && again < wishes.top()) {
        wishes.push(again);
      } else {
        state_.move(wish.object, now.to);
      }
    }
  }

  void leave_large() {
    const auto is_large = [&](ClusterId k) { return state_.size(k) > bounds_.most; };
    const auto best = [&](ObjectId i) {
      return state_.best_target(
          i,
          [&](ClusterId k) {
            return state_.has_room(k, i) && bounds_.allow_to_open(state_.size(k), bounds_.count(i));
          },
          true);
    };
    std::priority_queue<Wish> wishes;
    for (ObjectId i = 0; i < state_.objects(); ++i) {
      if (is_large(state_.label(i))) {
        const Target target = best(i);
        if (target.to != kNoCluster) {
          wishes.push({target.gain, i, target.to});
        }
      }
    }
    grant(std::move(wishes), best,
          [&](const Wish& wish) { return is_large(state_.label(wish.object)); });
  }

  void fill_small() {
    const auto is_small = [&](ClusterId k) {
      return state_.size(k) < bounds_.least && (state_.size(k) > 0 || !bounds_.may_be_empty());
    };
    std::vector<ClusterId> small;
    for (ClusterId k = 0; k < state_.clusters(); ++k) {
      if (is_small(k)) {
        small.push_back(k);
      }
    }
    const auto may_leave = [&](ObjectId i) {
      return state_.size(state_.label(i)) >= bounds_.least + bounds_.count(i);
    };
    const auto best = [&](ObjectId i) {
      Target target;
      for (const ClusterId k : small) {
        if (!is_small(k) || k == state_.label(i) || !state_.has_room(k, i)) {
          continue;
        }
        const double gain = state_.gain(i, k);
        if (gain > target.gain) {
          target = {k, gain};
        }
      }
      return target;
    };
    std::priority_queue<Wish> wishes;
    for (ObjectId i = 0; !small.empty() && i < state_.objects(); ++i) {
      if (may_leave(i)) {
        const Target target = best(i);
        if (target.to != kNoCluster) {
          wishes.push({target.gain, i, target.to});
        }
      }
    }
    grant(std::move(wishes), best, [&](const Wish& wish) { return may_leave(wish.object); });
  }

  BoundedState<View>& state_;
  const SizeBounds& bounds_;
  ClusterNumbers possible_;
};

}  // namespace shiftcut
