// What run() warns of, in words.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "run/support.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace run_testing;
using testing_support::grouped_rows;

TEST(run_warns, where_there_are_fewer_clusters_than_asked) {
  Rng rng(4);
  Input input;
  input.values = DenseArray::own(grouped_rows(100, 1, 3, rng), 100, 1);
  const Result result = run(input, asking_for(8));
  EXPECT_LT(result.clusters_found, 8U);
  EXPECT_TRUE(warns_of(
      result, "8 clusters were asked for and " + std::to_string(result.clusters_found) + " found"));
  EXPECT_FALSE(warns_of(run(input, asking_for(2)), "were asked for"));
}

TEST(run_warns, of_one_cluster_without_a_shift) {
  Input input;
  input.values = DenseArray::own(two_groups(), 20, 2);
  Options options = asking_for(2);
  options.shift.kind = ShiftKind::none;
  Result result = run(input, options);
  EXPECT_EQ(result.clusters_found, 1U);
  EXPECT_TRUE(warns_of(result, "without a shift"));
  options.search.clusters = 1;
  EXPECT_TRUE(run(input, options).warnings.empty()) << "one was asked for";
  options = asking_for(2);
  options.shift.strength = 0;
  EXPECT_TRUE(warns_of(run(input, options), "without a shift"));
}

TEST(run_warns, of_rows_that_are_all_equal) {
  for (const Similarity kind : {Similarity::linear, Similarity::cosine, Similarity::rbf}) {
    for (const Scale scale : {Scale::standard, Scale::minmax, Scale::none}) {
      Input input;
      input.values = DenseArray::own(std::vector<double>(60, 0.1), 20, 3);
      Options options = asking_for(3);
      options.similarity.kind = kind;
      options.similarity.scale = scale;
      const Result result = run(input, options);
      expect_consistent(result, 20);
      EXPECT_TRUE(warns_of(result, "All rows are equal"));
    }
  }
}

TEST(run_warns, of_a_cluster_an_object) {
  Input input;
  input.values = DenseArray::own(two_groups(), 20, 2);
  Options options;
  options.similarity.kind = Similarity::linear;
  options.shift = {ShiftKind::constant, 1, 1e6, {}};
  const Result result = run(input, options);
  EXPECT_EQ(result.clusters_found, 20U);
  EXPECT_TRUE(warns_of(result, "a cluster of its own"));
}

TEST(run_warns, of_what_reading_noted) {
  Input input;
  input.values = DenseArray::own(two_groups(), 20, 2);
  input.notes = {{"filled_cells", "", "3 cells were filled in.", {}}};
  EXPECT_TRUE(warns_of(run(input, asking_for(2)), "3 cells were filled in."));
}

}  // namespace
}  // namespace shiftcut
