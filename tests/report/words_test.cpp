// The words of the enums.
#include "shiftcut/words.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace shiftcut {
namespace {

template <class Enum>
void expect_round_trip(std::size_t values) {
  ASSERT_EQ(kWords<Enum>.size(), values);
  std::set<Enum> seen;
  for (const auto& [value, word] : kWords<Enum>) {
    EXPECT_EQ(word_of(value), word);
    EXPECT_EQ(from_word<Enum>(word), value);
    seen.insert(value);
  }
  EXPECT_EQ(seen.size(), values) << "each value once";
  EXPECT_EQ(from_word<Enum>(""), std::nullopt);
  EXPECT_EQ(from_word<Enum>("no such word"), std::nullopt);
}

TEST(Words, lead_to_their_values_and_back) {
  expect_round_trip<Similarity>(5);
  expect_round_trip<Metric>(10);
  expect_round_trip<Scale>(4);
  expect_round_trip<Distance>(2);
  expect_round_trip<Weights>(4);
  expect_round_trip<ShiftKind>(7);
  expect_round_trip<Method>(5);
  expect_round_trip<Format>(10);
  expect_round_trip<Shape>(4);
  expect_round_trip<ShapeChoice>(5);
  expect_round_trip<Strategy>(5);
  expect_round_trip<Answer::Says>(3);
  expect_round_trip<StopReason>(3);
}

TEST(Words, are_listed_as_a_sentence_lists_them) {
  EXPECT_EQ(list_words<Distance>(), "sqeuclidean or euclidean");
  EXPECT_EQ(list_words<Answer::Says>(), "same, different or unsure");
}

}  // namespace
}  // namespace shiftcut
