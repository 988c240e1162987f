// CSV and TSV tables.
#include <charconv>
#include <numeric>
#include <random>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/message_of.hpp"
#include "input/readers.hpp"
#include "input/temp_file.hpp"

namespace shiftcut {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Input read(const std::string& text, const ReadOptions& options = {}, std::size_t chunk = 1 << 16) {
  ByteSource source = ByteSource::memory(text, "t.csv", chunk);
  return read_table(source, options, ',');
}

std::string error(const std::string& text, const ReadOptions& options = {}) {
  return message_of([&] { read(text, options); });
}

std::vector<double> numbers(const Input& input) {
  const auto& dense = std::get<DenseArray>(input.values);
  return {dense.f64(), dense.f64() + dense.rows() * dense.columns()};
}

std::string text_of(double value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

TEST(TableReader, random_numbers_read_back_for_every_chunk_size) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (const std::size_t rows : {1, 3, 1000, 1001, 2500}) {
    const std::size_t columns = 1 + random() % 5;
    std::vector<double> values(rows * columns);
    std::string text;
    for (std::size_t c = 0; c < columns; ++c) {
      text += (c > 0 ? ",x" : "x") + std::to_string(c);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = normal(random);
      text += (i % columns == 0 ? "\n" : ",") + text_of(values[i]);
    }
    text += "\n";
    for (const std::size_t chunk : {1, 7, 1 << 16}) {
      const Input input = read(text, {}, chunk);
      EXPECT_EQ(numbers(input), values);
      EXPECT_EQ(input.objects(), rows);
      EXPECT_EQ(input.column_names.size(), columns);
      EXPECT_TRUE(input.notes.empty());
    }
  }
}

TEST(TableReader, text_columns_become_one_column_for_each_value_in_their_order) {
  const Input input = read("size,colour\n1,red\n2,blue\n3,red\n");
  EXPECT_THAT(input.column_names, ElementsAre("size", "colour=blue", "colour=red"));
  EXPECT_THAT(numbers(input), ElementsAre(1, 0, 1, 2, 1, 0, 3, 0, 1));
}

TEST(TableReader, one_hot_rows_have_one_1_for_each_text_column) {
  std::mt19937 random(6);
  std::string text = "a,b,x\n";
  for (int i = 0; i < 3000; ++i) {
    text += "k" + std::to_string(random() % 7) + ",m" + std::to_string(random() % 11) + ",5\n";
  }
  const Input input = read(text);
  const auto& dense = std::get<DenseArray>(input.values);
  ASSERT_EQ(dense.columns(), 7U + 11U + 1U);
  for (std::size_t i = 0; i < dense.rows(); ++i) {
    double ones = 0;
    for (std::size_t j = 0; j < dense.columns(); ++j) {
      ones += dense.at(i, j);
    }
    EXPECT_EQ(ones, 1 + 1 + 5);
  }
}

TEST(TableReader, missing_numbers_take_the_median) {
  EXPECT_THAT(numbers(read("a,b\n1,0\n?,0\n3,0\n10,0\n")), ElementsAre(1, 0, 3, 0, 3, 0, 10, 0));
  const Input even = read("a,b\n1,0\nNA,0\n4,0\n,0\n");
  EXPECT_THAT(numbers(even), ElementsAre(1, 0, 2.5, 0, 4, 0, 2.5, 0));
  EXPECT_THAT(render(even.notes),
              ElementsAre("column 'a': 2 missing cells filled with the median 2.5"));
}

TEST(TableReader, missing_text_takes_the_most_frequent_value_and_of_equals_the_smallest) {
  const Input input = read("a\nz\nb\n?\nb\nz\n");
  EXPECT_THAT(numbers(input), ElementsAre(0, 1, 1, 0, 1, 0, 1, 0, 0, 1));
  EXPECT_THAT(render(input.notes),
              ElementsAre("column 'a': 1 missing cell filled with the most frequent value 'b'"));
}

TEST(TableReader, many_filled_columns_share_a_note) {
  std::string header = "c0";
  std::string one = "1";
  std::string gap = "";
  for (int i = 1; i < 20; ++i) {
    header += ",c" + std::to_string(i);
    one += ",1";
    gap += ",";
  }
  EXPECT_EQ(read(header + "\n" + one + "\n" + gap + "\n").notes.size(), 9U);
}

TEST(TableReader, a_column_without_values_is_left_out_with_a_note) {
  const Input input = read("a,b,c\n1,?,2\n3,,4\n");
  EXPECT_THAT(numbers(input), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(input.column_names, ElementsAre("a", "c"));
  EXPECT_THAT(render(input.notes), ElementsAre("column 'b' holds no values and was left out"));
}

TEST(TableReader, a_column_that_starts_with_many_gaps_is_decided_by_its_first_value) {
  std::string text = "x,late_number,late_text\n";
  for (int i = 0; i < 1500; ++i) {
    text += "1,?,?\n";
  }
  const Input input = read(text + "1,5,red\n");
  EXPECT_THAT(input.column_names, ElementsAre("x", "late_number", "late_text=red"));
}

TEST(TableReader, numbers_in_a_text_column_are_values_like_others) {
  EXPECT_THAT(read("a\nx\ny\n3\n").column_names, ElementsAre("a=3", "a=x", "a=y"));
}

TEST(TableReader, text_in_a_number_column_is_an_error_that_names_the_cell) {
  EXPECT_EQ(error("a,b\n1,1\n2,abc\n3,3\n"),
            "t.csv: line 3, column 2 ('b'): found 'abc' in a column of numbers; allowed: a number, "
            "or empty, ? or NA where it is missing; categorical 'b' treats the column as codes, "
            "drop 'b' ignores it");
}

TEST(TableReader, text_that_would_become_very_many_columns_is_refused) {
  std::string text = "a,b,c,d,e,f,g,h,i,j,k,x\n";
  for (int i = 0; i < 2'000; ++i) {
    for (int column = 0; column < 11; ++column) {
      text += fmt::format("v{},", i % (990 - column));
    }
    text += fmt::format("{}\n", i);
  }
  const std::string message = error(text);
  EXPECT_THAT(message, HasSubstr("found 10835 different texts"));
  EXPECT_THAT(message, HasSubstr("drop columns"));
  EXPECT_THAT(message, HasSubstr("'a' (990), 'b' (989), 'c' (988)"));
}

TEST(TableReader, categorical_columns_are_one_hot_whatever_they_hold) {
  ReadOptions options;
  options.categorical = {"code"};
  const Input input = read("code,x\n2,0.5\n1,1.5\nabc,2\n", options);
  EXPECT_THAT(input.column_names, ElementsAre("code=1", "code=2", "code=abc", "x"));
}

TEST(TableReader, the_label_column_is_held_out_and_dropped_columns_are_ignored) {
  ReadOptions options;
  options.label_column = "class";
  options.drop = {"id"};
  const Input input = read("id,x,class\nanything,1,cat\nat,2,dog\nall,3,cat\n", options);
  EXPECT_THAT(input.column_names, ElementsAre("x"));
  EXPECT_THAT(input.truth, ElementsAre(0, 1, 0));
  EXPECT_THAT(input.truth_names, ElementsAre("cat", "dog"));
  EXPECT_THAT(numbers(input), ElementsAre(1, 2, 3));
  EXPECT_THAT(error("id,x,class\n1,2,\n", options), HasSubstr("line 2, column 3 ('class')"));
}

TEST(TableReader, names_that_are_not_there_or_twice_there_are_errors) {
  ReadOptions options;
  options.drop = {"colr"};
  EXPECT_EQ(error("a,colour\n1,2\n", options),
            "t.csv: drop: found no column 'colr'; allowed: 'a', 'colour'");
  EXPECT_THAT(error("colr,colr\n1,2\n", options), HasSubstr("found two columns 'colr'"));
  EXPECT_THAT(error("colr\n1\n", options), HasSubstr("found no columns besides"));
  options.label_column = "colr";
  EXPECT_THAT(error("colr,x\n1,2\n", options), HasSubstr("another option names as well"));
}

TEST(TableReader, of_many_columns_the_most_alike_are_named) {
  std::string text = "colour";
  for (int i = 0; i < 50; ++i) {
    text += ",x" + std::to_string(i);
  }
  ReadOptions options;
  options.label_column = "color";
  EXPECT_THAT(error(text + "\n", options), HasSubstr("allowed: 'colour', "));
}

TEST(TableReader, without_a_header_columns_are_numbered) {
  ReadOptions options;
  options.header = false;
  const Input input = read("1,2\n3,4\n", options);
  EXPECT_THAT(input.column_names, ElementsAre("c0", "c1"));
  EXPECT_THAT(numbers(input), ElementsAre(1, 2, 3, 4));
}

TEST(TableReader, a_byte_order_mark_and_crlf_change_nothing) {
  EXPECT_THAT(read("\xEF\xBB\xBF"
                   "a,b\r\n1,2\r\n")
                  .column_names,
              ElementsAre("a", "b"));
}

TEST(TableReader, gzipped_tables_equal_plain_ones) {
  const std::string text = "a,b\n1,x\n2,y\n3,x\n";
  const TempFile plain(".csv", text);
  const TempFile packed(".csv.gz", gzipped(text));
  EXPECT_EQ(numbers(read_input(plain.path())), numbers(read_input(packed.path())));
}

TEST(TableReader, a_matrix_must_be_square_symmetric_and_whole) {
  ReadOptions options;
  options.shape = ShapeChoice::similarity;
  const Input input = read("u,v\n1,0.5\n0.5,1\n", options);
  EXPECT_EQ(input.shape, Shape::similarity);
  EXPECT_THAT(input.ids, ElementsAre("u", "v"));
  EXPECT_THAT(error("u,v\n1,0.5\n0.6,1\n", options),
              HasSubstr("found 0.5 in row 0, column 1 and 0.6 in row 1, column 0"));
  EXPECT_THAT(error("u,v\n1,?\n0.6,1\n", options), HasSubstr("line 2, column 2 ('v'): found '?'"));
  options.shape = ShapeChoice::graph;
  const Input graph = read("u,v\n0,2\n2,3\n", options);
  const auto& sparse = std::get<SparseMatrix>(graph.values);
  EXPECT_THAT(sparse.columns, ElementsAre(1, 0, 1));
  EXPECT_THAT(sparse.values, ElementsAre(2, 2, 3));
  EXPECT_THAT(sparse.offsets, ElementsAre(0, 1, 3));
}

TEST(TableReader, a_million_columns_are_read) {
  constexpr int kColumns = 1'000'000;
  std::string text;
  for (int row = 0; row < 4; ++row) {
    for (int c = 0; c < kColumns; ++c) {
      text += c > 0 ? "," : "";
      text += row == 0 ? "x" + std::to_string(c) : std::to_string((c * row) % 10);
    }
    text += "\n";
  }
  const Input input = read(text, {}, kReadChunk);
  const auto& dense = std::get<DenseArray>(input.values);
  EXPECT_EQ(dense.rows(), 3U);
  EXPECT_EQ(dense.columns(), 1'000'000U);
  EXPECT_EQ(dense.at(2, 999'999), 7);
}

TEST(TableReader, a_long_table_of_numbers_and_text_adds_up) {
  std::string text = "x,kind,y\n";
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    text += std::to_string(i) + ",k" + std::to_string(i % 3) + "," + std::to_string(i % 17) + "\n";
    sum += i + 1 + i % 17;
  }
  const std::vector<double> values = numbers(read(text));
  EXPECT_EQ(values.size(), 500'000U);
  EXPECT_EQ(std::accumulate(values.begin(), values.end(), 0.0), sum);
}

}  // namespace
}  // namespace shiftcut
