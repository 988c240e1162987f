#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "shiftcut/report.hpp"
#include "shiftcut/version.hpp"

namespace shiftcut {
namespace {

using Json = nlohmann::ordered_json;

Result small_result() {
  Result result;
  result.objects = 3;
  result.clusters_asked = 4;
  result.clusters_found = 2;
  result.sizes = {2, 1};
  result.labels = {0, 1, 0};
  result.cost = -64.1;
  result.restarts = {{"local-search", -64.1, 3, 7, 0.25}, {"local-search", -25, 2, 1, 0.125}};
  result.shift_kind = "adaptive";
  result.similarity = "linear";
  result.distance = "sqeuclidean";
  result.scale = "standard";
  result.seed = 18446744073709551615U;
  result.threads = 2;
  result.seconds = {.read = 0.1, .similarity = 0.2, .search = 0.3, .total = 0.6};
  return result;
}

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& item : object.items()) keys.push_back(item.key());
  return keys;
}

TEST(ToJson, HoldsEveryFieldInOrder) {
  Result result = small_result();
  result.scores = Scores{.ami = 0.5, .ami_max = 0.25, .ari = -0.5, .v_measure = 1};
  const Json json = Json::parse(to_json(result));
  EXPECT_THAT(keys_of(json),
              testing::ElementsAre("objects", "clusters_asked", "clusters_found", "sizes", "labels",
                                   "cost", "stop_reason", "restarts", "shift", "similarity",
                                   "distance", "scale", "seed", "threads", "seconds", "scores",
                                   "warnings", "warning_codes", "version"));
  EXPECT_EQ(json["clusters_asked"], 4);
  EXPECT_EQ(json["labels"], Json({0, 1, 0}));
  EXPECT_EQ(json["stop_reason"], "converged");
  EXPECT_THAT(keys_of(json["restarts"][0]),
              testing::ElementsAre("method", "cost", "sweeps", "moves", "seconds"));
  EXPECT_EQ(json["restarts"][1]["cost"], -25);
  EXPECT_EQ(json["shift"], Json({{"kind", "adaptive"}, {"strength", 1.0}}));
  EXPECT_EQ(json["seed"], 18446744073709551615U);
  EXPECT_EQ(json["seconds"]["search"], 0.3);
  EXPECT_THAT(keys_of(json["scores"]), testing::ElementsAre("ami", "ami_max", "ari", "v_measure",
                                                            "homogeneity", "completeness"));
  EXPECT_EQ(json["version"], kVersion);
}

TEST(ToJson, LeavesOutWhatDoesNotApply) {
  Result result = small_result();
  result.clusters_asked.reset();
  result.distance.clear();
  result.scale.clear();
  result.stop_reason = StopReason::interrupted;
  const Json json = Json::parse(to_json(result));
  EXPECT_EQ(json["clusters_asked"], "auto");
  EXPECT_EQ(json["stop_reason"], "interrupted");
  for (const char* key : {"distance", "scale", "scores"}) EXPECT_FALSE(json.contains(key)) << key;
  EXPECT_EQ(json["warnings"], Json::array());
  EXPECT_EQ(json["warning_codes"], Json::array());
}

TEST(ToJson, TellsTheConstantOfAConstantShift) {
  Result result = small_result();
  result.shift_kind = "constant";
  result.shift_constant = 0.25;
  EXPECT_EQ(Json::parse(to_json(result))["shift"]["value"], 0.25);
}

TEST(ToJson, NumbersComeBackAsTheyWere) {
  for (const double cost : {0.1, 1.0 / 3, -2.2250738585072014e-308, 1.7976931348623157e308,
                            std::nextafter(1.0, 2.0), -123456789.12345678}) {
    Result result = small_result();
    result.cost = cost;
    EXPECT_EQ(Json::parse(to_json(result))["cost"].get<double>(), cost);
  }
}

TEST(ToJson, AnEmptyResultIsAnObjectToo) {
  Result result;
  result.cost = std::numeric_limits<double>::quiet_NaN();
  const Json json = Json::parse(to_json(result));
  EXPECT_EQ(json["objects"], 0);
  EXPECT_EQ(json["labels"], Json::array());
  EXPECT_TRUE(json["cost"].is_null());
}

TEST(ToJson, BytesThatAreNoTextAreReplaced) {
  Result result = small_result();
  result.warnings = {{"a", "", "column '\xff\xfe' is \"constant\"\n", {}},
                     {"b", "", "na\xc3\xafve", {}}};
  const Json json = Json::parse(to_json(result));
  EXPECT_EQ(json["warnings"][1], "na\xc3\xafve");
  EXPECT_THAT(json["warnings"][0].get<std::string>(), testing::EndsWith("is \"constant\"\n"));
}

TEST(ToJson, LabelsStandOnOneLineAndTheTextEndsInANewline) {
  Result result = small_result();
  result.labels.assign(1000, 5);
  const std::string json = to_json(result);
  EXPECT_EQ(json.back(), '\n');
  EXPECT_LT(std::ranges::count(json, '\n'), 40);
  EXPECT_EQ(Json::parse(json)["labels"].size(), 1000U);
}

}  // namespace
}  // namespace shiftcut
