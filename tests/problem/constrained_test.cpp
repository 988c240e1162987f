// A problem of linked objects is the problem of the objects, with what is known of pairs.
#include "problem/constrained.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/plain.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace testing_support;

LinkOptions random_links(std::uint32_t n, bool with_cannot, Rng& rng) {
  LinkOptions given;
  const auto pair = [&] {
    const std::uint32_t a = rng.below(n);
    return ObjectPair{a, (a + 1 + rng.below(n - 1)) % n};
  };
  for (std::uint32_t e = 0; e < n / 3; ++e) {
    given.must_link.push_back(pair());
    given.cannot_link.push_back(pair());
    given.cannot_link.back().weight = 0.1 + rng.uniform();
    given.must_link.push_back(pair());
    given.must_link.back().weight = 0.1 + rng.uniform();
    if (with_cannot) {
      given.cannot_link.push_back(pair());
    }
  }
  return given;
}

std::optional<Constraints> links_if_feasible(const LinkOptions& given, std::size_t n) {
  try {
    return make_constraints(given, n, {}, [](ObjectId i) { return std::to_string(i); });
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

double evidence(const LinkOptions& given, const std::vector<ClusterId>& labels) {
  double sum = 0;
  const auto add = [&](const std::vector<ObjectPair>& pairs, double sign) {
    for (const ObjectPair& pair : pairs) {
      if (pair.weight != ObjectPair::kCertain && labels[pair.a] == labels[pair.b]) {
        sum += 2 * sign * pair.weight;
      }
    }
  };
  add(given.must_link, 1);
  add(given.cannot_link, -1);
  return sum;
}

TEST(linked, costs_what_the_objects_cost_less_the_evidence) {
  ThreadTeam team(2);
  Rng rng(3);
  for (int round = 0; round < 4; ++round) {
    const std::size_t n = 9 + rng.below(20);
    for (const NamedInput& data : one_of_each(n, 3, rng)) {
      for (const ShiftOptions& shift : with_degree(some_shifts(), data)) {
        const MadeProblem made = problem_of(data, shift, team);
        const LinkOptions given = random_links(static_cast<std::uint32_t>(n), false, rng);
        const std::optional<Constraints> constraints = links_if_feasible(given, n);
        ASSERT_TRUE(constraints);
        const Problem nodes = linked(made.problem, *constraints, team);
        ASSERT_EQ(size(nodes), constraints->nodes);
        const std::vector<ClusterId> labels = random_labels(constraints->nodes, 3, rng);
        std::vector<ClusterId> of_objects(n);
        for (ObjectId i = 0; i < n; ++i) {
          of_objects[i] = labels[constraints->node_of[i]];
        }
        const plain::Matrix s = plain::shifted_matrix(made.problem);
        const double expected = plain::cost(s, of_objects) - evidence(given, of_objects);
        const double scale = 1e-12 * static_cast<double>(n * n) * (plain::largest_entry(s) + 1);
        EXPECT_NEAR(cost(nodes, labels, team), expected, scale) << data.name;
        EXPECT_NEAR(plain::cost(plain::shifted_matrix(nodes), labels), expected, scale)
            << data.name;
      }
    }
  }
}

// Every partition of few objects, as labels below n.
std::vector<std::vector<ClusterId>> partitions(std::size_t n) {
  std::vector<std::vector<ClusterId>> all{{}};
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::vector<ClusterId>> longer;
    for (const auto& labels : all) {
      ClusterId next = 0;
      for (const ClusterId k : labels) {
        next = std::max(next, k + 1);
      }
      for (ClusterId k = 0; k <= next; ++k) {
        longer.push_back(labels);
        longer.back().push_back(k);
      }
    }
    all = std::move(longer);
  }
  return all;
}

bool holds(const LinkOptions& given, const std::vector<ClusterId>& labels) {
  const auto all = [&](const std::vector<ObjectPair>& pairs, bool together) {
    return std::ranges::all_of(pairs, [&](const ObjectPair& pair) {
      return pair.weight != ObjectPair::kCertain || (labels[pair.a] == labels[pair.b]) == together;
    });
  };
  return all(given.must_link, true) && all(given.cannot_link, false);
}

// The lowest cost of all that keep to the pairs is the lowest of the linked problem: contraction,
// and terms that nothing outweighs, are the constraints.
TEST(linked, has_the_optimum_of_those_that_keep_to_the_pairs) {
  ThreadTeam team(1);
  Rng rng(5);
  const std::size_t n = 7;
  const auto all = partitions(n);
  int tried = 0;
  for (int round = 0; round < 6; ++round) {
    for (const NamedInput& data : one_of_each(n, 2, rng)) {
      const ShiftOptions shift = some_shifts()[rng.below(6)];
      const MadeProblem made = problem_of(data, shift, team);
      const LinkOptions given = random_links(n, true, rng);
      const std::optional<Constraints> constraints = links_if_feasible(given, n);
      if (!constraints) {
        continue;
      }
      ++tried;
      const plain::Matrix s = plain::shifted_matrix(made.problem);
      double lowest = std::numeric_limits<double>::infinity();
      for (const auto& labels : all) {
        if (holds(given, labels)) {
          lowest = std::min(lowest, plain::cost(s, labels) - evidence(given, labels));
        }
      }
      const Problem nodes = linked(made.problem, *constraints, team);
      double of_nodes = std::numeric_limits<double>::infinity();
      for (const auto& labels : partitions(constraints->nodes)) {
        of_nodes = std::min(of_nodes, cost(nodes, labels, team));
      }
      EXPECT_NEAR(of_nodes, lowest, 1e-10 * (std::abs(lowest) + plain::largest_entry(s)))
          << data.name;
    }
  }
  EXPECT_GT(tried, 20);
}

}  // namespace
}  // namespace shiftcut
