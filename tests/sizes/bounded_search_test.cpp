#include "sizes/bounded_search.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "shiftcut/message.hpp"
#include "sizes/packing.hpp"
#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

using Labels = std::vector<ClusterId>;

std::size_t number_of(const SizeBounds& bounds, std::size_t nodes) {
  std::size_t n = 0;
  for (ObjectId i = 0; i < nodes; ++i) {
    n += bounds.count(i);
  }
  return n;
}

// All labels that keep the bounds, clusters numbered in the order of their first objects.
void for_each_grouping(std::size_t n, const SizeBounds& bounds,
                       const std::function<void(const Labels&)>& visit) {
  Labels labels(n, 0);
  const std::function<void(std::size_t, ClusterId)> place = [&](std::size_t i, ClusterId used) {
    if (i == n) {
      std::vector<std::size_t> sizes = sizes_of(labels, bounds);
      const bool uses_all = bounds.may_be_empty() || used == bounds.clusters;
      if (uses_all && std::ranges::all_of(std::span(sizes).first(used), [&](std::size_t size) {
            return size >= bounds.least && size <= bounds.most;
          })) {
        visit(labels);
      }
      return;
    }
    for (ClusterId k = 0; k <= used && k < bounds.clusters.value_or(n); ++k) {
      labels[i] = k;
      place(i + 1, std::max(used, k + 1));
    }
  };
  place(0, 0);
}

double change_of(const plain::Matrix& s, Labels labels, const std::function<void(Labels&)>& edit) {
  const double before = plain::cost(s, labels);
  edit(labels);
  return plain::cost(s, labels) - before;
}

// No move that the bounds allow lowers the cost, and no swap between clusters where they keep some
// object from moving.
void expect_bounded_optimum(const plain::Matrix& s, const Labels& labels, const SizeBounds& bounds,
                            const std::string& name) {
  const double allowed = 1e-9 * scale_of(s);
  const std::size_t n = labels.size();
  const std::size_t slots = bounds.clusters.value_or(n + 1);
  std::vector<std::size_t> sizes = sizes_of(labels, bounds);
  sizes.resize(std::max(slots, sizes.size()), 0);
  const auto may_move = [&](ObjectId i, ClusterId to) {
    return bounds.allow(sizes[labels[i]] - bounds.count(i)) &&
           bounds.allow(sizes[to] + bounds.count(i));
  };
  for (ObjectId i = 0; i < n; ++i) {
    for (ClusterId k = 0; k < slots; ++k) {
      if (k != labels[i] && may_move(i, k)) {
        EXPECT_GE(change_of(s, labels, [&](Labels& l) { l[i] = k; }), -allowed) << name;
      }
    }
    for (ObjectId j = 0; j < n; ++j) {
      const ClusterId a = labels[i];
      const ClusterId b = labels[j];
      const auto is_kept_from = [&](ObjectId o) {
        return (labels[o] == a && !may_move(o, b)) || (labels[o] == b && !may_move(o, a));
      };
      bool is_blocked = false;
      for (ObjectId o = 0; o < n; ++o) {
        is_blocked = is_blocked || is_kept_from(o);
      }
      if (a < b && is_blocked && bounds.allow(sizes[a] - bounds.count(i) + bounds.count(j)) &&
          bounds.allow(sizes[b] - bounds.count(j) + bounds.count(i))) {
        EXPECT_GE(change_of(s, labels, [&](Labels& l) { std::swap(l[i], l[j]); }), -allowed)
            << name;
      }
    }
  }
}

Solution bounded(const Problem& problem, const SizeBounds& bounds, std::uint64_t seed,
                 ThreadTeam& team) {
  NoLimit limit;
  SearchOptions options = options_for(Method::automatic, bounds.clusters, seed);
  const Labels start = search(problem, options, {}, limit.with(team)).labels;
  return bounded_search(problem, bounds, start, {seed, 10}, limit.with(team));
}

SizeBounds random_bounds(std::size_t n, Rng& rng) {
  SizeBounds bounds;
  const auto up_to = [&](std::size_t most) {
    return rng.below(static_cast<std::uint32_t>(most) + 1);
  };
  if (rng.below(2) == 0) {
    bounds.clusters = 1 + up_to(std::min<std::size_t>(n, 5) - 1);
  }
  bounds.least = rng.below(3) == 0 ? 0 : up_to(n / 2);
  bounds.most =
      rng.below(3) == 0 ? SizeBounds::kNoLimit : std::max<std::size_t>({1, bounds.least, up_to(n)});
  return bounds;
}

TEST(bounded_search, ends_within_the_bounds_at_a_local_optimum_mostly_the_global_one) {
  ThreadTeam team(1);
  Rng rng(1);
  std::size_t runs = 0;
  std::size_t best = 0;
  for (int round = 0; round < 12; ++round) {
    const std::size_t n = 2 + rng.below(7);
    for (const NamedInput& data : one_of_each(n, 2, rng)) {
      const std::vector<ShiftOptions> shifts = with_degree(some_shifts(), data);
      const MadeProblem made =
          problem_of(data, shifts[rng.below(static_cast<std::uint32_t>(shifts.size()))], team);
      const plain::Matrix s = plain::shifted_matrix(made.problem);
      const std::size_t nodes = size(made.problem);
      for (int draw = 0; draw < 6; ++draw) {
        const SizeBounds bounds = random_bounds(nodes, rng);
        double lowest = std::numeric_limits<double>::infinity();
        for_each_grouping(nodes, bounds,
                          [&](const Labels& l) { lowest = std::min(lowest, plain::cost(s, l)); });
        if (!std::isfinite(lowest)) {
          EXPECT_THROW(require_possible(nodes, bounds, nullptr), InvalidArgument);
          continue;
        }
        require_possible(nodes, bounds, nullptr);
        const Solution found = bounded(made.problem, bounds, rng.next(), team);
        ASSERT_TRUE(within_bounds(found.labels, bounds)) << data.name;
        EXPECT_NEAR(found.cost, plain::cost(s, found.labels), 1e-6 * scale_of(s)) << data.name;
        expect_bounded_optimum(s, found.labels, bounds, data.name);
        ++runs;
        best += found.cost <= lowest + 1e-6 * scale_of(s) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(runs, 300U);
  EXPECT_GE(best, runs - runs / 50) << best << " of " << runs;  // 98%
}

// Larger problems, where random starts alone would not do, and bounds that leave no room.
TEST(bounded_search, ends_at_a_local_optimum_of_larger_problems) {
  ThreadTeam team(2);
  Rng rng(2);
  for (const NamedInput& data : one_of_each(60, 3, rng)) {
    const MadeProblem made = problem_of(data, {}, team);
    const plain::Matrix s = plain::shifted_matrix(made.problem);
    const std::size_t n = size(made.problem);
    for (const SizeBounds& bounds :
         {SizeBounds{n / 4, n / 4 + 1, 4, {}}, SizeBounds{0, n / 3 + 1, 3, {}},
          SizeBounds{5, 9, {}, {}}, SizeBounds{n / 3, SizeBounds::kNoLimit, {}, {}}}) {
      const Solution found = bounded(made.problem, bounds, 1, team);
      ASSERT_TRUE(within_bounds(found.labels, bounds)) << data.name;
      expect_bounded_optimum(s, found.labels, bounds, data.name);
    }
  }
}

TEST(bounded_search, is_the_same_on_any_number_of_threads) {
  Rng rng(3);
  for (const NamedInput& data : one_of_each(40, 3, rng)) {
    ThreadTeam one(1);
    ThreadTeam four(4);
    const MadeProblem made = problem_of(data, {}, one);
    const SizeBounds bounds{6, 12, 5, {}};
    const SizeBounds fitting = size(made.problem) == 40 ? bounds : SizeBounds{2, 39, 2, {}};
    EXPECT_EQ(bounded(made.problem, fitting, 4, one).labels,
              bounded(made.problem, fitting, 4, four).labels)
        << data.name;
  }
}

TEST(bounded_search, keeps_the_bounds_when_stopped_before_it_begins) {
  ThreadTeam team(1);
  Rng rng(4);
  Stopped stopped;
  for (const NamedInput& data : one_of_each(30, 3, rng)) {
    const MadeProblem made = problem_of(data, {}, team);
    const std::size_t n = size(made.problem);
    const SizeBounds bounds{n / 4, n / 3 + 2, {}, {}};
    const Solution found =
        bounded_search(made.problem, bounds, Labels(n, 0), {1, 3}, {rng, team, stopped.check});
    EXPECT_TRUE(within_bounds(found.labels, bounds)) << data.name;
  }
}

// Nodes of several objects and conflicts, against all groupings.
TEST(packing, finds_a_grouping_exactly_where_there_is_one) {
  Rng rng(5);
  std::size_t possible = 0;
  std::size_t impossible = 0;
  for (int round = 0; round < 400; ++round) {
    const std::size_t nodes = 1 + rng.below(7);
    SizeBounds bounds;
    for (std::size_t i = 0; i < nodes; ++i) {
      bounds.counts.push_back(1 + (rng.below(2) == 0 ? rng.below(4) : 0));
    }
    const SizeBounds drawn = random_bounds(number_of(bounds, nodes), rng);
    bounds.least = drawn.least;
    bounds.most = drawn.most;
    bounds.clusters = drawn.clusters;
    ConflictLists lists(nodes);
    for (ObjectId a = 0; a < nodes; ++a) {
      for (ObjectId b = a + 1; b < nodes; ++b) {
        if (rng.below(4) == 0) {
          lists[a].push_back(b);
          lists[b].push_back(a);
        }
      }
    }
    const Conflicts conflicts(lists, {});
    bool is_possible = false;
    for_each_grouping(nodes, bounds, [&](const Labels& labels) {
      is_possible = is_possible || conflicts.satisfied_by(labels);
    });
    const Packing packing = pack(nodes, bounds, &conflicts, {});
    EXPECT_EQ(packing.verdict == Packing::Verdict::found, is_possible) << "round " << round;
    EXPECT_NE(packing.verdict, Packing::Verdict::unknown);
    if (packing.verdict == Packing::Verdict::found) {
      EXPECT_TRUE(within_bounds(packing.labels, bounds) && conflicts.satisfied_by(packing.labels))
          << "round " << round;
    }
    (is_possible ? possible : impossible) += 1;
  }
  EXPECT_GT(possible, 100U);
  EXPECT_GT(impossible, 100U);
}

TEST(packing, keeps_labels_that_fit) {
  const SizeBounds bounds{2, 3, {}, {}};
  const Labels labels = {0, 0, 0, 1, 1, 2, 2};
  EXPECT_EQ(pack(7, bounds, nullptr, labels).labels, labels);
}

}  // namespace
}  // namespace shiftcut
