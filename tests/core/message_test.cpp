// Messages under the names of a front end.
#include "core/message.hpp"

#include <gtest/gtest.h>

#include <string>

#include "shiftcut/message.hpp"

namespace shiftcut {
namespace {

std::string shout(std::string_view parameter, std::string_view value) {
  return "<" + std::string(parameter) + (value.empty() ? "" : ":") + std::string(value) + ">";
}

TEST(Message, shows_facts_and_parameters_by_the_names_of_a_front_end) {
  const Message said =
      message("out_of_range", "sigma",
              "{sigma}: found {} under {similarity=rbf}; allowed: above {}", -1.5, 0);
  EXPECT_EQ(render(said), "sigma: found -1.5 under similarity=rbf; allowed: above 0");
  EXPECT_EQ(render(said, shout), "<sigma>: found -1.5 under <similarity:rbf>; allowed: above 0");
}

TEST(Message, never_takes_a_fact_for_a_parameter_or_a_place) {
  const Message said = message("bad_input", "", "found {} in {}", "'{shift}'", "{}.csv");
  EXPECT_EQ(render(said, shout), "found '{shift}' in {}.csv");
  EXPECT_EQ(render(after("a{b}.csv", said), shout), "a{b}.csv: found '{shift}' in {}.csv");
}

TEST(Message, keeps_all_after_a_value_with_an_equals_sign) {
  EXPECT_EQ(render(message("", "", "{shift=constant=A}"), shout), "<shift:constant=A>");
}

TEST(Message, is_what_an_exception_says_under_plain_names) {
  try {
    refuse("out_of_range", "threads", "{threads}: found {}", -1);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "threads: found -1");
    EXPECT_EQ(render(error, shout), "<threads>: found -1");
    EXPECT_EQ(dynamic_cast<const Explained&>(error).message().code, "out_of_range");
  }
  EXPECT_EQ(render(std::runtime_error("as it is {}"), shout), "as it is {}");
}

}  // namespace
}  // namespace shiftcut
