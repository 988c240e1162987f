#include "core/json.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace shiftcut {
namespace {

TEST(Json, control_codes_of_a_terminal_are_escaped) {
  EXPECT_EQ(Json("\x1b[2J\x7f").dump(), R"("\u001b[2J\u007f")");
  EXPECT_EQ(Json("\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0").dump(), "\"\\u0080\\u009b\\u009f\xc2\xa0\"");
}

TEST(Json, values_are_written_as_the_grammar_says) {
  EXPECT_EQ(Json().dump(), "null");
  EXPECT_EQ(Json(true).dump(), "true");
  EXPECT_EQ(Json(-3).dump(), "-3");
  EXPECT_EQ(Json(std::numeric_limits<std::uint64_t>::max()).dump(), "18446744073709551615");
  EXPECT_EQ(Json(2.0).dump(), "2.0");
  EXPECT_EQ(Json(0.1).dump(), "0.1");
  EXPECT_EQ(Json(std::nan("")).dump(), "null");
  EXPECT_EQ(Json(-std::numeric_limits<double>::infinity()).dump(), "null");
  EXPECT_EQ(Json("a").dump(), "\"a\"");
  EXPECT_EQ(Json(std::vector<int>{1, 2}).dump(), "[1,2]");
  EXPECT_EQ(Json::array().dump(2), "[]");
}

TEST(Json, a_list_of_named_values_is_an_object_in_their_order) {
  const Json json = {{"b", 1}, {"a", Json::array()}, {"c", {{"d", Json()}}}};
  EXPECT_EQ(json.dump(), R"({"b":1,"a":[],"c":{"d":null}})");
  EXPECT_EQ(json.dump(2), "{\n  \"b\": 1,\n  \"a\": [],\n  \"c\": {\n    \"d\": null\n  }\n}");
}

TEST(Json, keys_are_made_where_they_are_missing_and_replaced_where_not) {
  Json json;
  json["x"].push_back(1);
  json["x"].push_back("two");
  json["y"] = 3;
  json["y"] = 4;
  EXPECT_EQ(json.dump(), R"({"x":[1,"two"],"y":4})");
}

TEST(Json, bytes_that_are_not_utf8_are_replaced_and_control_codes_spelt_out) {
  EXPECT_EQ(Json("\"\\\b\f\n\r\t\x01").dump(), R"("\"\\\b\f\n\r\t\u0001")");
  EXPECT_EQ(Json("a\xff"
                 "b")
                .dump(),
            "\"a\xEF\xBF\xBD"
            "b\"");
  EXPECT_EQ(Json("\u00e9\u2026").dump(), "\"\u00e9\u2026\"");
}

TEST(Json, any_text_and_any_double_come_back_from_a_parser) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (std::size_t n = random() % 12; n > 0; --n) {
      text += static_cast<char>(random() % 128);
    }
    double number = 0;
    while (!std::isnormal(number)) {
      number = std::bit_cast<double>(random());
    }
    const Json json = {{text, number}, {"list", {text, -number}}};
    const auto parsed = nlohmann::json::parse(json.dump(static_cast<std::size_t>(i % 3)));
    if (text != "list") {
      EXPECT_EQ(parsed.at(text).get<double>(), number);
    }
    EXPECT_EQ(parsed.at("list").size(), 2U);
    EXPECT_EQ(parsed.at("list").at(0).get<std::string>(), text);
    EXPECT_EQ(parsed.at("list").at(1).get<double>(), -number);
  }
}

}  // namespace
}  // namespace shiftcut
