// What run() refuses, and in which words.
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "input/message_of.hpp"
#include "run/support.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace run_testing;

TEST(run_refuses, options_that_make_no_sense_and_says_what_is_allowed) {
  Input input;
  input.values = DenseArray::own(two_groups(), 20, 2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  struct Bad {
    std::string name;
    void (*spoil)(Options&, double nan);
  };
  const std::vector<Bad> all = {
      {"clusters", [](Options& o, double) { o.search.clusters = 21; }},
      {"clusters", [](Options& o, double) { o.search.clusters = 0; }},
      {"restarts", [](Options& o, double) { o.search.restarts = 0; }},
      {"restarts", [](Options& o, double) { o.search.restarts = -3; }},
      {"threads", [](Options& o, double) { o.search.threads = -1; }},
      {"threads", [](Options& o, double) { o.search.threads = 100000; }},
      {"max_seconds", [](Options& o, double) { o.search.max_seconds = -1; }},
      {"max_seconds", [](Options& o, double n) { o.search.max_seconds = n; }},
      {"sigma", [](Options& o, double) { o.similarity.sigma = 0; }},
      {"sigma", [](Options& o, double) { o.similarity.sigma = -2; }},
      {"sigma", [](Options& o, double n) { o.similarity.sigma = n; }},
      {"shift_strength", [](Options& o, double) { o.shift.strength = -0.5; }},
      {"shift_strength", [](Options& o, double n) { o.shift.strength = n; }},
      {"shift=constant", [](Options& o, double n) { o.shift.constant = n; }},
      {"shift=matrix", [](Options& o, double) { o.shift.kind = ShiftKind::matrix; }}};
  for (const Bad& bad : all) {
    Options options = asking_for(2);
    bad.spoil(options, nan);
    EXPECT_THROW((void)run(input, options), std::invalid_argument) << bad.name;
    const std::string message = message_of([&] { (void)run(input, options); });
    EXPECT_NE(message.find(bad.name), std::string::npos) << message;
    EXPECT_NE(message.find("allowed"), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST(run_refuses, data_that_make_no_sense_and_names_them) {
  Input input;
  input.name = "my data";
  std::vector<std::string> messages;
  messages.push_back(message_of([&] { (void)run(input); }));  // nothing at all
  input.values = DenseArray::own(two_groups(), 20, 2);
  input.truth = {0, 1};
  messages.push_back(message_of([&] { (void)run(input, asking_for(2)); }));
  input.truth.clear();
  input.values = DenseArray::own(std::vector<double>{1, 1e200, 3}, 3, 1);
  messages.push_back(message_of([&] { (void)run(input, asking_for(2)); }));
  for (const std::string& message : messages) {
    EXPECT_NE(message.find("my data"), std::string::npos) << message;
    EXPECT_NE(message.find("found"), std::string::npos) << message;
  }
}

TEST(run_refuses, for_sparse_rows_what_would_fill_them) {
  Rng rng(1);
  const Input input = testing_support::sparse_features(20, 6, rng);
  std::vector<Options> all(4, asking_for(2));
  all[0].similarity.scale = Scale::standard;
  all[1].similarity.scale = Scale::minmax;
  all[2].similarity.kind = Similarity::rbf;
  all[3].similarity.distance = Distance::euclidean;
  for (const Options& options : all) {
    EXPECT_THROW((void)run(input, options), std::invalid_argument);
    EXPECT_NE(message_of([&] { (void)run(input, options); }).find("allowed"), std::string::npos);
  }
}

}  // namespace
}  // namespace shiftcut
