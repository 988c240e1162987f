#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "metrics/contingency.hpp"
#include "shiftcut/metrics.hpp"

namespace shiftcut {
namespace {

using ClassLabels = std::vector<std::int32_t>;

ClassLabels random_labels(std::size_t n, std::int32_t classes, std::mt19937& random) {
  std::uniform_int_distribution<std::int32_t> draw(0, classes - 1);
  ClassLabels labels(n);
  std::ranges::generate(labels, [&] { return draw(random); });
  return labels;
}

void expect_near(const Scores& found, const Scores& expected, double tolerance) {
  EXPECT_NEAR(found.ami, expected.ami, tolerance);
  EXPECT_NEAR(found.ami_max, expected.ami_max, tolerance);
  EXPECT_NEAR(found.ari, expected.ari, tolerance);
  EXPECT_NEAR(found.v_measure, expected.v_measure, tolerance);
  EXPECT_NEAR(found.homogeneity, expected.homogeneity, tolerance);
  EXPECT_NEAR(found.completeness, expected.completeness, tolerance);
}

ClassLabels parsed_labels(const std::string& text) {
  std::istringstream words(text);
  ClassLabels labels;
  for (std::int32_t label = 0; words >> label;) labels.push_back(label);
  return labels;
}

TEST(Score, SixObjectsGiveTheWorkedNumbers) {
  const ClassLabels u{0, 0, 0, 1, 1, 1};
  const ClassLabels v{0, 0, 1, 1, 2, 2};
  const Scores scores = score(u, v);
  EXPECT_NEAR(scores.ari, .2424242, 1e-7);
  EXPECT_NEAR(scores.v_measure, .5158037, 1e-7);
  EXPECT_NEAR(scores.ami, .2987925, 1e-7);
  EXPECT_NEAR(scores.ami_max, .2250423, 1e-7);
  EXPECT_NEAR(scores.homogeneity * std::log(2.0), .4620981, 1e-7);  // MI
  const Contingency table = contingency(u, v);
  EXPECT_NEAR(expected_mutual_information(table.row_sums, table.column_sums, 6), .2772589, 1e-7);
}

TEST(Score, ATwoByTwoTableGivesTheWorkedNumbers) {
  ClassLabels u;
  ClassLabels v;
  const auto add = [&](std::size_t count, std::int32_t row, std::int32_t column) {
    u.insert(u.end(), count, row);
    v.insert(v.end(), count, column);
  };
  add(201, 0, 0);
  add(67, 0, 1);
  add(166, 1, 0);
  add(334, 1, 1);
  const Scores scores = score(u, v);
  EXPECT_NEAR(scores.ami_max, .1178427, 1e-7);
  EXPECT_NEAR(scores.ami, .1218394, 1e-7);
  EXPECT_NEAR(scores.ari, .1534768, 1e-7);
  EXPECT_NEAR(scores.v_measure, .1226953, 1e-7);
}

TEST(Score, AConstantAgainstAllDistinctScoresZero) {
  const Scores scores = score(ClassLabels(5, 0), ClassLabels{0, 1, 2, 3, 4});
  EXPECT_EQ(scores.ami, 0);
  EXPECT_EQ(scores.ami_max, 0);
  EXPECT_EQ(scores.ari, 0);
  EXPECT_EQ(scores.v_measure, 0);
}

TEST(Score, EqualsScikitLearnOnTheFrozenTable) {
  std::ifstream file(SHIFTCUT_SOURCE_DIR "/tests/metrics/scikit_learn_scores.csv");
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  int cases = 0;
  for (; std::getline(file, line); ++cases) {
    std::istringstream row(line);
    std::vector<std::string> cells;
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    ASSERT_EQ(cells.size(), 9U) << line;
    SCOPED_TRACE(cells[0]);
    const Scores expected{.ami = std::stod(cells[3]),
                          .ami_max = std::stod(cells[4]),
                          .ari = std::stod(cells[5]),
                          .v_measure = std::stod(cells[6]),
                          .homogeneity = std::stod(cells[7]),
                          .completeness = std::stod(cells[8])};
    expect_near(score(parsed_labels(cells[1]), parsed_labels(cells[2])), expected, 1e-12);
  }
  EXPECT_GE(cases, 40);
}

TEST(Score, EqualsScikitLearnOnTwentyThousandObjects) {
  ClassLabels u(20000);
  ClassLabels v(20000);
  for (std::int64_t i = 0; i < 20000; ++i) {
    u[i] = static_cast<std::int32_t>((i * i * 7 + i) % 13);
    v[i] = i % 5 == 0 ? static_cast<std::int32_t>(i * i % 11) : u[i];
  }
  const Scores scores = score(u, v);
  EXPECT_NEAR(scores.ami, 0.67103071476775455, 1e-12);
  EXPECT_NEAR(scores.ami_max, 0.63333851616485892, 1e-12);
  EXPECT_NEAR(scores.ari, 0.68681580812252863, 1e-12);
  EXPECT_NEAR(scores.v_measure, 0.67124793139667682, 1e-12);
}

TEST(Score, DifferentLengthsAreRefused) {
  EXPECT_THROW(score(ClassLabels{0, 1}, ClassLabels{0}), std::invalid_argument);
}

TEST(Score, IsSymmetricAndIndependentOfNamesAndOrder) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    const std::size_t n = 2 + random() % 200;
    const ClassLabels u = random_labels(n, 1 + static_cast<std::int32_t>(random() % 20), random);
    const ClassLabels v = random_labels(n, 1 + static_cast<std::int32_t>(random() % 20), random);
    const Scores scores = score(u, v);

    const Scores swapped = score(v, u);
    EXPECT_NEAR(scores.ami, swapped.ami, 1e-12);
    EXPECT_NEAR(scores.ami_max, swapped.ami_max, 1e-12);
    EXPECT_NEAR(scores.ari, swapped.ari, 1e-12);
    EXPECT_NEAR(scores.homogeneity, swapped.completeness, 1e-12);

    std::vector<std::size_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = i;
    std::ranges::shuffle(order, random);
    ClassLabels renamed_u(n);
    ClassLabels renamed_v(n);
    for (std::size_t i = 0; i < n; ++i) {
      renamed_u[i] = 100'000'000 * (10 - u[order[i]]);  // far apart: counted by sorting
      renamed_v[i] = -v[order[i]];
    }
    expect_near(score(renamed_u, renamed_v), scores, 1e-12);
  }
}

TEST(Score, AdjustedMutualInformationIsAtMostTheVMeasure) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 3 + random() % 60;
    const ClassLabels u = random_labels(n, 1 + static_cast<std::int32_t>(random() % 12), random);
    const ClassLabels v = random_labels(n, 1 + static_cast<std::int32_t>(random() % 12), random);
    const Scores scores = score(u, v);
    EXPECT_LE(scores.ami, scores.v_measure + 1e-12);
    EXPECT_LE(scores.ami_max, scores.v_measure + 1e-12);
  }
}

TEST(Score, ExpectedMutualInformationIsTheMeanOverAllOrders) {
  const ClassLabels u{0, 0, 0, 1, 1, 2, 2};
  ClassLabels v{0, 0, 0, 0, 1, 1, 2};
  double sum = 0;
  int orders = 0;
  do {
    const Scores scores = score(u, v);
    sum += scores.homogeneity;
    ++orders;
  } while (std::ranges::next_permutation(v).found);
  const Contingency table = contingency(u, v);
  const double expected = expected_mutual_information(table.row_sums, table.column_sums, 7);
  const double entropy = -(3. / 7 * std::log(3. / 7) + 4. / 7 * std::log(2. / 7));
  EXPECT_NEAR(expected, sum / orders * entropy, 1e-12);
}

TEST(Score, AMillionObjectsInAHundredClassesEachTakeNoTime) {
  std::mt19937 random(3);
  const ClassLabels u = random_labels(1'000'000, 100, random);
  const ClassLabels v = random_labels(1'000'000, 100, random);
  const Scores scores = score(u, v);
  EXPECT_NEAR(scores.ami, 0, 1e-4);
  EXPECT_NEAR(scores.ari, 0, 1e-4);
  EXPECT_GT(scores.v_measure, 5e-4);  // not adjusted for chance
}

TEST(Score, PairCountsBeyondSixtyFourBitsDoNotOverflow) {
  // One class of almost all: 3e6 objects have 4.5e12 pairs, and products of pair counts 2e25.
  ClassLabels u(3'000'000, 0);
  ClassLabels v(3'000'000, 0);
  for (std::size_t i = 0; i < 1000; ++i) u[i] = 1;
  for (std::size_t i = 500; i < 1500; ++i) v[i] = 1;
  const Scores scores = score(u, v);
  EXPECT_NEAR(scores.ari, 0.49966655544435795, 1e-12);
}

}  // namespace
}  // namespace shiftcut
