// A model takes new rows in by the definition of the similarities and the shift, whatever it keeps
// of the training rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>

#include "run/predict/model_file.hpp"
#include "shiftcut/shiftcut.hpp"
#include "support/plain.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace testing_support;

Options options_for(const NamedInput& data, const ShiftOptions& shift) {
  Options options;
  options.similarity = data.similarity;
  options.shift = shift;
  options.search.clusters = 3;
  return options;
}

std::vector<NamedInput> all_views(std::size_t n, Rng& rng) {
  std::vector<NamedInput> views = one_of_each(n, 3, rng);
  for (const Weights weights : {Weights::binary, Weights::gaussian}) {
    SimilarityOptions how;
    how.weights = weights;
    how.neighbors = 5;
    views.push_back({"weighted neighbors", features(grouped_rows(n, 3, 3, rng), n, 3), how});
  }
  views.push_back({"sparse neighbors", sparse_features(n, 6, rng), {}});
  return views;
}

Model model_of(const Input& input, const Options& options) {
  Kept kept;
  const Result result = run(input, options, {}, &kept.neighbors);
  return make_model(input, options, result, kept);
}

Predictor predictor_of(Model model) {
  return Predictor(std::make_shared<const Model>(std::move(model)), 1);
}

// S summed over the members, the object itself included: a training row has the place of its own.
TEST(predict, judges_training_rows_by_the_definition_in_every_view) {
  Rng rng(4);
  ThreadTeam team(1);
  for (const ShiftOptions& shift : some_shifts()) {
    const std::size_t n = 30 + rng.below(20);
    for (const NamedInput& data : all_views(n, rng)) {
      const Options options = options_for(data, shift);
      const Predictor predictor = predictor_of(model_of(data.input, options));
      const Result& result = predictor.model().result;
      const std::vector<double> found = predictor.affinities(data.input.values, 1);
      const plain::Matrix s = plain::shifted_matrix(problem_of(data, shift, team).problem);
      const double tolerance = 1e-9 * static_cast<double>(n) * (plain::largest_entry(s) + 1);
      const std::size_t clusters = result.sizes.size();
      ASSERT_EQ(found.size(), n * clusters);
      for (std::size_t i = 0; i < n; ++i) {
        std::vector<double> sums(clusters, 0.0);
        for (std::size_t j = 0; j < n; ++j) {
          sums[static_cast<std::size_t>(result.labels[j])] += s[i][j];
        }
        for (std::size_t k = 0; k < clusters; ++k) {
          EXPECT_NEAR(found[i * clusters + k], sums[k], tolerance) << data.name;
        }
      }
    }
  }
}

TEST(predict, does_not_depend_on_threads_and_survives_a_file) {
  Rng rng(5);
  for (const NamedInput& data : all_views(60, rng)) {
    const Options options = options_for(data, some_shifts()[1]);
    const Model model = model_of(data.input, options);
    const std::string bytes = model_bytes(model);
    const Model again = model_from_bytes(bytes, "file");
    EXPECT_EQ(model_bytes(again), bytes) << data.name;
    const std::vector<double> found = predictor_of(model).affinities(data.input.values, 1);
    EXPECT_EQ(predictor_of(model).affinities(data.input.values, 3), found) << data.name;
    EXPECT_EQ(predictor_of(again).affinities(data.input.values, 2), found) << data.name;
  }
}

TEST(predict, joins_new_rows_to_their_nearest_wherever_they_lie) {
  std::vector<double> rows;
  for (int i = 0; i < 40; ++i) {
    rows.insert(rows.end(), {(i < 20 ? 0.0 : 100.0) + i % 7, static_cast<double>(i % 5)});
  }
  const Input input = features(rows, 40, 2);
  Options options;
  options.search.clusters = 2;
  options.shift.kind = ShiftKind::adaptive;
  const Predictor predictor = predictor_of(model_of(input, options));
  const Result& result = predictor.model().result;
  const DenseArray new_rows =
      DenseArray::own(std::vector<double>{-1e17, 0, 1e17, 0, 3.5, 2.5, 103.5, 2.5}, 4, 2);
  const std::int32_t low = result.labels[0];
  const std::int32_t high = result.labels[39];
  ASSERT_NE(low, high);
  EXPECT_THAT(predictor.predict(new_rows, 2), testing::ElementsAre(low, high, low, high));
}

TEST(predict, searches_for_neighbours_that_it_is_not_given) {
  Rng rng(6);
  const Input input = features(grouped_rows(50, 3, 3, rng), 50, 3);
  EXPECT_EQ(predictor_of(make_model(input, {}, run(input))).affinities(input.values),
            predictor_of(model_of(input, {})).affinities(input.values));
}

TEST(predict, refuses_rows_that_do_not_fit) {
  Rng rng(7);
  const Input input = features(grouped_rows(30, 3, 3, rng), 30, 3);
  const Predictor predictor = predictor_of(make_model(input, {}, run(input)));
  EXPECT_THROW((void)predictor.predict(DenseArray::own(std::vector<double>(4), 2, 2)),
               std::invalid_argument);
  const double endless = std::numeric_limits<double>::infinity();
  EXPECT_THROW((void)predictor.predict(DenseArray::own(std::vector<double>{0, 1, endless}, 1, 3)),
               std::invalid_argument);
  Options with_matrix;
  with_matrix.shift.kind = ShiftKind::matrix;
  with_matrix.shift.matrix = DenseArray::own(std::vector<double>(900, 0.1), 30, 30);
  EXPECT_THROW(make_model(input, with_matrix, run(input, with_matrix)), std::invalid_argument);
}

// ---- Files ----

std::string small_model() {
  Rng rng(8);
  const Input input = features(grouped_rows(20, 2, 2, rng), 20, 2);
  Options options;
  return model_bytes(model_of(input, options));
}

std::string refusal_of(const std::string& bytes) {
  try {
    model_from_bytes(bytes, "FILE");
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(model_file, that_ends_anywhere_is_refused) {
  const std::string bytes = small_model();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THAT(
        refusal_of(bytes.substr(0, length)),
        testing::AllOf(testing::StartsWith("FILE: found "), testing::HasSubstr("allowed: ")));
  }
  EXPECT_THAT(refusal_of(bytes + "x"), testing::HasSubstr("do not match the checksum"));
}

TEST(model_file, that_was_altered_anywhere_is_refused) {
  const std::string bytes = small_model();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string other = bytes;
    other[at] = static_cast<char>(other[at] ^ 4);
    EXPECT_THAT(refusal_of(other), testing::StartsWith("FILE: found ")) << at;
  }
}

TEST(model_file, of_another_version_says_so) {
  std::string bytes = small_model();
  bytes[8] = 7;
  EXPECT_EQ(refusal_of(bytes), "FILE: found a model of format version 7; allowed: version 3");
}

// What an attacker can do who also sets the checksum: no index may lead outside.
TEST(model_file, that_is_sealed_again_is_refused_or_makes_sense) {
  const std::string bytes = small_model();
  const std::string sections(unsealed(bytes, "FILE"));
  const DenseArray row = DenseArray::own(std::vector<double>{0.1, 0.2}, 1, 2);
  for (std::size_t at = 0; at < sections.size(); ++at) {
    for (const unsigned change : {0x01U, 0x80U, 0xffU}) {
      std::string other = sections;
      other[at] = static_cast<char>((static_cast<unsigned>(other[at]) & 0xffU) ^ change);
      try {
        Model model = model_from_bytes(sealed(other), "FILE");
        if (model.columns == 2) {
          (void)predictor_of(std::move(model)).predict(row, 1);
        }
      } catch (const std::invalid_argument& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("found")) << at;
      }
    }
  }
}

}  // namespace
}  // namespace shiftcut
