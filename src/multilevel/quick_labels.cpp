#include "multilevel/quick_labels.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "multilevel/tuning.hpp"

namespace shiftcut {

namespace {

std::vector<double> sizes_of(const SparseLevel& level, const std::vector<ClusterId>& labels) {
  std::vector<double> sizes(level.size(), 0.0);
  for (ObjectId v = 0; v < level.size(); ++v) {
    sizes[labels[v]] += level.nodes().volume[v].size;
  }
  return sizes;
}

// Every node takes the label that most of its weight leads to, unless that cluster is full: without
// a bound one label often takes nearly all nodes.
std::vector<ClusterId> propagated(const SparseLevel& level, double most) {
  std::vector<ClusterId> labels(level.size());
  std::iota(labels.begin(), labels.end(), ClusterId{0});
  std::vector<double> sizes = sizes_of(level, labels);
  std::vector<double> weight(level.size(), 0.0);  // all 0 between nodes
  std::vector<ClusterId> near;
  for (int pass = 0; pass < kQuickPasses; ++pass) {
    for (ObjectId v = 0; v < level.size(); ++v) {
      near.clear();
      level.for_each_edge(v, [&](ObjectId u, double w) {
        if (w > 0) {
          near.push_back(labels[u]);
          weight[labels[u]] += w;
        }
      });
      const double size = level.nodes().volume[v].size;
      ClusterId best = labels[v];
      for (const ClusterId label : near) {
        const bool has_room = label == labels[v] || sizes[label] + size <= most;
        if (has_room && weight[label] > weight[best]) {
          best = label;
        }
      }
      for (const ClusterId label : near) {
        weight[label] = 0;
      }
      sizes[labels[v]] -= size;
      sizes[best] += size;
      labels[v] = best;
    }
  }
  return labels;
}

// The smallest clusters join others until `clusters` are left.
class Joining {
 public:
  Joining(const SparseLevel& level, std::vector<ClusterId> labels)
      : level_(level), labels_(std::move(labels)), count_(compact_labels(labels_)) {
    sizes_ = sizes_of(level_, labels_);
    into_.resize(count_);
    std::iota(into_.begin(), into_.end(), ClusterId{0});
  }

  std::vector<ClusterId> down_to(std::size_t clusters) {
    std::vector<std::vector<ObjectId>> members(count_);
    for (ObjectId v = 0; v < labels_.size(); ++v) {
      members[labels_[v]].push_back(v);
    }
    std::vector<ClusterId> order(count_);
    std::iota(order.begin(), order.end(), ClusterId{0});
    std::ranges::stable_sort(order, {}, [&](ClusterId c) { return sizes_[c]; });
    const std::size_t joining = count_ > clusters ? count_ - clusters : 0;
    for (std::size_t c = 0; c < joining; ++c) {
      const ClusterId target = most_connected(order[c], members[order[c]], order.back());
      into_[order[c]] = target;
      sizes_[target] += sizes_[order[c]];
    }
    for (ClusterId& label : labels_) {
      label = find(label);
    }
    compact_labels(labels_);
    return std::move(labels_);
  }

 private:
  ClusterId find(ClusterId c) {
    while (into_[c] != c) {
      c = into_[c] = into_[into_[c]];
    }
    return c;
  }

  // Of clusters with equal weight for their size the first; one without edges joins any.
  ClusterId most_connected(ClusterId own, const std::vector<ObjectId>& members, ClusterId any) {
    weight_.resize(count_, 0.0);
    near_.clear();
    for (const ObjectId v : members) {
      level_.for_each_edge(v, [&](ObjectId u, double w) {
        const ClusterId other = find(labels_[u]);
        if (other != own && w > 0) {
          near_.push_back(other);
          weight_[other] += w;
        }
      });
    }
    ClusterId best = find(any);
    double highest = 0;
    for (const ClusterId other : near_) {
      const double score = weight_[other] / sizes_[other];
      if (score > highest) {
        highest = score;
        best = other;
      }
    }
    for (const ClusterId other : near_) {
      weight_[other] = 0;
    }
    return best;
  }

  const SparseLevel& level_;
  std::vector<ClusterId> labels_;
  std::size_t count_;
  std::vector<double> sizes_;
  std::vector<ClusterId> into_;
  std::vector<double> weight_;
  std::vector<ClusterId> near_;
};

}  // namespace

std::vector<ClusterId> quick_labels(const SparseLevel& level, std::optional<std::size_t> clusters) {
  double all = 0;
  for (ObjectId v = 0; v < level.size(); ++v) {
    all += level.nodes().volume[v].size;
  }
  const double most = clusters ? kQuickLargest * all / static_cast<double>(*clusters)
                               : std::numeric_limits<double>::infinity();
  std::vector<ClusterId> labels = propagated(level, most);
  if (!clusters) {
    compact_labels(labels);
    return labels;
  }
  return Joining(level, std::move(labels)).down_to(*clusters);
}

}  // namespace shiftcut
