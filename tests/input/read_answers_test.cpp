// Files of answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/message_of.hpp"
#include "input/temp_file.hpp"
#include "shiftcut/read.hpp"
#include "shiftcut/report.hpp"

namespace shiftcut {

bool operator==(const Answer& a, const Answer& b) {
  return a.a == b.a && a.b == b.b && a.says == b.says;
}

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Says = Answer::Says;

Input three_rows() {
  Input input;
  input.values = DenseArray::own(std::vector<double>{0, 1, 2}, 3, 1);
  return input;
}

std::vector<Answer> answers_in(const std::string& bytes, const Input& input) {
  const TempFile file(".csv", bytes);
  return answers_from(read_answers(file.path()), input);
}

std::string refusal(const std::string& bytes) {
  return message_of([&] { answers_in(bytes, three_rows()); });
}

TEST(ReadAnswers, a_line_is_two_objects_and_what_was_said_of_them) {
  EXPECT_THAT(answers_in("a,b,answer\n0,1,same\n2,1,different\n0,2,unsure\n", three_rows()),
              ElementsAre(Answer{0, 1, Says::same}, Answer{2, 1, Says::different},
                          Answer{0, 2, Says::unsure}));
}

TEST(ReadAnswers, the_header_may_be_missing_and_the_answers_too) {
  EXPECT_THAT(answers_in("0,1,same\n", three_rows()), ElementsAre(Answer{0, 1, Says::same}));
  EXPECT_THAT(answers_in("a,b,answer\n", three_rows()), IsEmpty());
  EXPECT_THAT(answers_in("", three_rows()), IsEmpty());
}

TEST(ReadAnswers, a_pair_may_come_again_unless_it_is_contradicted) {
  EXPECT_THAT(answers_in("0,1,unsure\n0,1,same\n1,0,same\n1,0,unsure\n", three_rows()),
              ElementsAre(Answer{0, 1, Says::unsure}, Answer{0, 1, Says::same},
                          Answer{1, 0, Says::same}, Answer{1, 0, Says::unsure}));
}

TEST(ReadAnswers, what_is_written_is_read_whatever_the_ids) {
  Input input = three_rows();
  input.ids = {"a,b", "say \"x\"", "two\nlines"};
  const std::vector<Answer> answers = {{0, 1, Says::unsure}, {2, 0, Says::same}};
  EXPECT_EQ(answers_in(answers_csv(answers, input), input), answers);
}

TEST(ReadAnswers, bad_lines_are_named) {
  EXPECT_THAT(refusal("0,1,same\n\n1,2,perhaps\n"),
              HasSubstr("line 3: found the answer 'perhaps'; allowed: same, different or unsure"));
  EXPECT_THAT(refusal("0,1\n"), HasSubstr("line 1: found 2 cells; allowed: two ids and an answer"));
  EXPECT_THAT(refusal(",1,same\n"), HasSubstr("line 1: found 3 cells with an empty id"));
  EXPECT_THAT(refusal("0,7,same\n"), HasSubstr("line 1: found '7'; allowed: a row number from 0"));
  EXPECT_THAT(refusal("0,\"x\ny\",same\n"), HasSubstr("found 'x\\x0ay'; allowed: a row number"));
  EXPECT_THAT(refusal("1,1,same\n"), HasSubstr("line 1: found '1' with itself"));
  EXPECT_THAT(refusal("0,1,same\n1,0,different\n"),
              HasSubstr("line 2: found '1' and '0' again, which line 1 answers differently"));
  EXPECT_THAT(refusal("a,b,answer\na,b,answer\n"), HasSubstr("line 2: found the answer 'answer'"));
}

TEST(ReadAnswers, answers_are_links_unless_unsure) {
  const TempFile file(".csv", "0,1,same\n1,2,different\n0,2,unsure\n");
  const TempFile opposite(".txt", "1 0\n");
  const AnswerFile answers = read_answers(file.path());
  const PairFile pairs = read_pairs(opposite.path(), three_rows());
  const LinkOptions links = links_from(pairs, {}, three_rows(), answers);
  EXPECT_EQ(links.must_link.size(), 1U);
  EXPECT_EQ(links.cannot_link.size(), 1U);
  EXPECT_EQ(links.cannot_link[0].weight, ObjectPair::kCertain);
  EXPECT_THAT(message_of([&] { links_from({}, pairs, three_rows(), answers); }),
              HasSubstr("line 1: found '0' and '1' again, which line 1 of " + opposite.path() +
                        " lists as the opposite"));
}

}  // namespace
}  // namespace shiftcut
