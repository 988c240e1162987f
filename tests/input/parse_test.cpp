// Text to numbers.
#include <charconv>
#include <cmath>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "input/bytes/parse.hpp"

namespace shiftcut {
namespace {

TEST(Number, what_is_written_shortest_reads_back_to_the_last_bit) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) {
      continue;
    }
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    double back = 0;
    ASSERT_EQ(parse_number({text, static_cast<std::size_t>(end - text)}, back), NumberKind::finite);
    EXPECT_EQ(back, value);
  }
}

TEST(Number, a_plus_sign_is_fine_but_no_second_sign) {
  double value = 0;
  EXPECT_EQ(parse_number("+1.5", value), NumberKind::finite);
  EXPECT_EQ(value, 1.5);
  EXPECT_EQ(parse_number("+-1.5", value), NumberKind::text);
  EXPECT_EQ(parse_number("++1", value), NumberKind::text);
  EXPECT_EQ(parse_number("+", value), NumberKind::text);
}

TEST(Number, too_small_is_zero_and_too_large_is_not_finite) {
  double value = 1;
  for (const char* small : {"1e-400", "-1e-400", "0.0000001e-330", "123456789e-999999999999999"}) {
    EXPECT_EQ(parse_number(small, value), NumberKind::finite) << small;
    EXPECT_EQ(value, 0) << small;
  }
  const std::string long_small = "0." + std::string(400, '0') + "1";
  EXPECT_EQ(parse_number(long_small, value), NumberKind::finite);
  EXPECT_EQ(parse_number("0e999999", value), NumberKind::finite);
  const std::string long_large = "1" + std::string(400, '0');
  for (const std::string& large :
       {std::string("1e999"), std::string("-1e309"), long_large, std::string("0.001e400"),
        std::string("1e99999999999999999999")}) {
    EXPECT_EQ(parse_number(large, value), NumberKind::not_finite) << large;
  }
  EXPECT_EQ(parse_number("5e-324", value), NumberKind::finite);
  EXPECT_GT(value, 0);
}

TEST(Number, nan_and_inf_are_not_finite_and_words_are_text) {
  double value = 0;
  for (const char* word : {"nan", "NaN", "-nan", "inf", "-INF", "infinity"}) {
    EXPECT_EQ(parse_number(word, value), NumberKind::not_finite) << word;
  }
  for (const char* word : {"", "abc", "1x", "1,5", "0x10", " 1", "1 ", "1e", ".", "-", "e5"}) {
    EXPECT_EQ(parse_number(word, value), NumberKind::text) << word;
  }
}

}  // namespace
}  // namespace shiftcut
