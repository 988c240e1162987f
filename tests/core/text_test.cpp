#include "core/text.hpp"

#include <gtest/gtest.h>

namespace shiftcut {
namespace {

using namespace std::string_literals;

TEST(quoted, puts_ordinary_text_in_single_quotes) {
  EXPECT_EQ(quoted("abc"), "'abc'");
  EXPECT_EQ(quoted(""), "''");
  EXPECT_EQ(quoted("Zürich"), "'Zürich'");
}

TEST(quoted, shows_control_bytes_as_numbers) {
  EXPECT_EQ(quoted("a\nb"), "'a\\x0ab'");
  EXPECT_EQ(shiftcut::quoted("\0\x1b[31m\x7f"s), "'\\x00\\x1b[31m\\x7f'");
  for (int byte = 0; byte < 256; ++byte) {
    for (const char c : shiftcut::quoted(std::string(1, static_cast<char>(byte)))) {
      const auto shown = static_cast<unsigned char>(c);
      EXPECT_TRUE(shown >= 0x20 && shown != 0x7f) << byte;
    }
  }
}

TEST(quoted, shows_c1_controls_as_numbers_and_replaces_what_is_no_text) {
  EXPECT_EQ(quoted("a\xC2\x9B"
                   "31mb"),
            "'a\\x9b31mb'");  // U+009B, which some terminals obey as ESC [
  EXPECT_EQ(quoted("\xC2\x85"), "'\\x85'");
  EXPECT_EQ(quoted("\xFF\xC3("), "'\xEF\xBF\xBD\xEF\xBF\xBD('");
  EXPECT_EQ(quoted("\xE2\x80\xAE"
                   "abc"),
            "'\xEF\xBF\xBD"
            "abc'");  // U+202E turns the direction of writing
}

TEST(quoted, never_cuts_a_letter_in_two) {
  EXPECT_EQ(quoted("abü", 3), "'ab...'");
  EXPECT_EQ(quoted("abü", 4), "'abü'");
}

TEST(quoted, cuts_what_is_too_long) {
  EXPECT_EQ(quoted("12345", 5), "'12345'");
  EXPECT_EQ(quoted("123456", 5), "'12345...'");
  EXPECT_EQ(shiftcut::quoted(std::string(40, 'x')), "'" + std::string(40, 'x') + "'");
  EXPECT_EQ(shiftcut::quoted(std::string(1000000, 'x')), "'" + std::string(40, 'x') + "...'");
}

}  // namespace
}  // namespace shiftcut
