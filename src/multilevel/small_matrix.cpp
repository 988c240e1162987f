#include "multilevel/small_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/kernels/kernels.hpp"
#include "multilevel/tuning.hpp"

namespace shiftcut {

void SmallMatrix::separate_diagonal() {
  for (std::size_t i = 0; i < n; ++i) {
    diagonal[i] = static_cast<double>(std::exchange(row(i)[i], 0.0F));
  }
  if (n > 0) {
    const float highest = values[index_of_maximum(values.data(), values.size())];
    const float lowest = minimum(values.data(), values.size());
    rounding = 0x1p-22 * static_cast<double>(n) * static_cast<double>(std::max(highest, -lowest));
  }
}

SmallMatrix small_matrix(const SparseLevel& level) {
  const Nodes& nodes = level.nodes();
  SmallMatrix s(level.size());
  std::vector<float> sizes(level.size());
  std::vector<float> degrees(level.size());
  for (ObjectId a = 0; a < level.size(); ++a) {
    sizes[a] = static_cast<float>(nodes.volume[a].size);
    degrees[a] = static_cast<float>(nodes.volume[a].degree);
  }
  for (ObjectId a = 0; a < level.size(); ++a) {
    const Volume& volume = nodes.volume[a];
    const double by_size = nodes.terms.per_size(volume.size, volume.degree);
    const double by_degree = nodes.terms.per_unit_degree(volume.size, volume.degree);
    add_scaled(s.row(a), static_cast<float>(-by_size), sizes.data(), s.n);
    add_scaled(s.row(a), static_cast<float>(-by_degree), degrees.data(), s.n);
    s.row(a)[a] += static_cast<float>(nodes.self[a]);
    level.for_each_edge(
        a, [&](ObjectId b, double weight) { s.row(a)[b] += static_cast<float>(weight); });
  }
  s.separate_diagonal();
  return s;
}

namespace {

void sum_by_group(const SmallMatrix& s, std::span<const ClusterId> groups, std::size_t count,
                  float* sums) {
  std::vector<std::uint32_t> begin(count + 1, 0);
  for (const ClusterId g : groups) {
    ++begin[g + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<const float*> rows(s.n);
  for (std::size_t i = 0; i < s.n; ++i) {
    rows[begin[groups[i]]++] = s.row(i);
  }
  for (std::size_t g = 0; g < count; ++g) {  // begin[g] is now where group g ends
    const std::uint32_t first = g == 0 ? 0 : begin[g - 1];
    sum_rows(sums + g * s.n, rows.data() + first, begin[g] - first, s.n);
  }
}

}  // namespace

std::vector<float> group_sums(const SmallMatrix& s, std::span<const ClusterId> groups,
                              std::size_t count) {
  std::vector<float> sums(count * s.n);
  sum_by_group(s, groups, count, sums.data());
  return sums;
}

SmallMatrix between_groups(const SmallMatrix& s, const std::vector<float>& sums,
                           std::span<const ClusterId> groups, std::size_t count) {
  SmallMatrix between(count);
  for (std::size_t g = 0; g < count; ++g) {
    for (std::size_t j = 0; j < s.n; ++j) {
      between.row(g)[groups[j]] += sums[g * s.n + j];
    }
  }
  between.separate_diagonal();
  for (std::size_t j = 0; j < s.n; ++j) {
    between.diagonal[groups[j]] += s.diagonal[j];
  }
  return between;
}

SmallDescent::SmallDescent(const SmallMatrix& s, std::size_t slots, double tolerance)
    : s_(s),
      slots_(slots),
      tolerance_(static_cast<float>(tolerance + s.rounding)),
      labels_(s.n),
      table_(slots * s.n),
      movers_(s.n) {}

void SmallDescent::begin(std::span<const ClusterId> labels) {
  std::copy(labels.begin(), labels.end(), labels_.begin());
  sum_by_group(s_, labels_, slots_, table_.data());
}

void SmallDescent::begin(std::span<const ClusterId> groups, std::span<const ClusterId> labels,
                         const std::vector<float>& sums) {
  std::fill(table_.begin(), table_.end(), 0.0F);
  for (std::size_t g = 0; g < labels.size(); ++g) {
    add_scaled(&table_[labels[g] * s_.n], 1.0F, &sums[g * s_.n], s_.n);
  }
  for (std::size_t i = 0; i < s_.n; ++i) {
    labels_[i] = labels[groups[i]];
  }
}

void SmallDescent::run(Rng& rng) {
  for (int sweep = 0; sweep < kMostSmallSweeps; ++sweep) {
    // Movers are listed first, for all objects at once: most stay where they are.
    const std::size_t count =
        list_improvable(table_.data(), slots_, labels_.data(), s_.n, tolerance_, movers_.data());
    if (count == 0) {
      break;
    }
    for (std::size_t i = count; i > 0; --i) {
      std::swap(movers_[i - 1], movers_[rng.below(static_cast<std::uint32_t>(i))]);
      move_to_best(movers_[i - 1]);
    }
  }
}

void SmallDescent::move_to_best(ObjectId i) {
  const float* column = &table_[i];
  float best = column[labels_[i] * s_.n] + tolerance_;
  ClusterId to = labels_[i];
  for (ClusterId k = 0; k < slots_; ++k) {
    if (column[k * s_.n] > best) {
      best = column[k * s_.n];
      to = k;
    }
  }
  move(i, to);
}

void SmallDescent::move(ObjectId i, ClusterId to) {
  if (to != labels_[i]) {
    move_between(&table_[labels_[i] * s_.n], &table_[to * s_.n], s_.row(i), s_.n);
    labels_[i] = to;
  }
}

double SmallDescent::cost() const {
  double within = 0;
  for (std::size_t i = 0; i < s_.n; ++i) {
    within += static_cast<double>(table_[labels_[i] * s_.n + i]) + s_.diagonal[i];
  }
  return -within;
}

template <class Change>
void SmallDescent::keep_lowest(int times, const Change& change, const Context& context) {
  std::vector<ClusterId> labels = labels_;
  std::vector<float> table = table_;
  double lowest = cost();
  for (int time = 0; time < times && !context.should_stop(); ++time) {
    change();
    run(context.rng);
    const double now = cost();
    if (now < lowest - static_cast<double>(tolerance_)) {
      lowest = now;
      labels = labels_;
      table = table_;
    } else {
      labels_ = labels;
      table_ = table;
    }
  }
}

void SmallDescent::restart(int times, const Context& context) {
  keep_lowest(times, [&] { begin_at_random(context.rng); }, context);
}

void SmallDescent::begin_at_random(Rng& rng) {
  std::vector<ClusterId> random(s_.n);
  for (ClusterId& label : random) {
    label = rng.below(static_cast<std::uint32_t>(slots_));
  }
  begin(random);
}

void SmallDescent::perturb(int trials, const Context& context) {
  if (slots_ > 1 && s_.n > 2) {
    keep_lowest(trials, [&] { merge_or_split(context.rng); }, context);
  }
}

void SmallDescent::merge_or_split(Rng& rng) {
  const auto slots = static_cast<std::uint32_t>(slots_);
  const ClusterId from = labels_[rng.below(static_cast<std::uint32_t>(s_.n))];
  const ClusterId to = (from + 1 + rng.below(slots - 1)) % slots;
  if (slots == 2 || rng.below(4) > 0) {
    split(from, to, 1 + rng.below(16), rng);
    return;
  }
  for (ObjectId i = 0; i < s_.n; ++i) {
    if (labels_[i] == from) {
      move(i, to);
    }
  }
  split(labels_[rng.below(static_cast<std::uint32_t>(s_.n))], from, 1, rng);
}

// Moves the members that are nearer to one of them than to another, which is the nearest of some
// drawn: the more draws, the smaller the part.
void SmallDescent::split(ClusterId from, ClusterId to, std::uint32_t draws, Rng& rng) {
  const auto distance = [&](const float* near, ObjectId i) {
    return s_.diagonal[i] - 2 * static_cast<double>(near[i]);
  };
  const ObjectId one = any_of(from, rng);
  const float* near_one = s_.row(one);
  ObjectId other = one;
  for (std::uint32_t draw = 0; draw < draws; ++draw) {
    const ObjectId next = any_of(from, rng);
    if (next != one && (other == one || distance(near_one, next) < distance(near_one, other))) {
      other = next;
    }
  }
  const float* near_other = s_.row(other);
  const double difference = s_.diagonal[one] - s_.diagonal[other];
  for (ObjectId i = 0; i < s_.n; ++i) {
    if (i != other && labels_[i] == from &&
        difference < 2 * static_cast<double>(near_one[i] - near_other[i])) {
      move(i, to);
    }
  }
  move(one, to);
}

// A member, found by a few draws or else the next one after the last; the cluster is not empty.
ObjectId SmallDescent::any_of(ClusterId cluster, Rng& rng) const {
  auto i = static_cast<std::size_t>(rng.below(static_cast<std::uint32_t>(s_.n)));
  for (int draw = 0; draw < 16 && labels_[i] != cluster; ++draw) {
    i = rng.below(static_cast<std::uint32_t>(s_.n));
  }
  while (labels_[i] != cluster) {
    i = (i + 1) % s_.n;
  }
  return static_cast<ObjectId>(i);
}

}  // namespace shiftcut
