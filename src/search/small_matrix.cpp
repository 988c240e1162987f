#include "search/small_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/kernels.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kMostPieces = 64;  // that answers cut the objects into
constexpr int kPieceRestarts = 4;
constexpr int kMostSweeps = 1000;  // rounding may send objects round in circles

}  // namespace

void SmallMatrix::set_diagonal_apart() {
  for (std::size_t i = 0; i < n; ++i) {
    diagonal[i] = static_cast<double>(std::exchange(row(i)[i], 0.0F));
  }
  if (n > 0) {
    const float highest = values[largest(values.data(), values.size())];
    const float lowest = least(values.data(), values.size());
    rounding = 0x1p-22 * static_cast<double>(n) * static_cast<double>(std::max(highest, -lowest));
  }
}

SmallMatrix small_matrix(const SparseLevel& level) {
  const Nodes& nodes = level.nodes();
  SmallMatrix s(level.size());
  std::vector<float> sizes(level.size());
  std::vector<float> degrees(level.size());
  for (ObjectId a = 0; a < level.size(); ++a) {
    sizes[a] = static_cast<float>(nodes.mass[a].size);
    degrees[a] = static_cast<float>(nodes.mass[a].degree);
  }
  for (ObjectId a = 0; a < level.size(); ++a) {
    const Mass& mass = nodes.mass[a];
    const double by_size = nodes.terms.flat * mass.size + nodes.terms.per_degree * mass.degree;
    const double by_degree = nodes.terms.per_degree * mass.size;
    add_scaled(s.row(a), static_cast<float>(-by_size), sizes.data(), s.n);
    add_scaled(s.row(a), static_cast<float>(-by_degree), degrees.data(), s.n);
    s.row(a)[a] += static_cast<float>(nodes.self[a]);
    level.for_each_edge(
        a, [&](ObjectId b, double weight) { s.row(a)[b] += static_cast<float>(weight); });
  }
  s.set_diagonal_apart();
  return s;
}

std::vector<float> group_sums(const SmallMatrix& s, std::span<const ClusterId> groups,
                              std::size_t count) {
  std::vector<float> sums(count * s.n, 0.0F);
  for (std::size_t i = 0; i < s.n; ++i) {
    add_scaled(&sums[groups[i] * s.n], 1.0F, s.row(i), s.n);
  }
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
  between.set_diagonal_apart();
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
      best_(s.n) {}

void SmallDescent::begin(std::span<const ClusterId> labels) {
  std::fill(table_.begin(), table_.end(), 0.0F);
  std::copy(labels.begin(), labels.end(), labels_.begin());
  for (std::size_t i = 0; i < s_.n; ++i) {
    add_scaled(&table_[labels_[i] * s_.n], 1.0F, s_.row(i), s_.n);
  }
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
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    list_movers();
    if (movers_.empty()) {
      break;
    }
    for (std::size_t i = movers_.size(); i > 0; --i) {
      std::swap(movers_[i - 1], movers_[rng.below(static_cast<std::uint32_t>(i))]);
      move_to_best(movers_[i - 1]);
    }
  }
}

// All at once first: most stay where they are.
void SmallDescent::list_movers() {
  std::copy_n(table_.begin(), s_.n, best_.begin());
  for (std::size_t k = 1; k < slots_; ++k) {
    const float* row = &table_[k * s_.n];
    for (std::size_t i = 0; i < s_.n; ++i) {
      best_[i] = std::max(best_[i], row[i]);
    }
  }
  movers_.clear();
  for (std::size_t i = 0; i < s_.n; ++i) {
    if (best_[i] > table_[labels_[i] * s_.n + i] + tolerance_) {
      movers_.push_back(static_cast<ObjectId>(i));
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
void SmallDescent::keep_lowest(int times, const Change& change, Rng& rng, StopCheck& stop) {
  std::vector<ClusterId> labels = labels_;
  std::vector<float> table = table_;
  double lowest = cost();
  for (int time = 0; time < times && !stop.should_stop(); ++time) {
    change();
    run(rng);
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

void SmallDescent::restart(int times, Rng& rng, StopCheck& stop) {
  keep_lowest(times, [&] { begin_at_random(rng); }, rng, stop);
}

void SmallDescent::begin_at_random(Rng& rng) {
  std::vector<ClusterId> random(s_.n);
  for (ClusterId& label : random) {
    label = rng.below(static_cast<std::uint32_t>(slots_));
  }
  begin(random);
}

void SmallDescent::improve(int trials, Rng& rng, StopCheck& stop) {
  if (slots_ > 1 && s_.n > 2) {
    keep_lowest(trials, [&] { change(rng); }, rng, stop);
  }
}

void SmallDescent::combine(std::size_t answers, std::size_t times, Rng& rng, StopCheck& stop) {
  if (slots_ < 2 || s_.n < 2 || answers < 2) {
    return;
  }
  struct Answer {
    double cost;
    std::vector<ClusterId> labels;
  };
  std::vector<Answer> pool{{cost(), labels_}};
  while (pool.size() < answers && !stop.should_stop()) {
    begin_at_random(rng);
    run(rng);
    pool.push_back({cost(), labels_});
  }
  const auto count = static_cast<std::uint32_t>(pool.size());
  for (std::size_t time = 0; time < times && count > 1 && !stop.should_stop(); ++time) {
    const std::uint32_t a = rng.below(count);
    const std::uint32_t b = (a + 1 + rng.below(count - 1)) % count;
    Answers some{pool[a].labels, pool[b].labels};
    for (std::size_t cells = slots_ * slots_; cells * slots_ <= kMostPieces; cells *= slots_) {
      some.emplace_back(pool[rng.below(count)].labels);
    }
    search_between(some, rng, stop);
    const double now = cost();
    Answer& higher = pool[a].cost > pool[b].cost ? pool[a] : pool[b];
    const bool is_known = std::any_of(pool.begin(), pool.end(), [&](const Answer& answer) {
      return std::abs(answer.cost - now) <= static_cast<double>(tolerance_);
    });
    if (!is_known && now < higher.cost) {
      higher = {now, labels_};
    }
  }
  begin(std::min_element(pool.begin(), pool.end(), [](const Answer& x, const Answer& y) {
          return x.cost < y.cost;
        })->labels);
}

// What the answers agree on stays together at first.
void SmallDescent::search_between(const Answers& answers, Rng& rng, StopCheck& stop) {
  std::vector<ClusterId> groups(answers.front().begin(), answers.front().end());
  std::vector<ClusterId> number;
  std::vector<ClusterId> start;
  std::size_t count = slots_;
  for (std::size_t p = 1; p < answers.size(); ++p) {
    number.assign(count * slots_, kNoCluster);
    start.clear();
    count = 0;
    for (std::size_t i = 0; i < s_.n; ++i) {
      ClusterId& group = number[groups[i] * slots_ + answers[p][i]];
      if (group == kNoCluster) {
        group = static_cast<ClusterId>(count++);
        start.push_back(answers.front()[i]);
      }
      groups[i] = group;
    }
  }
  const std::vector<float> sums = group_sums(s_, groups, count);
  const SmallMatrix between = between_groups(s_, sums, groups, count);
  SmallDescent coarse(between, slots_, static_cast<double>(tolerance_));
  coarse.begin(start);
  coarse.run(rng);
  coarse.restart(kPieceRestarts, rng, stop);
  begin(groups, coarse.labels(), sums);
  run(rng);
}

void SmallDescent::change(Rng& rng) {
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

// What is nearer to one member than to another, the nearest of some drawn: with many draws a small
// part.
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

// Some member, found by a few draws or the first after one; the cluster has one.
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
