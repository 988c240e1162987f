// The parts of a result that only some runs have, as JSON and in words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/rng.hpp"
#include "report/wrap.hpp"
#include "shiftcut/explain.hpp"
#include "shiftcut/levels.hpp"
#include "shiftcut/report.hpp"
#include "shiftcut/strength.hpp"

namespace shiftcut {
namespace {

using testing::HasSubstr;
using testing::Not;
using PartsJson = nlohmann::json;

PartsJson json_of(const Result& result, const Input& input = {}) {
  return PartsJson::parse(to_json(result, input));
}

TEST(ResultParts, a_bound_that_was_not_given_is_null) {
  Result result;
  EXPECT_FALSE(json_of(result).contains("size_bounds"));
  result.size_bounds = SizeSummary{3, 0, -7.5, 2};
  EXPECT_EQ(json_of(result)["size_bounds"],
            PartsJson::parse(R"({"min": 3, "max": null, "unbounded_cost": -7.5, "moved": 2})"));
  result.size_bounds = SizeSummary{0, 9, 0, 0};
  EXPECT_TRUE(json_of(result)["size_bounds"]["min"].is_null());
  EXPECT_EQ(json_of(result)["size_bounds"]["max"], 9);
}

TEST(ResultParts, ids_are_listed_for_graphs_that_have_some) {
  Result result;
  result.labels = {0, 0};
  Input input;
  input.ids = {"a\"", "b"};
  EXPECT_FALSE(json_of(result, input).contains("ids"));  // labels.csv has those of a table
  input.shape = Shape::graph;
  EXPECT_EQ(json_of(result, input)["ids"], PartsJson::parse(R"(["a\"", "b"])"));
  input.ids.clear();
  EXPECT_FALSE(json_of(result, input).contains("ids"));
}

TEST(ResultParts, how_the_shift_was_chosen_is_told_as_far_as_it_was) {
  Result result;
  result.shift_kind = "adaptive";
  result.shift_strength = 0.5;
  EXPECT_EQ(json_of(result)["shift"], PartsJson({{"kind", "adaptive"}, {"strength", 0.5}}));
  result.shift_path = {{4, 3, {5, 2, 1}, -1.5, 0.25, 0.75}, {0.25, 1, {8}, -2, 1, 0.5}};
  result.judged_numbers = {{3, 6.5, 0.5}};
  result.dimension = 2.5;
  result.linkage = LinkageSummary{-1, 0.25, 4};
  const PartsJson shift = json_of(result)["shift"];
  ASSERT_EQ(shift["path"].size(), 2U);
  EXPECT_EQ(shift["path"][0], PartsJson::parse(R"({"strength": 4.0, "clusters": 3, "cost": -1.5,
      "sizes": [5, 2, 1], "criterion": 0.25, "agreement": 0.75})"));
  EXPECT_EQ(shift["judged"], PartsJson::parse(R"([{"clusters": 3, "length": 6.5, "score": 0.5}])"));
  EXPECT_EQ(shift["dimension"], 2.5);
  EXPECT_EQ(shift["base_rate"], 0.25);
  EXPECT_EQ(shift["raised"], 4);
  EXPECT_THAT(to_text(result, Input{}),
              HasSubstr("shift strength 0.5, chosen from 2 between 0.25 and 4\n"));
}

TEST(ResultParts, linked_pairs_and_learned_weights_are_told) {
  Result result;
  result.links = LinkSummary{2, 3, 4, 1, -0.5, 5, 6};
  result.learned = LearnedWeights{{0.5, 2, 0.5}, {0.2, 0.5, 0.1}, 0.75};
  const PartsJson json = json_of(result);
  EXPECT_EQ(json["links"], PartsJson::parse(R"({"must_link": 2, "cannot_link": 3, "uncertain": 4,
      "kept": 1, "cost": -0.5, "groups": 5, "in_groups": 6})"));
  EXPECT_EQ(json["learned"]["weights"], PartsJson::parse("[0.5, 2, 0.5]"));
  EXPECT_EQ(json["learned"]["spread"], PartsJson::parse("[0.2, 0.5, 0.1]"));
  EXPECT_EQ(json["learned"]["gain"], 0.75);
  Input input;
  input.column_names = {"x", "y"};
  const std::string text = to_text(result, input);
  EXPECT_THAT(text, HasSubstr("learned: most weight on y (2 +- 0.5), x (0.5 +- 0.2), "
                              "feature 3 (0.5 +- 0.1)\n"));
  EXPECT_THAT(text,
              HasSubstr("at most one per group in each cluster: 6 objects in 5 groups, all sat"));
  result.learned->gain = 0;
  EXPECT_THAT(to_text(result, input), HasSubstr("learned: all features count equally\n"));
}

TEST(ResultParts, agreement_and_contested_objects_are_told) {
  Result result;
  result.agreement = Agreement{9, 7, 0.5, "tree", {0.75, 0.25}, {4}, 1};
  const PartsJson json = json_of(result)["agreement"];
  EXPECT_EQ(json["voters"], 9);
  EXPECT_EQ(json["agreeing"], 7);
  EXPECT_EQ(json["source"], "tree");
  EXPECT_EQ(json["contested"], PartsJson::parse("[4]"));
  EXPECT_THAT(to_text(result, Input{}),
              HasSubstr("7 of 9 ways of looking at the data agree on these clusters; "
                        "1 object contested\n"));
  result.agreement->contested_count = 0;
  EXPECT_THAT(to_text(result, Input{}), Not(HasSubstr("contested")));
}

TEST(ResultParts, what_distances_are_of_is_told_where_it_was_chosen) {
  Result result;
  result.metric = "cosine";
  result.scale = "none";
  EXPECT_THAT(to_text(result, Input{}), Not(HasSubstr("columns as they are")));
  result.scale_reason = "they have one unit";
  EXPECT_THAT(to_text(result, Input{}),
              HasSubstr("\ncosine distances, columns as they are: they have one unit\n"));
  result.scale = "standard";
  for (const char* usual : {"", "euclidean"}) {
    result.metric = usual;
    EXPECT_THAT(to_text(result, Input{}),
                HasSubstr("\ncolumns standardised: they have one unit\n"));
  }
}

std::string unwrapped(std::string text) {
  for (std::size_t at = text.find("\n  "); at != std::string::npos; at = text.find("\n  ")) {
    text.replace(at, 3, " ");
  }
  return text;
}

TEST(ResultParts, what_was_assumed_of_records_is_told) {
  Result result;
  result.shift_strength = 2;
  result.linkage = LinkageSummary{-0.5, 0.25, 1};
  const std::string one = unwrapped(to_text(result, Input{}));
  EXPECT_THAT(one,
              HasSubstr("count as log-odds of -1; of the others 25% should match, and 1 pair"));
  EXPECT_THAT(one, HasSubstr("likely matches is judged at higher odds"));
  result.linkage->raised = 3;
  const std::string three = unwrapped(to_text(result, Input{}));
  EXPECT_THAT(three, HasSubstr("and 3 pairs at the ends of paths"));
  EXPECT_THAT(three, HasSubstr("likely matches are judged at higher odds"));
}

TEST(ResultParts, one_class_is_no_number_of_classes) {
  Result result;
  result.scores = Scores{};
  Input input;
  input.truth = {5, 5, 5};
  EXPECT_THAT(to_text(result, input), HasSubstr("against the one known class: no more alike"));
  input.truth = {5, 5, 4};
  EXPECT_THAT(to_text(result, input), HasSubstr("against the 2 known classes: "));
}

TEST(ResultParts, strengths_stand_beside_the_labels) {
  Result result;
  result.labels = {0, 1};
  const Strengths strengths{{0.25, 1}, {0.00001, 0.5}};
  const PartsJson json = PartsJson::parse(to_json(result, Input{}, plain_name, &strengths));
  EXPECT_EQ(json["strength"], PartsJson::parse("[0.25, 1]"));
  EXPECT_EQ(json["outlier_scores"], PartsJson::parse("[0, 0.5]"));
}

TEST(ResultParts, an_explanation_is_one_object) {
  Explanation e;
  e.object = 3;
  e.own = {0, 4, 2.5, {{1, 0.5}}};
  e.margin = -0.5;
  e.must_link = {1};
  const std::string text = to_json(e);
  EXPECT_THAT(text, testing::StartsWith("{\n  \""));
  const PartsJson json = PartsJson::parse(text);
  EXPECT_EQ(json["own"], PartsJson::parse(R"({"cluster": 0, "size": 4, "affinity": 2.5,
      "ties": [{"object": 1, "value": 0.5}]})"));
  EXPECT_TRUE(json["next"].is_null());
  EXPECT_TRUE(json["rival"].is_null());
  e.next = SeenCluster{-1, 0, 0, {}};
  e.rival = 9;
  EXPECT_EQ(PartsJson::parse(to_json(e))["next"]["cluster"], -1);
  EXPECT_EQ(PartsJson::parse(to_json(e))["rival"], 9);
}

// Numbers of clusters that last over less than a step of the scale may be passed over, others not.
TEST(LevelsCsv, no_number_of_clusters_that_lasts_is_passed_over) {
  for (const double lasts : {1.42, 1.7, 2.5}) {
    Levels levels;
    constexpr std::uint32_t kObjects = 12;
    double strength = 7.9;
    std::uint32_t last = 0;
    for (std::uint32_t v = 1; v < kObjects; ++v) {
      levels.merges.push_back({last, v, strength, v + 1});
      last = kObjects + v - 1;
      strength /= lasts;
    }
    Result result;
    result.labels.assign(kObjects, 0);
    result.clusters_found = 1;
    result.shift_strength = 1;
    const std::string csv = levels_csv(levels, result, Input{});
    const std::string header = csv.substr(0, csv.find('\n'));
    for (std::uint32_t number = 1; number <= kObjects; ++number) {
      EXPECT_THAT(header, HasSubstr("clusters=" + std::to_string(number) + " ")) << lasts;
    }
  }
}

TEST(Wrapped, lines_hold_as_many_words_as_fit) {
  Rng rng(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t width = 12 + rng.below(20);
    std::vector<std::string> words;
    std::string text;
    for (std::uint32_t i = 0; i < 1 + rng.below(30); ++i) {
      words.emplace_back(1 + rng.below(9), static_cast<char>('a' + rng.below(26)));
      text += (i == 0 ? "" : " ") + words.back();
    }
    const std::string out = wrapped("- ", text, width);
    std::size_t begin = 0;
    std::size_t next = 0;  // word
    while (begin < out.size()) {
      const std::size_t end = out.find('\n', begin);
      const std::string line = out.substr(begin, end - begin);
      EXPECT_LE(line.size(), width) << out;
      std::string expected = begin == 0 ? "- " : "  ";
      bool is_first = true;
      for (; next < words.size(); ++next) {
        const std::string more = (is_first ? "" : " ") + words[next];
        if (expected.size() + more.size() > width && !is_first) {
          break;
        }
        expected += more;
        is_first = false;
      }
      EXPECT_EQ(line, expected) << out;
      begin = end + 1;
    }
    EXPECT_EQ(next, words.size());
  }
}

}  // namespace
}  // namespace shiftcut
