#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "shiftcut/explain.hpp"
#include "shiftcut/report.hpp"

namespace shiftcut {
namespace {

using testing::HasSubstr;
using testing::Not;

Explanation of_object_three() {
  Explanation e;
  e.object = 3;
  e.own = {0, 4, 2.5, {{1, 0.5}, {2, 0.25}}};
  e.next = SeenCluster{1, 1, 1.5, {}};
  e.margin = 1.0;
  return e;
}

TEST(ExplanationText, says_where_it_is_where_it_could_go_and_to_whom_it_is_tied) {
  EXPECT_EQ(to_text(of_object_three(), Input{}),
            "object 3 is in cluster 0 (4 objects)\n"
            "its cluster: affinity 2.5\n"
            "the next best, cluster 1 (1 object): affinity 1.5, so moving it there would raise the "
            "cost by 2\n"
            "strongest ties in its cluster: 1 (0.5), 2 (0.25)\n"
            "it has no positive ties in cluster 1\n");
}

TEST(ExplanationText,
     an_object_that_stays_although_it_would_do_better_elsewhere_is_held_by_something) {
  Explanation e = of_object_three();
  e.margin = -0.5;
  EXPECT_THAT(to_text(e, Input{}), HasSubstr("would lower the cost by 1\n"));
  e.cannot_link = {7};
  EXPECT_THAT(to_text(e, Input{}),
              HasSubstr("lower the cost by 1, but pairs that are certain keep it there\n"));
  e.cannot_link.clear();
  e.must_link = {2};
  EXPECT_THAT(to_text(e, Input{}), HasSubstr("but pairs that are certain keep it there\n"));
  e.rival = 5;
  EXPECT_THAT(to_text(e, Input{}),
              HasSubstr("but 5 is there, and a cluster may hold only one of their group\n"));
  e.margin = 0;
  EXPECT_THAT(to_text(e, Input{}), HasSubstr("would raise the cost by 0\n"));
}

TEST(ExplanationText, nowhere_to_go_and_a_cluster_of_its_own) {
  Explanation e = of_object_three();
  e.next->cluster = -1;
  const std::string alone = to_text(e, Input{});
  EXPECT_THAT(alone, HasSubstr("a cluster of its own: affinity 1.5, so"));
  EXPECT_THAT(alone, Not(HasSubstr("ties in cluster")));
  e.next.reset();
  e.own.size = 1;
  const std::string last = to_text(e, Input{});
  EXPECT_THAT(last, HasSubstr("there is no other cluster it could go to\n"));
  EXPECT_THAT(last, Not(HasSubstr("ties")));
}

TEST(ExplanationText, pairs_are_named_and_those_beyond_the_most_counted) {
  Explanation e = of_object_three();
  for (std::size_t i = 0; i < 30; ++i) e.must_link.push_back(i + 10);
  e.cannot_link = {4};
  e.uncertain = {5, 6};
  const std::string text = to_text(e, Input{});
  EXPECT_THAT(text, HasSubstr("must be with: 10, 11, "));
  EXPECT_THAT(text, HasSubstr("cannot be with: 4\n"));
  EXPECT_THAT(text, HasSubstr("weighted pairs with: 5, 6\n"));
  const std::size_t at = text.find("must be with: ");
  const std::string line = text.substr(at, text.find('\n', at) - at);
  const auto named = static_cast<std::size_t>(std::ranges::count(line, ',')) + 1;
  EXPECT_THAT(line, testing::EndsWith(" and " + std::to_string(30 - named) + " more"));
}

// ---- Lines of a result ----

std::string of(const Result& result) { return to_text(result, Input{}); }

TEST(ResultText, only_uncertain_pairs_are_said_to_be_satisfied_in_part) {
  Result result;
  result.links = LinkSummary{};
  EXPECT_THAT(of(result), Not(HasSubstr("pairs:")));
  result.links->must_link = 2;
  EXPECT_THAT(of(result), HasSubstr("pairs: 2 together and 0 apart, all satisfied\n"));
  result.links->uncertain = 5;
  result.links->satisfied = 4;
  EXPECT_THAT(of(result), HasSubstr("all satisfied; 4 of 5 uncertain ones satisfied\n"));
  result.links = LinkSummary{};
  result.links->uncertain = 1;
  EXPECT_THAT(of(result), HasSubstr("pairs: 0 together and 0 apart"));
}

TEST(ResultText, restarts_that_reached_the_cost_are_counted_also_where_it_is_0) {
  Result result;
  result.cost = 0;
  result.restarts = {{"local-search", 0, 1, 1, 0}, {"local-search", 1, 1, 1, 0}};
  EXPECT_THAT(of(result), HasSubstr("cost 0, reached by 1 of 2 restarts\n"));
  result.restarts[1].method = "multilevel";
  EXPECT_THAT(of(result), HasSubstr("cost 0, the lowest of 2 attempts\n"));
  result.restarts.pop_back();
  EXPECT_THAT(of(result), HasSubstr("cost 0\n"));
}

}  // namespace
}  // namespace shiftcut
