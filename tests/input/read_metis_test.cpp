// METIS graphs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/message_of.hpp"
#include "input/readers.hpp"

namespace shiftcut {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Input metis(const std::string& text, std::size_t chunk = 1 << 16) {
  ByteSource source = ByteSource::memory(text, "g.graph", chunk);
  return read_metis(source, {});
}

TEST(MetisReader, an_empty_line_is_a_node_without_edges) {
  for (const std::size_t chunk : {1, 5, 1 << 16}) {
    const Input input = metis("% a comment\n4 3\n2 3\n1 3\n% another\n1 2\n\n", chunk);
    const auto& graph = std::get<SparseMatrix>(input.values);
    EXPECT_EQ(input.shape, Shape::graph);
    EXPECT_TRUE(input.ids.empty());
    EXPECT_THAT(graph.offsets, ElementsAre(0, 2, 4, 6, 6));
    EXPECT_THAT(graph.columns, ElementsAre(1, 2, 0, 2, 0, 1));
    EXPECT_THAT(graph.values, ElementsAre(1, 1, 1, 1, 1, 1));
    EXPECT_TRUE(input.notes.empty());
  }
}

TEST(MetisReader, the_format_says_which_numbers_are_weights) {
  const Input edges = metis("2 1 1\n2 0.5\n1 0.5\n");
  EXPECT_THAT(std::get<SparseMatrix>(edges.values).values, ElementsAre(0.5, 0.5));
  const Input nodes = metis("2 1 011 2\n7 8 2 0.5\n7 8 1 0.5\n");
  EXPECT_THAT(std::get<SparseMatrix>(nodes.values).values, ElementsAre(0.5, 0.5));
  ASSERT_EQ(nodes.notes.size(), 1U);
  EXPECT_EQ(nodes.notes[0].code, "node_weights");
  const Input sizes = metis("2 1 100\n9 2\n9 1\n");
  EXPECT_THAT(std::get<SparseMatrix>(sizes.values).columns, ElementsAre(1, 0));
}

TEST(MetisReader, says_what_is_wrong_and_where) {
  const auto message = [](const std::string& text) { return message_of([&] { metis(text); }); };
  EXPECT_EQ(message("2 1\n3\n1\n"), "g.graph: line 2: found neighbour '3'; allowed: 1 to 2");
  EXPECT_EQ(message("3 1\n2\n1\n"), "g.graph: found 2 nodes; allowed: the 3 of the first line");
  EXPECT_EQ(message("1 0\n\n1\n"),
            "g.graph: line 3: found more than 1 nodes; allowed: the 1 of the first line");
  EXPECT_THAT(message("2 3\n2\n1\n"), HasSubstr("found 2 neighbours; allowed: 6"));
  EXPECT_THAT(message("2 1 2\n2\n1\n"), HasSubstr("line 1: found format '2'"));
  EXPECT_THAT(message("3 1\n2\n\n2\n"), HasSubstr("found 1 in row 1, column 2 but 0"));
  EXPECT_THAT(message(""), HasSubstr("found no lines"));
}

}  // namespace
}  // namespace shiftcut
