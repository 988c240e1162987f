#include "similarity/learn_weights.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace testing_support;

constexpr std::size_t kObjects = 400;

// Classes lie apart in the first two of `d` features only.
struct Data {
  std::vector<double> values;
  std::vector<std::uint32_t> classes;
  std::size_t d;

  [[nodiscard]] FeatureRows rows() const {
    return FeatureRows::as_given(DenseArray::own(std::vector<double>(values), kObjects, d));
  }
};

Data data_of(std::size_t d, Rng& rng) {
  Data data{std::vector<double>(kObjects * d), std::vector<std::uint32_t>(kObjects), d};
  for (std::size_t i = 0; i < kObjects; ++i) {
    data.classes[i] = rng.below(3);
    for (std::size_t f = 0; f < d; ++f) {
      data.values[i * d + f] =
          normal(rng) + (f < 2 ? 4.0 * static_cast<double>((data.classes[i] + f) % 3) : 0.0);
    }
  }
  return data;
}

LinkOptions answers_for(const Data& data, std::size_t count, bool at_random, Rng& rng) {
  LinkOptions pairs;
  for (std::size_t e = 0; e < count; ++e) {
    const std::uint32_t a = rng.below(kObjects);
    const std::uint32_t b = (a + 1 + rng.below(kObjects - 1)) % kObjects;
    const bool same = at_random ? rng.below(3) == 0 : data.classes[a] == data.classes[b];
    (same ? pairs.must_link : pairs.cannot_link).push_back({a, b});
  }
  return pairs;
}

TEST(learn_weights, features_that_tell_classes_apart_come_to_count_more) {
  Rng rng(1);
  ThreadTeam team(2);
  const Data data = data_of(8, rng);
  const LearnedWeights learned =
      learn_weights(data.rows(), answers_for(data, 150, false, rng), 0, team);
  EXPECT_GT(learned.gain, 0.01);
  for (std::size_t f = 2; f < 8; ++f) {
    EXPECT_GT(std::min(learned.weights[0], learned.weights[1]), learned.weights[f]) << f;
  }
  EXPECT_NEAR(std::accumulate(learned.weights.begin(), learned.weights.end(), 0.0) / 8, 1, 1e-9);
  EXPECT_TRUE(std::ranges::all_of(learned.spread, [](double s) { return s >= 0 && s < 3; }));
  EXPECT_GT(*std::ranges::max_element(learned.spread), 0);
}

TEST(learn_weights, few_answers_or_none_of_a_kind_leave_weights_equal) {
  Rng rng(2);
  ThreadTeam team(1);
  const Data data = data_of(5, rng);
  LinkOptions few = answers_for(data, 3, false, rng);
  EXPECT_EQ(learn_weights(data.rows(), few, 0, team).weights, std::vector<double>(5, 1.0));
  LinkOptions one_kind = answers_for(data, 100, false, rng);
  one_kind.must_link.clear();
  EXPECT_EQ(learn_weights(data.rows(), one_kind, 0, team).weights, std::vector<double>(5, 1.0));
  EXPECT_EQ(learn_weights(data.rows(), {}, 0, team).gain, 0);
}

TEST(learn_weights, answers_at_random_seldom_change_anything_and_never_claim_much) {
  ThreadTeam team(2);
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    const Data data = data_of(6, rng);
    const LearnedWeights learned =
        learn_weights(data.rows(), answers_for(data, 100, true, rng), seed, team);
    changed += learned.gain > 0 ? 1 : 0;
    EXPECT_LT(learned.gain, 0.03);
  }
  EXPECT_LE(changed, 5);
}

TEST(learn_weights, is_the_same_on_any_number_of_threads) {
  Rng rng(3);
  const Data data = data_of(8, rng);
  const LinkOptions answers = answers_for(data, 120, false, rng);
  ThreadTeam one(1);
  const LearnedWeights first = learn_weights(data.rows(), answers, 4, one);
  for (const int threads : {2, 7}) {
    ThreadTeam team(threads);
    const LearnedWeights other = learn_weights(data.rows(), answers, 4, team);
    EXPECT_EQ(first.weights, other.weights);
    EXPECT_EQ(first.spread, other.spread);
  }
}

TEST(learn_weights, an_unsure_pair_counts_less) {
  Rng rng(4);
  ThreadTeam team(1);
  const Data data = data_of(6, rng);
  LinkOptions answers = answers_for(data, 150, false, rng);
  for (auto* pairs : {&answers.must_link, &answers.cannot_link}) {
    for (ObjectPair& pair : *pairs) {
      pair.weight = 1e-6;
    }
  }
  const double gain = learn_weights(data.rows(), answers, 0, team).gain;
  EXPECT_LT(gain, 1e-6);
}

}  // namespace
}  // namespace shiftcut
