#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "report/wrap.hpp"
#include "shiftcut/report.hpp"

namespace shiftcut {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Result two_clusters() {
  Result result;
  result.objects = 4;
  result.clusters_asked = 3;
  result.clusters_found = 2;
  result.sizes = {3, 1};
  result.labels = {0, 0, 1, 0};
  result.cost = -64;
  result.restarts = {{"local-search", -64, 1, 1, 0},
                     {"local-search", -25, 1, 1, 0},
                     {"local-search", -64.00000000001, 1, 1, 0}};
  return result;
}

Input four_objects() {
  Input input;
  input.name = "four.csv";
  return input;
}

TEST(ToText, TellsObjectsClustersSizesAndCost) {
  const std::string text = to_text(two_clusters(), four_objects());
  EXPECT_THAT(text, HasSubstr("4 objects of four.csv in 2 clusters (at most 3 requested)"));
  EXPECT_THAT(text, HasSubstr("        0           3   75.0%  ####"));
  EXPECT_THAT(text, HasSubstr("        1           1   25.0%  ####"));
  EXPECT_THAT(text, HasSubstr("cost -64, reached by 2 of 3 restarts"));
  EXPECT_THAT(text, Not(HasSubstr("stopped early")));
  EXPECT_THAT(text, Not(HasSubstr("AMI")));
}

TEST(ToText, ShowsAtMostTwentyClusters) {
  Result result = two_clusters();
  result.clusters_asked.reset();
  result.objects = 500;
  result.clusters_found = 50;
  result.sizes.assign(50, 10);
  const std::string text = to_text(result, four_objects());
  EXPECT_THAT(text, HasSubstr("in 50 clusters (number chosen by the cost)"));
  EXPECT_THAT(text, HasSubstr("       19          10    2.0%"));
  EXPECT_THAT(text, HasSubstr("  ... and 30 more\n"));
  EXPECT_THAT(text, Not(HasSubstr("       20          10")));
}

TEST(ToText, PutsTheScoresInWordsWithTheNumberOfClasses) {
  Result result = two_clusters();
  Input input = four_objects();
  input.truth = {0, 0, 2, 1};
  result.scores = Scores{.ami = 0.8, .ami_max = 0.7, .ari = 0.6, .v_measure = 0.9};
  EXPECT_THAT(to_text(result, input), HasSubstr("against the 3 known classes: a close match\n"
                                                "  AMI 0.8000 (max 0.7000), ARI 0.6000"));
  result.scores->ami = -0.1;
  EXPECT_THAT(to_text(result, input), HasSubstr("no more alike than chance"));
}

TEST(ToText, WrapsEachWarning) {
  Result result = two_clusters();
  std::string sentence = "clusters stayed empty";
  for (int i = 0; i < 40; ++i) sentence += " and so on";
  result.warnings = {{"a", "", sentence, {}}, {"b", "", "short", {}}};
  int warnings = 0;
  for (const std::string& line : lines_of(to_text(result, four_objects()))) {
    EXPECT_LE(line.size(), 100U) << line;
    if (line.starts_with("warning: ")) ++warnings;
  }
  EXPECT_EQ(warnings, 2);
}

TEST(ToText, SaysWhyItStoppedEarly) {
  Result result = two_clusters();
  result.stop_reason = StopReason::max_seconds;
  EXPECT_THAT(to_text(result, four_objects()), HasSubstr("stopped early: time limit reached"));
  result.stop_reason = StopReason::interrupted;
  EXPECT_THAT(to_text(result, four_objects()), HasSubstr("stopped early: interrupted"));
}

TEST(ToText, NothingIsDescribedAsNothing) {
  const std::string text = to_text(Result{}, Input{});
  EXPECT_THAT(text, HasSubstr("0 objects of input in 0 clusters"));
}

TEST(Wrapped, KeepsLinesWithinTheWidthAndLongWordsWhole) {
  EXPECT_EQ(wrapped("", "one two three", 7), "one two\n  three\n");
  EXPECT_EQ(wrapped("note: ", "a", 7), "note: a\n");
  EXPECT_EQ(wrapped("", "abcdefghij k", 4), "abcdefghij\n  k\n");
  EXPECT_EQ(wrapped("warning: ", "", 7), "warning: \n");
}

TEST(Wrapped, CountsCharactersNotBytesAndDropsControlBytes) {
  EXPECT_EQ(wrapped("", "\xc3\xa4\xc3\xa4 \xc3\xb6\xc3\xb6", 5),
            "\xc3\xa4\xc3\xa4 \xc3\xb6\xc3\xb6\n");
  EXPECT_EQ(wrapped("", "a\n\x1b[2Jb\xff", 80), "a [2Jb\xff\n");
}

}  // namespace
}  // namespace shiftcut
