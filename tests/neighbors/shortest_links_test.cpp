#include "neighbors/trees/shortest_links.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "core/kernels/kernels.hpp"
#include "core/thread_team.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

// All pairs, one after another.
std::optional<Link> shortest_of_all(const FeatureRows& rows, std::span<const double> core,
                                    std::span<const ObjectId> component, const LinkQueries& of,
                                    std::size_t stride) {
  std::optional<Link> best;
  std::vector<double> pair(2 * rows.length());
  for (std::uint32_t s = 0; s < of.members.size(); ++s) {
    const ObjectId from = of.members[s];
    for (auto to = static_cast<ObjectId>(s % stride); to < rows.size();
         to += static_cast<ObjectId>(stride)) {
      if (component[to] == of.component) {
        continue;
      }
      rows.row(from, pair.data());
      rows.row(to, &pair[rows.length()]);
      const double d =
          std::sqrt(squared_distance(pair.data(), &pair[rows.length()], rows.length()));
      const Link link{std::max({d, core[from], core[to]}) + 1e-7 * d, s, from, to};
      if (!best || std::tie(link.length, link.rank, link.to) <
                       std::tie(best->length, best->rank, best->to)) {
        best = link;
      }
    }
  }
  return best;
}

TEST(shortest_links, are_the_same_however_many_rows_are_packed_at_once) {
  Rng rng(3);
  constexpr std::size_t kRows = 900;
  const std::vector<double> values = testing_support::grouped_rows(kRows, 4, 3, rng);
  const FeatureRows rows = FeatureRows::as_given(DenseArray::own(values, kRows, 4));
  std::vector<ObjectId> component(kRows);
  std::vector<double> core(kRows);
  std::vector<LinkQueries> queries(5);
  for (ObjectId i = 0; i < kRows; ++i) {
    component[i] = i % 5;
    core[i] = static_cast<double>(rng.below(10)) / 20;
    queries[i % 5].component = i % 5;
    if (i < 40) {
      queries[i % 5].members.push_back(i);
    }
  }
  ThreadTeam team(2);
  for (const std::size_t stride : {1U, 3U}) {
    for (const std::size_t together : {std::size_t{1}, std::size_t{1500}, std::size_t{1} << 24}) {
      const auto links = shortest_links(rows, core, component, queries, stride, team, together);
      for (std::size_t c = 0; c < queries.size(); ++c) {
        const auto expected = shortest_of_all(rows, core, component, queries[c], stride);
        ASSERT_EQ(links[c].has_value(), expected.has_value());
        EXPECT_EQ(links[c]->length, expected->length);
        EXPECT_EQ(links[c]->from, expected->from);
        EXPECT_EQ(links[c]->to, expected->to);
      }
    }
  }
}

}  // namespace
}  // namespace shiftcut
