// Depth first: nodes that are large or in conflict one after the other, the largest first, each to
// the preferred cluster, then to the others from the emptiest (the longest-processing-time rule);
// of several empty clusters only the first is tried. The other nodes fill up what is left.
#include "sizes/packing.hpp"

#include <algorithm>
#include <numeric>

#include "sizes/tuning.hpp"

namespace shiftcut {

namespace {

using namespace sizes_tuning;

class Packer {
 public:
  Packer(std::size_t nodes, const SizeBounds& bounds, const Conflicts* conflicts,
         std::span<const ClusterId> preferred, std::size_t clusters)
      : bounds_(bounds),
        conflicts_(conflicts),
        preferred_(preferred),
        labels_(nodes, kNoCluster),
        sizes_(clusters, 0) {
    for (ObjectId v = 0; v < nodes; ++v) {
      const bool is_free = conflicts == nullptr || conflicts->lists()[v].empty();
      (is_free && bounds.count(v) == 1 ? singles_ : hard_).push_back(v);
    }
    std::ranges::stable_sort(hard_, [&](ObjectId a, ObjectId b) {
      return bounds_.count(a) != bounds_.count(b) ? bounds_.count(a) > bounds_.count(b)
                                                  : degree(a) > degree(b);
    });
    left_ = std::transform_reduce(hard_.begin(), hard_.end(), singles_.size(), std::plus<>(),
                                  [&](ObjectId v) { return bounds_.count(v); });
    for (const std::size_t size : sizes_) {
      deficit_ += least() - std::min(least(), size);
    }
  }

  Packing::Verdict place_hard() {
    std::vector<std::vector<ClusterId>> choices(hard_.size());
    std::size_t depth = 0;
    std::size_t steps = 0;
    const auto list = [&](std::size_t d) {
      choices[d] = choices_of(hard_[d]);
      steps += sizes_.size() + choices[d].size();
    };
    if (!hard_.empty()) {
      list(0);
    }
    while (depth < hard_.size()) {
      const ObjectId v = hard_[depth];
      if (labels_[v] != kNoCluster) {
        take(v);
      }
      if (choices[depth].empty()) {
        if (depth == 0) {
          return Packing::Verdict::impossible;
        }
        --depth;
        continue;
      }
      if (++steps > kMostPackingSteps + kPackingStepsPerNode * labels_.size()) {
        return Packing::Verdict::unknown;
      }
      const ClusterId k = choices[depth].back();
      choices[depth].pop_back();
      put(v, k);
      if (deficit_ <= left_ && ++depth < hard_.size()) {
        list(depth);
      }
    }
    return deficit_ <= left_ ? Packing::Verdict::found : Packing::Verdict::impossible;
  }

  // First what clusters lack, with objects that prefer them, then with any; then the others where
  // they prefer to be.
  std::vector<ClusterId> place_singles() {
    std::vector<ObjectId> waiting;
    for (const ObjectId v : singles_) {
      const ClusterId k = preferred(v);
      if (k != kNoCluster && sizes_[k] < least()) {
        put(v, k);
      } else {
        waiting.push_back(v);
      }
    }
    // As many as are needed elsewhere stay behind: those that come last.
    std::vector<ObjectId> homeless;
    for (const ObjectId v : waiting) {
      const ClusterId k = preferred(v);
      if (k != kNoCluster && sizes_[k] < bounds_.most && left_ > deficit_) {
        put(v, k);
      } else {
        homeless.push_back(v);
      }
    }
    std::size_t k = 0;
    for (const ObjectId v : homeless) {
      const std::size_t enough = deficit_ > 0 ? least() : bounds_.most;
      for (; sizes_[k % sizes_.size()] >= enough; ++k) {
      }
      put(v, static_cast<ClusterId>(k % sizes_.size()));
    }
    return std::move(labels_);
  }

 private:
  [[nodiscard]] std::size_t least() const { return bounds_.least; }
  [[nodiscard]] std::size_t degree(ObjectId v) const {
    return conflicts_ == nullptr ? 0 : conflicts_->lists()[v].size();
  }
  [[nodiscard]] ClusterId preferred(ObjectId v) const {
    return preferred_.empty() || preferred_[v] >= sizes_.size() ? kNoCluster : preferred_[v];
  }

  // The last is tried first.
  [[nodiscard]] std::vector<ClusterId> choices_of(ObjectId v) {
    std::vector<ClusterId> all;
    bool has_empty = false;
    blocked_.assign(sizes_.size(), 0);
    if (conflicts_ != nullptr) {
      for (const ObjectId other : conflicts_->lists()[v]) {
        if (labels_[other] != kNoCluster) {
          blocked_[labels_[other]] = 1;
        }
      }
    }
    for (ClusterId k = 0; k < sizes_.size(); ++k) {
      if (blocked_[k] != 0 || sizes_[k] + bounds_.count(v) > bounds_.most ||
          (sizes_[k] == 0 && has_empty && k != preferred(v))) {
        continue;
      }
      has_empty = has_empty || sizes_[k] == 0;
      all.push_back(k);
    }
    std::ranges::stable_sort(all, [&](ClusterId a, ClusterId b) {
      const bool a_last = a == preferred(v);
      const bool b_last = b == preferred(v);
      return a_last != b_last ? b_last : sizes_[a] > sizes_[b];
    });
    return all;
  }

  void put(ObjectId v, ClusterId k) {
    labels_[v] = k;
    change(k, bounds_.count(v), true);
  }
  void take(ObjectId v) {
    change(labels_[v], bounds_.count(v), false);
    labels_[v] = kNoCluster;
  }
  void change(ClusterId k, std::size_t count, bool is_added) {
    deficit_ -= least() - std::min(least(), sizes_[k]);
    sizes_[k] = is_added ? sizes_[k] + count : sizes_[k] - count;
    left_ = is_added ? left_ - count : left_ + count;
    deficit_ += least() - std::min(least(), sizes_[k]);
  }

  const SizeBounds& bounds_;
  const Conflicts* conflicts_;
  std::span<const ClusterId> preferred_;
  std::vector<ClusterId> labels_;
  std::vector<std::size_t> sizes_;
  std::vector<ObjectId> hard_;
  std::vector<ObjectId> singles_;
  std::vector<char> blocked_;
  std::size_t left_ = 0;     // objects not placed
  std::size_t deficit_ = 0;  // objects that clusters lack
};

// The numbers of clusters to try, the likeliest first.
std::vector<std::size_t> numbers_to_try(const SizeBounds& bounds, const ClusterNumbers& possible,
                                        std::span<const ClusterId> preferred) {
  if (bounds.clusters) {  // with no least size, some may stay empty
    return {*bounds.clusters};
  }
  const std::size_t used =
      preferred.empty() ? 0 : *std::ranges::max_element(preferred) + std::size_t{1};
  const std::size_t first = std::clamp(used, possible.first, possible.last);
  std::vector<std::size_t> numbers = {first};
  for (std::size_t step = 1; numbers.size() < kMostNumbersTried; ++step) {
    const bool is_below = first >= step + possible.first;
    const bool is_above = first + step <= possible.last;
    if (!is_below && !is_above) {
      break;
    }
    if (is_below) numbers.push_back(first - step);
    if (is_above) numbers.push_back(first + step);
  }
  return numbers;
}

}  // namespace

Packing pack(std::size_t nodes, const SizeBounds& bounds, const Conflicts* conflicts,
             std::span<const ClusterId> preferred) {
  std::size_t n = 0;
  for (ObjectId v = 0; v < nodes; ++v) {
    n += bounds.count(v);
  }
  const ClusterNumbers possible = possible_numbers(bounds, n);
  if (possible.first > possible.last) {
    return {Packing::Verdict::impossible, {}};
  }
  const std::vector<std::size_t> numbers = numbers_to_try(bounds, possible, preferred);
  const bool are_all = bounds.clusters || numbers.size() == possible.last - possible.first + 1;
  Packing::Verdict verdict = are_all ? Packing::Verdict::impossible : Packing::Verdict::unknown;
  for (const std::size_t clusters : numbers) {
    Packer packer(nodes, bounds, conflicts, preferred, clusters);
    switch (packer.place_hard()) {
      case Packing::Verdict::found:
        return {Packing::Verdict::found, packer.place_singles()};
      case Packing::Verdict::unknown:
        verdict = Packing::Verdict::unknown;
        break;
      case Packing::Verdict::impossible:
        break;
    }
  }
  return {verdict, {}};
}

}  // namespace shiftcut
