#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "shiftcut/describe.hpp"

namespace shiftcut {
namespace {

// Two clusters of five objects, the second without exemplars, columns or a cluster next to it.
std::vector<ClusterDescription> two_described() {
  ColumnContrast share{0, "has_wings", ColumnContrast::Measure::share, 1.5, 0.75, 0.125, 6.0};
  ColumnContrast median{1, "length", ColumnContrast::Measure::median, -0.5, 2.0, 3.0, {}};
  ClusterDescription first{0, 4, {3, 1}, 0.875, 1, {share, median}};
  ClusterDescription second{1, 1, {}, 0.0, {}, {}};
  return {first, second};
}

Input named_input() {
  Input input;
  input.ids = {"ant", "bee", "cow", "do\x1bg", "eel"};
  return input;
}

TEST(DescribeReport, text_has_a_paragraph_for_each_cluster) {
  EXPECT_EQ(to_text(two_described(), Input{}),
            "cluster 0: 4 objects, cohesion 0.88, nearest cluster 1\n"
            "  exemplars: 3, 1\n"
            "  has_wings +1.50: share 0.75, elsewhere 0.125, lift 6\n"
            "  length -0.50: median 2, elsewhere 3\n"
            "cluster 1: 1 object, cohesion 0.00\n");
}

TEST(DescribeReport, clusters_and_objects_are_called_by_their_names_as_far_as_there_are_any) {
  const std::vector<std::string> both = {"birds", "others"};
  const std::string text = to_text(two_described(), named_input(), both);
  EXPECT_TRUE(
      text.starts_with("cluster birds: 4 objects, cohesion 0.88, nearest cluster others\n"
                       "  exemplars: do\\x1bg, bee\n"))
      << text;
  EXPECT_NE(text.find("cluster others: 1 object,"), std::string::npos) << text;
  const std::vector<std::string> one = {"birds"};
  EXPECT_NE(to_text(two_described(), Input{}, one).find("cluster 1: 1 object,"), std::string::npos);
}

TEST(DescribeReport, the_first_object_without_a_name_is_number_0) {
  const std::vector<ClusterDescription> one = {{0, 1, {0}, 1.0, {}, {}}};
  EXPECT_EQ(to_text(one, Input{}), "cluster 0: 1 object, cohesion 1.00\n  exemplars: 0\n");
}

TEST(DescribeReport, json_has_what_is_known_of_each_cluster) {
  const std::vector<std::string> one = {"birds"};
  const auto json = nlohmann::json::parse(to_json(two_described(), named_input(), one));
  const auto& first = json.at("clusters").at(0);
  EXPECT_EQ(first.at("cluster"), 0);
  EXPECT_EQ(first.at("label"), "birds");
  EXPECT_EQ(first.at("size"), 4);
  EXPECT_EQ(first.at("exemplars"), (std::vector<int>{3, 1}));
  EXPECT_EQ(first.at("exemplar_ids"), (std::vector<std::string>{"do\x1bg", "bee"}));
  EXPECT_EQ(first.at("cohesion"), 0.875);
  EXPECT_EQ(first.at("nearest"), 1);
  EXPECT_EQ(first.at("columns").at(0).at("lift"), 6.0);
  EXPECT_EQ(first.at("columns").at(1).at("measure"), "median");
  EXPECT_FALSE(first.at("columns").at(1).contains("lift"));
  const auto& second = json.at("clusters").at(1);
  EXPECT_FALSE(second.contains("label"));
  EXPECT_TRUE(second.at("nearest").is_null());
  EXPECT_TRUE(second.at("columns").empty());
  const auto plain = nlohmann::json::parse(to_json(two_described(), Input{}));
  EXPECT_FALSE(plain.at("clusters").at(0).contains("label"));
  EXPECT_FALSE(plain.at("clusters").at(0).contains("exemplar_ids"));
}

}  // namespace
}  // namespace shiftcut
