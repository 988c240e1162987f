// How features were scaled is part of the result.
#include <gtest/gtest.h>

#include <cmath>

#include "shiftcut/shiftcut.hpp"

namespace shiftcut {
namespace {

FeatureScaling scaling_by(Scale scale, Similarity kind) {
  Input input;
  input.values = DenseArray::own(std::vector<double>{1, 7, 5, 7, 9, 7}, 3, 2);
  Options options;
  options.similarity.kind = kind;
  options.similarity.scale = scale;
  return run(input, options).scaling;
}

TEST(scaling, brings_columns_to_mean_0_and_deviation_1_and_leaves_out_constant_ones) {
  for (const Similarity kind : {Similarity::linear, Similarity::neighbors, Similarity::cosine}) {
    const FeatureScaling standard = scaling_by(Scale::standard, kind);
    EXPECT_DOUBLE_EQ(standard.offset.at(0), 5);
    EXPECT_NEAR(standard.factor.at(0) * std::sqrt(32.0 / 3), 1, 1e-15);
    EXPECT_EQ(standard.factor.at(1), 0);
    const FeatureScaling none = scaling_by(Scale::none, kind);
    EXPECT_EQ(none.offset, (std::vector<double>{0, 0}));
    EXPECT_EQ(none.factor, (std::vector<double>{1, 1}));
  }
}

TEST(scaling, is_empty_for_a_matrix) {
  Input input;
  input.values = DenseArray::own(std::vector<double>{2, 1, 1, 2}, 2, 2);
  input.shape = Shape::similarity;
  EXPECT_TRUE(run(input, Options{}).scaling.offset.empty());
}

}  // namespace
}  // namespace shiftcut
