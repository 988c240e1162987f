// Tables beside the labels: levels, strengths, places and answers.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "shiftcut/layout.hpp"
#include "shiftcut/levels.hpp"
#include "shiftcut/report.hpp"
#include "shiftcut/strength.hpp"

namespace shiftcut {
namespace {

std::vector<std::vector<std::string>> cells_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

// Five objects: 0 and 1 first, then 2 and 3, then these four, then 4.
Levels five_merged(std::vector<double> strengths) {
  return {{{0, 1, strengths[0], 2},
           {2, 3, strengths[1], 2},
           {5, 6, strengths[2], 4},
           {4, 7, strengths[3], 5}}};
}

Result of_clusters(std::vector<std::int32_t> labels, std::size_t clusters, double strength) {
  Result result;
  result.labels = std::move(labels);
  result.clusters_found = clusters;
  result.shift_strength = strength;
  return result;
}

TEST(LevelsCsv, columns_are_two_clusters_those_of_the_result_and_those_at_strengths_between) {
  const Levels levels = five_merged({3.0, 1.5, 0.75, 0.01});
  const Result result = of_clusters({0, 0, 1, 1, 2}, 3, 1.0);
  const auto rows = cells_of(levels_csv(levels, result, Input{}));
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[0],
            (std::vector<std::string>{"id", "clusters=1 strength=0.01", "clusters=2 strength=0.75",
                                      "clusters=3 strength=1.5", "clusters=4 strength=3",
                                      "clusters=5 strength=3"}));
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(rows[i + 1][0], std::to_string(i));
    for (std::size_t k = 1; k <= 5; ++k) {
      const auto expected = k == 3 ? result.labels : labels_at(levels, k);
      EXPECT_EQ(rows[i + 1][k], std::to_string(expected[i])) << "object " << i << ", " << k;
    }
  }
}

TEST(LevelsCsv, a_level_is_taken_at_8_and_at_a_strength_where_two_become_one) {
  // At 8 all are apart, but for those that become one there.
  const Levels levels = five_merged({8.0, 8.0, 0.5, 0.5});
  const auto rows = cells_of(levels_csv(levels, of_clusters({0, 0, 1, 1, 2}, 3, 1.0), Input{}));
  EXPECT_EQ(rows[0],
            (std::vector<std::string>{"id", "clusters=1 strength=0.5", "clusters=2 strength=0.5",
                                      "clusters=3 strength=8"}));
  // The scale begins at eight times the result's strength where that is above 1.
  const Levels high = five_merged({15.9, 3.0, 2.5, 2.25});
  const auto above = cells_of(levels_csv(high, of_clusters({0, 0, 1, 1, 2}, 3, 2.0), Input{}));
  EXPECT_EQ(above[0][above[0].size() - 1], "clusters=5 strength=15.9");
  const auto below = cells_of(levels_csv(high, of_clusters({0, 0, 1, 1, 2}, 3, 0.5), Input{}));
  EXPECT_EQ(below[0][below[0].size() - 1], "clusters=4 strength=15.9");
}

TEST(LevelsCsv, a_single_object_is_one_level) {
  Levels none;
  const auto rows = cells_of(levels_csv(none, of_clusters({0}, 1, 1.0), Input{}));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"id", "clusters=1 strength=1"}));
  EXPECT_EQ(rows[1], (std::vector<std::string>{"0", "0"}));
}

TEST(StrengthCsv, has_a_line_for_each_object) {
  Input input;
  input.ids = {"a", "b,c"};
  const std::vector<std::int32_t> labels = {1, 0};
  const Strengths strengths{{0.25, 1}, {0.5, 0}};
  EXPECT_EQ(strength_csv(labels, strengths, input),
            "id,label,strength,outlier_score\na,1,0.2500,0.5000\n\"b,c\",0,1.0000,0.0000\n");
}

TEST(LayoutCsv, has_a_place_for_each_object) {
  EXPECT_EQ(layout_csv({{1.5, -2}, {0.123456789, 1e10}}, Input{}),
            "id,x,y\n0,1.5,-2\n1,0.1234568,1e+10\n");
}

TEST(AnswersCsv, has_a_line_for_each_answer) {
  Input input;
  input.ids = {"a", "b,c"};
  const std::vector<Answer> answers = {{0, 1, Answer::Says::same}, {1, 0, Answer::Says::unsure}};
  EXPECT_EQ(answers_csv(answers, input), "a,b,answer\na,\"b,c\",same\n\"b,c\",a,unsure\n");
}

}  // namespace
}  // namespace shiftcut
