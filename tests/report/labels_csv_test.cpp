#include <gtest/gtest.h>

#include <utility>

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

}  // namespace
}  // namespace shiftcut
