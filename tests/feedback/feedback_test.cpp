// Answers hold in every grouping that follows them, and what is asked is worth asking.
#include "shiftcut/feedback.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "shiftcut/shiftcut.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::array kStrategies = {Strategy::random, Strategy::uncertainty, Strategy::maxmin,
                                    Strategy::maxexp, Strategy::entropy};

Answer said(std::uint32_t a, std::uint32_t b, bool same) {
  return {a, b, same ? Answer::Says::same : Answer::Says::different};
}

// Classes that overlap, so that there is something to ask about.
struct Classes {
  Input input;
  std::vector<std::uint32_t> of;

  [[nodiscard]] Answer answer(const Question& question) const {
    return said(question.a, question.b, of[question.a] == of[question.b]);
  }
};

Classes overlapping(std::uint32_t n, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> rows(n * 4);
  Classes classes;
  for (std::uint32_t i = 0; i < n; ++i) {
    classes.of.push_back(rng.below(4));
    for (std::size_t f = 0; f < 4; ++f) {
      rows[i * 4 + f] = normal(rng) + (f == classes.of[i] ? 3 : 0);
    }
  }
  classes.input = features(std::move(rows), n, 4);
  return classes;
}

Options options_for(std::size_t clusters) {
  Options options;
  options.search.clusters = clusters;
  options.search.restarts = 3;
  return options;
}

void expect_answers_hold(const Feedback& feedback) {
  for (const Answer& answer : feedback.answers()) {
    if (answer.says != Answer::Says::unsure) {
      EXPECT_EQ(feedback.labels()[answer.a] == feedback.labels()[answer.b],
                answer.says == Answer::Says::same);
    }
  }
}

TEST(feedback, begins_with_the_grouping_of_a_run) {
  const Classes data = overlapping(150, 1);
  const Feedback feedback(data.input, options_for(4));
  EXPECT_EQ(feedback.labels(), run(data.input, options_for(4)).labels);
  EXPECT_EQ(feedback.result().labels, feedback.labels());
}

TEST(feedback, answers_hold_and_end_nearer_to_the_truth_with_every_strategy) {
  for (const Strategy strategy : kStrategies) {
    const Classes data = overlapping(150, 2);
    std::vector<std::int32_t> truth(data.of.begin(), data.of.end());
    FeedbackOptions how;
    how.strategy = strategy;
    Feedback feedback(data.input, options_for(4), how);
    const double before = score(truth, feedback.labels()).ami;
    for (int round = 0; round < 15; ++round) {
      std::vector<Answer> answers;
      for (const Question& question : feedback.next_pairs(10)) {
        answers.push_back(data.answer(question));
      }
      feedback.answer(answers);
      expect_answers_hold(feedback);
    }
    EXPECT_GE(score(truth, feedback.labels()).ami, before) << static_cast<int>(strategy);
    EXPECT_EQ(feedback.result().links->must_link + feedback.result().links->cannot_link, 150U);
  }
}

TEST(feedback, asks_only_what_is_not_known_and_no_pair_twice) {
  for (const Strategy strategy : kStrategies) {
    const Classes data = overlapping(80, 3);
    FeedbackOptions how;
    how.strategy = strategy;
    Feedback feedback(data.input, options_for(4), how);
    std::set<std::pair<std::uint32_t, std::uint32_t>> asked;
    for (int round = 0; round < 12; ++round) {
      const std::vector<Question> questions = feedback.next_pairs(8);
      EXPECT_EQ(questions.size(), 8U);
      std::vector<Answer> answers;
      for (const Question& question : questions) {
        EXPECT_NE(question.a, question.b);
        EXPECT_TRUE(asked.insert(std::minmax(question.a, question.b)).second);
        EXPECT_GE(question.chance, 0);
        EXPECT_LE(question.chance, 1);
        Answer answer = data.answer(question);
        if (answers.size() == 3) {
          answer.says = Answer::Says::unsure;
        }
        answers.push_back(answer);
      }
      feedback.answer(answers);
    }
  }
}

TEST(feedback, comes_to_an_end_when_answers_settle_all_pairs) {
  const Classes data = overlapping(12, 4);
  for (const Strategy strategy : kStrategies) {
    FeedbackOptions how;
    how.strategy = strategy;
    Feedback feedback(data.input, options_for(4), how);
    int asked = 0;
    for (auto questions = feedback.next_pairs(1); !questions.empty();
         questions = feedback.next_pairs(1)) {
      feedback.answer(std::array{data.answer(questions[0])});
      ASSERT_LE(++asked, 66);
    }
    std::vector<std::int32_t> truth(data.of.begin(), data.of.end());
    EXPECT_NEAR(score(truth, feedback.labels()).ari, 1, 1e-12);
  }
}

TEST(feedback, tells_how_many_objects_changed_and_keeps_the_numbers_of_clusters) {
  const Classes data = overlapping(150, 5);
  Feedback feedback(data.input, options_for(4));
  for (int round = 0; round < 20; ++round) {
    const std::vector<std::int32_t> before = feedback.labels();
    const std::size_t changed =
        feedback.answer(std::array{data.answer(feedback.next_pairs(1).at(0))});
    std::size_t differ = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      differ += before[i] != feedback.labels()[i] ? 1 : 0;
    }
    EXPECT_EQ(changed, differ);
    EXPECT_NEAR(score(feedback.labels(), feedback.result().labels).ari, 1, 1e-12);
  }
}

TEST(feedback, undo_takes_the_last_answer_back) {
  const Classes data = overlapping(120, 6);
  Feedback feedback(data.input, options_for(4));
  std::vector<std::vector<std::int32_t>> groupings{feedback.labels()};
  for (int round = 0; round < 14; ++round) {
    feedback.answer(std::array{data.answer(feedback.next_pairs(1).at(0))});
    groupings.push_back(feedback.labels());
  }
  for (std::size_t back = 14; back > 0; --back) {
    feedback.undo();
    EXPECT_EQ(feedback.answers().size(), back - 1);
    EXPECT_NEAR(score(groupings[back - 1], feedback.labels()).ari, 1, 1e-12);
  }
  EXPECT_EQ(feedback.undo(), 0U);
}

TEST(feedback, undo_of_one_of_several_answers_groups_again) {
  const Classes data = overlapping(120, 7);
  Feedback feedback(data.input, options_for(4));
  std::vector<Answer> answers;
  for (const Question& question : feedback.next_pairs(6)) {
    answers.push_back(data.answer(question));
  }
  feedback.answer(answers);
  feedback.undo();
  EXPECT_EQ(feedback.answers().size(), 5U);
  expect_answers_hold(feedback);
}

TEST(feedback, refuses_answers_that_cannot_hold_and_takes_none_of_them_in) {
  const Classes data = overlapping(60, 8);
  Feedback feedback(data.input, options_for(4));
  feedback.answer(std::array{said(0, 1, true), said(1, 2, true)});
  const std::vector<std::int32_t> before = feedback.labels();
  EXPECT_THAT([&] { feedback.answer(std::array{said(5, 6, true), said(0, 2, false)}); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("0 and 1, 1 and 2")));
  EXPECT_THAT([&] { feedback.answer(std::array{said(3, 3, true)}); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("3 with itself")));
  EXPECT_THAT([&] { feedback.answer(std::array{said(3, 60, true)}); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("allowed: 0 to 59")));
  EXPECT_EQ(feedback.answers().size(), 2U);
  EXPECT_EQ(feedback.labels(), before);
}

TEST(feedback, is_the_same_on_any_number_of_threads) {
  const Classes data = overlapping(200, 9);
  std::vector<std::vector<std::int32_t>> labels;
  for (const int threads : {1, 2, 7}) {
    Options options = options_for(4);
    options.search.threads = threads;
    Feedback feedback(data.input, options);
    for (int round = 0; round < 8; ++round) {
      std::vector<Answer> answers;
      for (const Question& question : feedback.next_pairs(5)) {
        answers.push_back(data.answer(question));
      }
      feedback.answer(answers);
    }
    labels.push_back(feedback.labels());
  }
  EXPECT_EQ(labels[0], labels[1]);
  EXPECT_EQ(labels[0], labels[2]);
}

TEST(feedback, works_on_every_kind_of_data_with_clusters_given_or_free) {
  Rng rng(10);
  for (const NamedInput& data : one_of_each(40, 3, rng)) {
    for (const bool given : {true, false}) {
      Options options;
      options.similarity = data.similarity;
      options.search.restarts = 2;
      if (given) {
        options.search.clusters = 5;
      }
      for (const Strategy strategy : kStrategies) {
        FeedbackOptions how;
        how.strategy = strategy;
        Feedback feedback(data.input, options, how);
        for (int round = 0; round < 4; ++round) {
          std::vector<Answer> answers;
          for (const Question& question : feedback.next_pairs(3)) {
            answers.push_back(said(question.a, question.b, question.a % 4 == question.b % 4));
          }
          feedback.answer(answers);
          expect_answers_hold(feedback);
        }
        feedback.refit();
        expect_answers_hold(feedback);
      }
    }
  }
}

TEST(feedback, learns_which_features_count) {
  Rng rng(11);
  constexpr std::uint32_t n = 600;
  std::vector<double> rows(n * 12);
  Classes data;
  for (std::uint32_t i = 0; i < n; ++i) {  // the first feature alone tells
    data.of.push_back(rng.below(3));
    for (std::size_t f = 0; f < 12; ++f) {
      rows[i * 12 + f] = normal(rng) + (f == 0 ? 4.0 * data.of[i] : 0.0);
    }
  }
  data.input = features(std::move(rows), n, 12);
  std::vector<std::int32_t> truth(data.of.begin(), data.of.end());
  FeedbackOptions how;
  how.strategy = Strategy::random;
  Options options = options_for(3);
  options.similarity.scale = Scale::standard;  // else the first feature counts more from the start
  std::array<double, 2> ami{};
  for (const bool learn : {false, true}) {
    how.learn = learn;
    Feedback feedback(data.input, options, how);
    std::vector<Answer> answers;
    for (const Question& question : feedback.next_pairs(120)) {
      answers.push_back(data.answer(question));
    }
    feedback.answer(answers);
    ami[learn ? 1 : 0] = score(truth, feedback.labels()).ami;
    if (learn) {
      EXPECT_GT(feedback.result().learned->weights[0], 2);
    }
  }
  EXPECT_GT(ami[1], ami[0] + 0.2);
}

TEST(Feedback, several_answers_are_taken_back_at_once) {
  const Classes classes = overlapping(120, 5);
  Feedback feedback(classes.input, options_for(4));
  const std::vector<std::int32_t> first = feedback.labels();
  const std::vector<Question> questions = feedback.next_pairs(6);
  const auto answered = [&](std::size_t from, std::size_t to) {
    std::vector<Answer> answers;
    for (std::size_t i = from; i < to; ++i) {
      answers.push_back(classes.answer(questions[i]));
    }
    return answers;
  };
  feedback.answer(answered(0, 2));
  const std::vector<std::int32_t> second = feedback.labels();
  feedback.answer(answered(2, 4), {}, false);
  feedback.answer(answered(4, 6), {}, false);
  feedback.undo({}, 4);
  EXPECT_EQ(feedback.answers().size(), 2U);
  EXPECT_EQ(feedback.labels(), second);
  feedback.undo({}, 99);
  EXPECT_TRUE(feedback.answers().empty());
  EXPECT_EQ(feedback.labels(), first);
}

}  // namespace
}  // namespace shiftcut
