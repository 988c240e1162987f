#include <gtest/gtest.h>

#include <utility>

#include "shiftcut/levels.hpp"
#include "shiftcut/report.hpp"

namespace shiftcut {
namespace {

Result labelled(std::vector<std::int32_t> labels) {
  Result result;
  result.labels = std::move(labels);
  return result;
}

TEST(LabelsCsv, NumbersObjectsWithoutIds) {
  EXPECT_EQ(labels_csv(labelled({1, 0}), Input{}), "id,label\n0,1\n1,0\n");
}

TEST(LabelsCsv, QuotesOnlyIdsThatNeedIt) {
  Input input;
  input.ids = {"plain", "a,b", "say \"x\"", "two\nlines", " edge", ""};
  EXPECT_EQ(labels_csv(labelled({0, 1, 2, 3, 4, 5}), input),
            "id,label\n"
            "plain,0\n"
            "\"a,b\",1\n"
            "\"say \"\"x\"\"\",2\n"
            "\"two\nlines\",3\n"
            "\" edge\",4\n"
            ",5\n");
}

TEST(LabelsCsv, KeepsBytesThatAreNoText) {
  Input input;
  input.ids = {"\xff\xfe"};
  EXPECT_EQ(labels_csv(labelled({7}), input), "id,label\n\xff\xfe,7\n");
}

TEST(LabelsCsv, OfNothingIsTheHeader) { EXPECT_EQ(labels_csv(Result{}, Input{}), "id,label\n"); }

TEST(LevelsCsv, NamesLevelsByTheirLastMergeSoThatStrengthsRise) {
  const Levels levels{{{0, 1, 4, 2}, {2, 3, 2, 2}, {4, 5, 0.5, 4}}};
  Result result = labelled({0, 0, 1, 1});
  result.clusters_found = 2;
  result.shift_strength = 1;  // between .5 and 2, where these are the clusters
  EXPECT_EQ(levels_csv(levels, result, Input{}),
            "id,clusters=1 strength=0.5,clusters=2 strength=2,clusters=3 strength=4,"
            "clusters=4 strength=4\n0,0,0,0,0\n1,0,0,0,1\n2,0,1,1,2\n3,0,1,2,3\n");
}

}  // namespace
}  // namespace shiftcut
