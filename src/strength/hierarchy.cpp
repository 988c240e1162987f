#include "strength/hierarchy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <ranges>
#include <unordered_map>
#include <utility>

#include "core/rng.hpp"
#include "multilevel/multilevel.hpp"
#include "strength/strength_path.hpp"
#include "strength/tuning.hpp"

namespace shiftcut {

namespace {

constexpr std::uint64_t kHierarchyStream = std::uint64_t{1} << 44;  // of random numbers

using Partitions = std::vector<std::vector<ClusterId>>;

// ---- Guides ----

// Solutions at stronger and weaker shifts than `at`, from the strongest.
Partitions solutions_around(const SparseLevel& level, double at, std::uint64_t seed,
                            const Context& context) {
  std::vector<double> strengths;
  for (int step = static_cast<int>(kGuidesEachSide); step >= -static_cast<int>(kGuidesEachSide);
       --step) {
    if (step != 0) {
      strengths.push_back(at * std::exp2(step / 2.0));
    }
  }
  Partitions solutions(strengths.size());
  context.team.for_each(strengths.size(), [&](std::size_t i, int) {
    if (context.should_stop()) {
      return;
    }
    ThreadTeam alone(1);
    Rng rng(seed, kHierarchyStream + i);
    const SparseLevel shifted = at_strength(level, level.nodes().terms, strengths[i]);
    solutions[i] = level_cycle(shifted, {}, {}, {rng, alone, context.stop});
    compact_labels(solutions[i]);
  });
  std::erase_if(solutions, [](const std::vector<ClusterId>& labels) { return labels.empty(); });
  return solutions;
}

std::vector<ClusterId> intersection(const std::vector<ClusterId>& a,
                                    const std::vector<ClusterId>& b) {
  std::unordered_map<std::uint64_t, ClusterId> number;
  std::vector<ClusterId> out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::uint64_t key = (std::uint64_t{a[i]} << 32) | b[i];
    out[i] = number.try_emplace(key, static_cast<ClusterId>(number.size())).first->second;
  }
  return out;
}

// Every cluster of `fine` goes where most of it is in `coarse`.
std::vector<ClusterId> coarser(const std::vector<ClusterId>& fine,
                               const std::vector<ClusterId>& coarse, const SparseLevel& level) {
  std::unordered_map<std::uint64_t, double> overlap;
  for (ObjectId i = 0; i < fine.size(); ++i) {
    overlap[(std::uint64_t{fine[i]} << 32) | coarse[i]] += level.nodes().volume[i].size;
  }
  std::vector<std::pair<double, ClusterId>> most(*std::ranges::max_element(fine) + std::size_t{1},
                                                 {-1.0, kNoCluster});
  for (const auto& [key, size] : overlap) {
    auto& best = most[key >> 32];
    const auto k = static_cast<ClusterId>(key);
    if (size > best.first || (size == best.first && k < best.second)) {
      best = {size, k};
    }
  }
  std::vector<ClusterId> out(fine.size());
  std::ranges::transform(fine, out.begin(), [&](ClusterId k) { return most[k].second; });
  compact_labels(out);
  return out;
}

std::size_t count(const std::vector<ClusterId>& labels) {
  return *std::ranges::max_element(labels) + std::size_t{1};
}

// From fine to coarse, `labels` among them; returns which of them is.
std::size_t make_guides(const SparseLevel& level, const std::vector<ClusterId>& labels, double at,
                        std::uint64_t seed, const Context& context, Partitions& guides) {
  const Partitions solutions = solutions_around(level, at, seed, context);
  guides.assign(1, labels);
  for (const std::vector<ClusterId>& finer : std::ranges::reverse_view(solutions)) {
    if (count(finer) > count(labels)) {
      guides.push_back(intersection(guides.back(), finer));
    }
  }
  std::ranges::reverse(guides);
  const std::size_t place = guides.size() - 1;
  for (const std::vector<ClusterId>& weaker : solutions) {
    if (count(weaker) < count(guides.back())) {
      guides.push_back(coarser(guides.back(), weaker, level));
    }
  }
  guides.emplace_back(labels.size(), 0);
  return place;
}

// ---- Merging ----

class Merging {
 public:
  explicit Merging(const SparseLevel& level)
      : terms_(level.nodes().terms), edges_(level.size()), numbers_(level.size()) {
    for (ObjectId v = 0; v < level.size(); ++v) {
      volume_.push_back(level.nodes().volume[v]);
      level.for_each_edge(v, [&](ObjectId u, double weight) { edges_[v][u] += weight; });
    }
    std::iota(numbers_.begin(), numbers_.end(), 0U);
    alive_ = std::vector<ObjectId>(numbers_.begin(), numbers_.end());
  }

  // Until every cluster of the guide is one.
  void merge_within(const std::vector<ClusterId>& guide) {
    std::priority_queue<Pair> pairs;
    for (const ObjectId a : alive_) {
      for (const auto& [b, weight] : edges_[a]) {
        if (a < b && guide[a] == guide[b]) {
          pairs.push({strength(a, b, weight), a, b});
        }
      }
    }
    while (!pairs.empty()) {
      const Pair pair = pairs.top();
      pairs.pop();
      const auto edge = edges_[pair.a].find(pair.b);
      if (numbers_[pair.a] == kMerged || numbers_[pair.b] == kMerged ||
          edge == edges_[pair.a].end()) {
        continue;
      }
      const double now = strength(pair.a, pair.b, edge->second);
      if (now < pair.strength) {  // one of them has grown
        pairs.push({now, pair.a, pair.b});
        continue;
      }
      merge(pair.a, pair.b, now, [&](ObjectId a, ObjectId b, double weight) {
        if (guide[a] == guide[b]) {
          pairs.push({strength(a, b, weight), std::min(a, b), std::max(a, b)});
        }
      });
    }
    join_pieces(guide);
    std::erase_if(alive_, [&](ObjectId v) { return numbers_[v] == kMerged; });
  }

  std::vector<MergeStep> steps;

 private:
  static constexpr std::uint32_t kMerged = std::numeric_limits<std::uint32_t>::max();

  struct Pair {
    double strength;
    ObjectId a;
    ObjectId b;
    bool operator<(const Pair& other) const {
      return strength != other.strength ? strength < other.strength
                                        : std::pair(a, b) > std::pair(other.a, other.b);
    }
  };

  [[nodiscard]] double strength(ObjectId a, ObjectId b, double weight) const {
    const Volume& x = volume_[a];
    const Volume& y = volume_[b];
    const double taken = y.size * terms_.per_size(x.size, x.degree) +
                         y.degree * terms_.per_unit_degree(x.size, x.degree);
    // Two nodes of low degree are drawn together by the adaptive shift itself.
    return weight / std::max(taken, std::numeric_limits<double>::min());
  }

  // The one with more edges takes over the others' edges.
  template <class Changed>
  void merge(ObjectId a, ObjectId b, double at, const Changed& changed) {
    const auto number = static_cast<std::uint32_t>(edges_.size() + steps.size());
    steps.push_back({std::min(numbers_[a], numbers_[b]), std::max(numbers_[a], numbers_[b]), at});
    if (edges_[a].size() < edges_[b].size()) {
      std::swap(a, b);
    }
    volume_[a].size += volume_[b].size;
    volume_[a].degree += volume_[b].degree;
    edges_[a].erase(b);
    std::vector<std::pair<ObjectId, double>> moved(edges_[b].begin(), edges_[b].end());
    std::ranges::sort(moved);
    for (const auto& [c, weight] : moved) {
      if (c == a) {
        continue;
      }
      edges_[c].erase(b);
      const double sum = edges_[a][c] += weight;
      edges_[c][a] = sum;
      changed(a, c, sum);
    }
    edges_[b] = {};
    numbers_[a] = number;
    numbers_[b] = kMerged;
  }

  // What no edge joins, smallest first, to the largest.
  void join_pieces(const std::vector<ClusterId>& guide) {
    std::vector<std::vector<ObjectId>> pieces(count(guide));
    for (const ObjectId v : alive_) {
      if (numbers_[v] != kMerged) {
        pieces[guide[v]].push_back(v);
      }
    }
    for (std::vector<ObjectId>& of_one : pieces) {
      std::ranges::stable_sort(of_one, {}, [&](ObjectId v) { return volume_[v].size; });
      ObjectId largest = of_one.empty() ? 0 : of_one.back();
      for (std::size_t p = 0; p + 1 < of_one.size(); ++p) {
        const ObjectId piece = of_one[p];
        merge(largest, piece, 0, [](ObjectId, ObjectId, double) {});
        largest = numbers_[largest] == kMerged ? piece : largest;
      }
    }
  }

  ShiftTerms terms_;
  std::vector<Volume> volume_;
  std::vector<std::unordered_map<ObjectId, double>> edges_;
  std::vector<std::uint32_t> numbers_;  // of the cluster that a node stands for
  std::vector<ObjectId> alive_;
};

// By decreasing strength, none above that of its parts; clusters are numbered again. The first
// `within` merges come before the others, and count as no weaker than the strongest of these.
std::vector<MergeStep> in_order(std::vector<MergeStep> steps, std::size_t nodes,
                                std::size_t within) {
  std::vector<double> own(steps.size());
  double strongest_across = 0;
  for (std::size_t m = 0; m < steps.size(); ++m) {
    const std::size_t first = nodes + (m < within ? 0 : within);
    double least = std::max(steps[m].strength, 0.0);
    for (const std::uint32_t part : {steps[m].left, steps[m].right}) {
      least = part >= first ? std::min(least, own[part - nodes]) : least;
    }
    own[m] = least;
    strongest_across = m < within ? 0 : std::max(strongest_across, least);
  }
  std::vector<std::uint32_t> order(steps.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto stronger = [&](std::uint32_t a, std::uint32_t b) { return own[a] > own[b]; };
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(within);
  std::stable_sort(order.begin(), middle, stronger);
  std::stable_sort(middle, order.end(), stronger);
  std::vector<std::uint32_t> number(steps.size());
  for (std::uint32_t place = 0; place < order.size(); ++place) {
    number[order[place]] = static_cast<std::uint32_t>(nodes) + place;
  }
  std::vector<MergeStep> sorted;
  for (std::size_t place = 0; place < order.size(); ++place) {
    MergeStep step = steps[order[place]];
    for (std::uint32_t* part : {&step.left, &step.right}) {
      *part = *part >= nodes ? number[*part - nodes] : *part;
    }
    if (step.left > step.right) {
      std::swap(step.left, step.right);
    }
    const double strength = own[order[place]];
    step.strength = place < within ? std::max(strength, strongest_across) : strength;
    sorted.push_back(step);
  }
  return sorted;
}

}  // namespace

std::vector<MergeStep> hierarchy(const SparseLevel& level, const std::vector<ClusterId>& labels,
                                 double at, std::uint64_t seed, const Context& context) {
  Partitions guides;
  const std::size_t place = make_guides(level, labels, at, seed, context, guides);
  Merging merging(level);
  std::size_t within = 0;
  for (std::size_t g = 0; g < guides.size(); ++g) {
    merging.merge_within(guides[g]);
    within = g == place ? merging.steps.size() : within;
  }
  return in_order(std::move(merging.steps), level.size(), within);
}

}  // namespace shiftcut
