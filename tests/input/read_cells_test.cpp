// Rows of a table as they stand in its file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/message_of.hpp"
#include "input/temp_file.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* const kTable =
    "name,height,,class\nann,1.70,?,x\n\n\"bob, jr\",,NA,y\ncid,001,\"a\"\"b\",x\n";

TEST(ReadCells, cells_are_as_written_in_the_order_asked_for) {
  const TempFile file(".csv", kTable);
  ReadOptions options;
  options.label_column = "class";
  options.drop = {"name"};
  const std::vector<std::size_t> rows = {2, 0, 1, 2};
  const TableCells cells = read_cells(file.path(), options, rows);
  EXPECT_THAT(cells.names, ElementsAre("name", "height", "c2"));
  EXPECT_THAT(cells.rows,
              ElementsAre(ElementsAre("cid", "001", "a\"b"), ElementsAre("ann", "1.70", "?"),
                          ElementsAre("bob, jr", "", "NA"), ElementsAre("cid", "001", "a\"b")));
}

TEST(ReadCells, without_a_header_the_first_line_is_row_0) {
  const TempFile file(".tsv.gz", gzipped("1\tx\n2\ty\n"));
  ReadOptions options;
  options.header = false;
  const std::vector<std::size_t> rows = {1, 0};
  const TableCells cells = read_cells(file.path(), options, rows);
  EXPECT_THAT(cells.names, ElementsAre("c0", "c1"));
  EXPECT_THAT(cells.rows, ElementsAre(ElementsAre("2", "y"), ElementsAre("1", "x")));
}

TEST(ReadCells, a_row_that_is_gone_and_a_file_without_cells_are_told) {
  const TempFile file(".csv", kTable);
  const std::vector<std::size_t> rows = {1, 3};
  EXPECT_THAT(message_of([&] { read_cells(file.path(), {}, rows); }),
              HasSubstr("found 3 rows while looking for row 3 (counted from 0)"));
  const TempFile edges(".edges", "a b\n");
  EXPECT_THAT(message_of([&] { read_cells(edges.path(), {}, rows); }),
              HasSubstr("allowed: CSV, TSV, Parquet and Arrow"));
}

TEST(FindCells, hold_the_text_in_any_column_or_have_the_value_in_one) {
  const TempFile file(".csv", kTable);
  ReadOptions options;
  options.label_column = "class";
  const auto rows_with = [&](std::string_view text, std::size_t most = 10) {
    std::vector<std::size_t> rows;
    for (const FoundCell& cell : find_cells(file.path(), options, text, most)) {
      rows.push_back(cell.row);
    }
    return rows;
  };
  EXPECT_THAT(rows_with("B"), ElementsAre(1, 2));
  EXPECT_THAT(rows_with("B", 1), ElementsAre(1));
  EXPECT_THAT(rows_with("name=ann"), ElementsAre(0));
  EXPECT_THAT(rows_with("name=an"), ElementsAre());
  EXPECT_THAT(rows_with("x"), ElementsAre());  // only in the label column
  EXPECT_THAT(rows_with(""), ElementsAre());
  EXPECT_EQ(find_cells(file.path(), options, "001", 10).at(0).column, "height");
}

}  // namespace
}  // namespace shiftcut
