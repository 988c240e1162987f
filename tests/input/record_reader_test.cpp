// Records of cells by RFC 4180.
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/table/record_reader.hpp"

namespace shiftcut {
namespace {

using Records = std::vector<std::vector<std::string>>;

Records records_in(const std::string& text, std::size_t chunk, char delimiter = ',') {
  ByteSource source = ByteSource::memory(text, "text", chunk);
  RecordReader records(source, delimiter);
  Records all;
  while (records.next()) {
    all.emplace_back(records.cells().begin(), records.cells().end());
  }
  return all;
}

std::string random_cell(std::mt19937& random) {
  std::string cell;
  for (std::size_t i = random() % 5; i > 0; --i) {
    cell += "ab,\n\"7\t"[random() % 7];
  }
  const std::size_t first = cell.find_first_not_of(" \t");
  const std::size_t last = cell.find_last_not_of(" \t");
  return first == std::string::npos ? "" : cell.substr(first, last - first + 1);
}

std::string written(const std::string& cell, bool must_quote, std::mt19937& random) {
  if (!must_quote && cell.find_first_of(",\n\"\t") == std::string::npos && random() % 2 == 0) {
    return std::string(random() % 2, ' ') + cell + std::string(random() % 2, ' ');
  }
  std::string out = "\"";
  for (const char c : cell) {
    out += c == '"' ? "\"\"" : std::string(1, c);
  }
  return std::string(random() % 2, ' ') + out + "\"" + std::string(random() % 2, ' ');
}

TEST(RecordReader, random_tables_in_random_quotes_and_line_ends_read_back) {
  std::mt19937 random(4);
  for (int round = 0; round < 300; ++round) {
    const char delimiter = round % 2 == 0 ? ',' : '\t';
    Records table(1 + random() % 4);
    std::string text;
    for (std::size_t r = 0; r < table.size(); ++r) {
      const std::size_t width = 1 + random() % 4;
      for (std::size_t c = 0; c < width; ++c) {
        table[r].push_back(random_cell(random));
        text +=
            (c > 0 ? std::string(1, delimiter) : "") + written(table[r].back(), width == 1, random);
      }
      const bool last = r + 1 == table.size();
      text += last && random() % 2 == 0 ? "" : random() % 2 == 0 ? "\n" : "\r\n";
      text += last ? "" : std::string(random() % 2, '\n');
    }
    for (const std::size_t chunk : {1, 2, 3, 4, 5, 6, 7, 1 << 16}) {
      ASSERT_EQ(records_in(text, chunk, delimiter), table) << text;
    }
  }
}

TEST(RecordReader, blank_lines_are_no_records_and_trailing_delimiters_make_cells) {
  EXPECT_EQ(records_in("\n a , b ,\n  \n\r\n,\n", 3), (Records{{"a", "b", ""}, {"", ""}}));
}

TEST(RecordReader, a_quote_inside_an_unquoted_cell_is_a_letter) {
  EXPECT_EQ(records_in("5\" disk,\"x\"\n", 3), (Records{{"5\" disk", "x"}}));
}

TEST(RecordReader, line_numbers_count_the_lines_inside_quotes) {
  ByteSource source = ByteSource::memory("a\n\"b\n\nc\"\nd\n", "text", 3);
  RecordReader records(source, ',');
  std::vector<std::uint64_t> numbers;
  while (records.next()) {
    numbers.push_back(records.line());
  }
  EXPECT_THAT(numbers, testing::ElementsAre(1, 2, 5));
}

}  // namespace
}  // namespace shiftcut
