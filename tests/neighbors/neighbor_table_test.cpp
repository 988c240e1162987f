#include "shiftcut/neighbors.hpp"

#include <gtest/gtest.h>

#include "neighbors/cosine_neighbors.hpp"
#include "neighbors/support.hpp"

namespace shiftcut {
namespace {

using neighbors_testing::rows_of;
using testing_support::grouped_rows;

TEST(neighbor_table, holds_the_neighbours_the_graph_is_made_of) {
  Rng rng(1);
  ThreadTeam team(2);
  const std::size_t n = 40;
  const std::size_t d = 3;
  const std::vector<double> values = grouped_rows(n, d, 3, rng);
  Input input;
  input.values = DenseArray::own(values, n, d);
  SimilarityOptions how;
  how.neighbors = 5;
  for (const Scale scale : {Scale::standard, Scale::none}) {
    how.scale = scale;
    const NeighborTable table = neighbor_table(input, how, 2);
    const NeighborLists lists = nearest_neighbors(rows_of(values, n, d, scale), 5, team, Control{});
    EXPECT_EQ(table.objects, n);
    EXPECT_EQ(table.places, 5);
    EXPECT_EQ(table.ids, lists.ids);
    EXPECT_EQ(table.squared, lists.squared);
  }
}

TEST(neighbor_table, of_sparse_rows_goes_by_the_cosine_and_may_have_empty_places) {
  Input input;
  input.values = sparse_from_entries({{0, 0, 1.0}, {1, 0, 2.0}, {2, 1, 1.0}}, 3, 2);
  SimilarityOptions how;
  how.neighbors = 2;
  const NeighborTable table = neighbor_table(input, how);
  EXPECT_EQ(table.ids, (std::vector<std::uint32_t>{1, kNobody, 0, kNobody, kNobody, kNobody}));
}

TEST(neighbor_table, refuses_what_is_no_table_of_features_and_finds_a_number_of_neighbours_itself) {
  Input input;
  input.values = DenseArray::own(std::vector<double>{0, 1, 1, 0}, 2, 2);
  input.shape = Shape::similarity;
  EXPECT_THROW(neighbor_table(input, {}), std::invalid_argument);
  input.shape = Shape::features;
  EXPECT_EQ(neighbor_table(input, {}).places, 1);
}

}  // namespace
}  // namespace shiftcut
