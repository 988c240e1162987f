#include "constraints/conflicts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/rng.hpp"

namespace shiftcut {
namespace {

ConflictLists random_conflicts(std::size_t n, double share, Rng& rng) {
  ConflictLists lists(n);
  for (ObjectId a = 0; a < n; ++a) {
    for (ObjectId b = a + 1; b < n; ++b) {
      if (rng.uniform() < share) {
        lists[a].push_back(b);
        lists[b].push_back(a);
      }
    }
  }
  for (auto& list : lists) {
    std::sort(list.begin(), list.end());
  }
  return lists;
}

bool keeps_apart(const ConflictLists& lists, const std::vector<ClusterId>& colours) {
  for (ObjectId a = 0; a < lists.size(); ++a) {
    for (const ObjectId b : lists[a]) {
      if (colours[a] == colours[b]) {
        return false;
      }
    }
  }
  return true;
}

// By trying all.
bool can_be_coloured(const ConflictLists& lists, std::size_t most) {
  std::vector<ClusterId> colours(lists.size(), 0);
  while (!keeps_apart(lists, colours)) {
    std::size_t i = 0;
    while (i < colours.size() && colours[i] + 1 == most) {
      colours[i++] = 0;
    }
    if (i == colours.size()) {
      return false;
    }
    ++colours[i];
  }
  return true;
}

TEST(colouring, is_found_exactly_where_there_is_one) {
  Rng rng(1);
  int impossible = 0;
  for (int round = 0; round < 600; ++round) {
    const std::size_t n = 1 + rng.below(7);
    const std::size_t most = 1 + rng.below(4);
    const ConflictLists lists = random_conflicts(n, rng.uniform(), rng);
    const Colouring found = colour(lists, most);
    if (can_be_coloured(lists, most)) {
      ASSERT_EQ(found.verdict, Colouring::Verdict::found);
      EXPECT_TRUE(keeps_apart(lists, found.colours));
      for (const ClusterId k : found.colours) {
        EXPECT_LT(k, most);
      }
      continue;
    }
    ++impossible;
    ASSERT_EQ(found.verdict, Colouring::Verdict::impossible);
    EXPECT_TRUE(found.clique.empty() || found.clique.size() == most + 1);
    for (const ObjectId a : found.clique) {
      for (const ObjectId b : found.clique) {
        EXPECT_TRUE(a == b || std::ranges::binary_search(lists[a], b));
      }
    }
  }
  EXPECT_GT(impossible, 100);
}

TEST(colouring, of_an_odd_ring_takes_three_colours_without_a_clique_of_three) {
  ConflictLists ring(5);
  for (ObjectId i = 0; i < 5; ++i) {
    ring[i] = {(i + 1) % 5, (i + 4) % 5};
    std::sort(ring[i].begin(), ring[i].end());
  }
  const Colouring two = colour(ring, 2);
  EXPECT_EQ(two.verdict, Colouring::Verdict::impossible);
  EXPECT_TRUE(two.clique.empty());
  EXPECT_EQ(two.core.size(), 5U);
  EXPECT_EQ(colour(ring, 3).verdict, Colouring::Verdict::found);
}

// n objects in groups of which no two of one may be together: as records of one source.
TEST(colouring, of_many_groups_takes_no_going_back) {
  const std::size_t n = 3000;
  ConflictLists lists(n);
  for (ObjectId a = 0; a < n; ++a) {
    for (ObjectId b = a / 10 * 10; b < a / 10 * 10 + 10; ++b) {
      if (a != b) {
        lists[a].push_back(b);
      }
    }
  }
  const Colouring found = colour(lists, 10);
  ASSERT_EQ(found.verdict, Colouring::Verdict::found);
  EXPECT_TRUE(keeps_apart(lists, found.colours));
  EXPECT_EQ(colour(lists, 9).clique.size(), 10U);
}

}  // namespace
}  // namespace shiftcut
