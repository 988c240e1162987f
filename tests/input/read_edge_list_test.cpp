// Edge lists.
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/message_of.hpp"
#include "input/readers.hpp"

namespace shiftcut {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Input edge_list(const std::string& text, std::size_t chunk = 1 << 16) {
  ByteSource source = ByteSource::memory(text, "g.edges", chunk);
  return read_edge_list(source, {});
}

TEST(EdgeListReader, ids_are_numbered_in_order_of_first_appearance) {
  const Input input = edge_list("# comment\n  % another\nz a\n\na,z,0.5\n z , z\t2\r\nlast\t a -1");
  const auto& graph = std::get<SparseMatrix>(input.values);
  EXPECT_THAT(input.ids, ElementsAre("z", "a", "last"));
  EXPECT_THAT(graph.offsets, ElementsAre(0, 2, 4, 5));
  EXPECT_THAT(graph.columns, ElementsAre(0, 1, 0, 2, 1));
  EXPECT_THAT(graph.values, ElementsAre(2, 1.5, 1.5, -1, -1));
}

TEST(EdgeListReader, the_graph_is_the_sum_of_its_lines_and_symmetric_to_the_last_bit) {
  std::mt19937 random(10);
  for (int round = 0; round < 100; ++round) {
    const std::size_t n = 1 + random() % 10;
    std::map<std::pair<std::string, std::string>, double> sums;
    std::string text;
    for (std::size_t e = 1 + random() % 60; e > 0; --e) {
      const std::string u = "node" + std::to_string(random() % n);
      const std::string v = "node" + std::to_string(random() % n);
      const double weight = static_cast<double>(random() % 64) / 8 - 3.5;
      text += u + (random() % 2 == 0 ? " " : ",") + v + "\t" + std::to_string(weight) + "\n";
      sums[{u, v}] += weight;
      if (u != v) {
        sums[{v, u}] += weight;
      }
    }
    std::erase_if(sums, [](const auto& entry) { return entry.second == 0; });
    for (const std::size_t chunk : {1, 3, 7, 1 << 16}) {
      const Input input = edge_list(text, chunk);
      const auto& graph = std::get<SparseMatrix>(input.values);
      ASSERT_EQ(graph.values.size(), sums.size());
      for (std::size_t i = 0; i < graph.rows; ++i) {
        for (std::int64_t at = graph.offsets[i]; at < graph.offsets[i + 1]; ++at) {
          const std::uint32_t j = graph.columns[static_cast<std::size_t>(at)];
          ASSERT_TRUE(at == graph.offsets[i] ||
                      graph.columns[static_cast<std::size_t>(at - 1)] < j);
          EXPECT_EQ(graph.values[static_cast<std::size_t>(at)],
                    (sums.at({input.ids[i], input.ids[j]})));
        }
      }
    }
  }
}

TEST(EdgeListReader, a_first_line_whose_weight_is_a_word_is_a_header_and_that_is_noted) {
  const Input input = edge_list("source target weight\na b 2\n");
  EXPECT_THAT(input.ids, ElementsAre("a", "b"));
  EXPECT_THAT(render(input.notes),
              ElementsAre(HasSubstr("line 1 ('source target weight') was treated")));
  EXPECT_THAT(message_of([] { edge_list("a b 1\nsource target weight\n"); }),
              HasSubstr("line 2: found weight 'weight'"));
  EXPECT_THAT(message_of([] { edge_list("a b 1O\nb c 2\n"); }), HasSubstr("found weight '1O'"));
}

TEST(EdgeListReader, names_of_columns_that_are_read_as_an_edge_are_noted) {
  EXPECT_THAT(render(edge_list("Source,Target\na,b\n").notes),
              ElementsAre(HasSubstr("read as an edge of 'Source' and 'Target'")));
  EXPECT_THAT(render(edge_list("source target\na source\n").notes), testing::IsEmpty());
}

TEST(EdgeListReader, a_comment_that_reads_like_an_edge_is_noted) {
  EXPECT_THAT(render(edge_list("#1 #2 5\na b\n").notes),
              ElementsAre(HasSubstr("line 1 ('#1 #2 5') was skipped as a comment")));
  EXPECT_THAT(render(edge_list("# Nodes: 4 Edges: 2\n% sym\n# a b\n%%x y\na b\n").notes),
              testing::IsEmpty());
}

TEST(EdgeListReader, a_comment_on_an_object_of_another_line_is_refused) {
  EXPECT_THAT(message_of([] { edge_list("#1 a 5\nb #1 2\n"); }),
              HasSubstr("line 1: found '#1' first, which makes the line a comment"));
}

TEST(EdgeListReader, a_last_line_with_fewer_fields_and_no_line_end_is_noted) {
  EXPECT_THAT(render(edge_list("27292 11 1\n27293 27").notes),
              ElementsAre(HasSubstr("line 2, its last, which ends in '27293 27' and has fewer")));
  EXPECT_THAT(render(edge_list("27292 11 1\n27293 27\n").notes), testing::IsEmpty());
  EXPECT_THAT(render(edge_list("27292 11\n27293 27").notes), testing::IsEmpty());
}

TEST(EdgeListReader, weights_count_wherever_the_first_that_is_not_1_stands) {
  const Input input = edge_list("a b\nb c 1\nc d 3\nd a\na c 0.5\n");
  const auto& graph = std::get<SparseMatrix>(input.values);
  EXPECT_THAT(graph.values, ElementsAre(1, 0.5, 1, 1, 1, 0.5, 1, 3, 1, 3));
}

TEST(EdgeListReader, a_long_list_is_read) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) {
    text += std::to_string(i) + " " + std::to_string((i + 1) % 200'000) + "\n";
  }
  const Input input = edge_list(text);
  const auto& graph = std::get<SparseMatrix>(input.values);
  EXPECT_EQ(graph.rows, 200'000U);
  EXPECT_EQ(graph.values.size(), 400'000U);
  EXPECT_THAT(std::vector<std::uint32_t>(graph.columns.begin(), graph.columns.begin() + 4),
              ElementsAre(1, 199'999, 0, 2));
}

// What one thread reads in one piece is what all read in blocks of any size.
void expect_the_same_on_all_threads(const std::string& text) {
  const auto read_with = [&](std::size_t chunk, int threads) {
    ByteSource source = ByteSource::memory(text, "g.edges", chunk);
    ReadOptions options;
    options.threads = threads;
    return read_edge_list(source, options);
  };
  const Input whole = read_with(std::size_t{1} << 24, 1);
  const auto& expected = std::get<SparseMatrix>(whole.values);
  for (const std::size_t chunk : {5, 64, 1000, 1 << 16}) {
    for (const int threads : {1, 2, 5}) {
      const Input input = read_with(chunk, threads);
      const auto& graph = std::get<SparseMatrix>(input.values);
      ASSERT_EQ(input.ids, whole.ids) << chunk << " bytes, " << threads << " threads";
      ASSERT_EQ(graph.offsets, expected.offsets);
      ASSERT_EQ(graph.columns, expected.columns);
      ASSERT_EQ(graph.values, expected.values);
      ASSERT_EQ(input.notes.size(), whole.notes.size());
      for (std::size_t i = 0; i < whole.notes.size(); ++i) {
        ASSERT_EQ(input.notes[i].text, whole.notes[i].text);
      }
    }
  }
}

TEST(EdgeListReader, reads_the_same_on_any_number_of_threads) {
  std::mt19937 random(20);
  for (int round = 0; round < 12; ++round) {
    std::string text = round % 3 == 0 ? "a b weight\n" : "";
    for (int line = 0; line < 3000; ++line) {
      const auto id = [&] {
        const auto number = std::to_string(random() % 300);
        return round % 4 == 0        ? "node" + number
               : random() % 50 == 0  ? "0" + number
               : random() % 50 == 0  ? number + "000000000"
               : random() % 100 == 0 ? "x" + number
                                     : number;
      };
      const char* blank = random() % 3 == 0 ? " , " : random() % 2 == 0 ? "\t" : " ";
      text += random() % 40 == 0 ? "# a remark\n" : random() % 40 == 0 ? "  \r\n" : "";
      text += random() % 500 == 0 ? "#1 #2 3\n" : "";
      text += id() + blank + id();
      if (random() % 2 == 0) {
        text += " " + std::to_string(static_cast<double>(random() % 1000) / 100 - 2);
      }
      text += random() % 5 == 0 ? " \r\n" : "\n";
    }
    expect_the_same_on_all_threads(text);
  }
}

// Parts are given to threads only where there are many entries.
TEST(EdgeListReader, sorts_large_graphs_alike_on_any_number_of_threads) {
  std::mt19937 random(21);
  std::string text;
  for (int line = 0; line < 200000; ++line) {
    text += std::to_string(random() % 20000) + " " + std::to_string(random() % 500);
    text += line % 7 == 0 ? " -1\n" : line % 7 == 1 ? " 2.25\n" : "\n";
  }
  ByteSource source = ByteSource::memory(text, "g.edges");
  ReadOptions options;
  options.threads = 1;
  const Input one = read_edge_list(source, options);
  ByteSource again = ByteSource::memory(text, "g.edges");
  options.threads = 4;
  const Input four = read_edge_list(again, options);
  const auto& a = std::get<SparseMatrix>(one.values);
  const auto& b = std::get<SparseMatrix>(four.values);
  EXPECT_EQ(one.ids, four.ids);
  EXPECT_EQ(a.offsets, b.offsets);
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.values, b.values);
}

TEST(EdgeListReader, sorts_the_rows_of_a_graph_without_weights) {
  std::mt19937 random(22);
  std::string text;
  std::map<std::pair<std::string, std::string>, double> expected;
  for (int line = 0; line < 150000; ++line) {
    const std::string a = std::to_string(random() % 9000);
    const std::string b = line % 50 == 0 ? a : std::to_string(random() % 9000);
    text += a + " " + b + "\n";
    expected[{a, b}] += 1;
    if (a != b) {
      expected[{b, a}] += 1;
    }
  }
  for (const int threads : {1, 3}) {
    ByteSource source = ByteSource::memory(text, "g.edges");
    ReadOptions options;
    options.threads = threads;
    const Input input = read_edge_list(source, options);
    const auto& graph = std::get<SparseMatrix>(input.values);
    ASSERT_EQ(graph.columns.size(), expected.size());
    for (std::size_t i = 0; i < graph.rows; ++i) {
      for (auto e = static_cast<std::size_t>(graph.offsets[i]);
           e < static_cast<std::size_t>(graph.offsets[i + 1]); ++e) {
        ASSERT_TRUE(e == static_cast<std::size_t>(graph.offsets[i]) ||
                    graph.columns[e - 1] < graph.columns[e]);
        ASSERT_EQ(graph.values[e], expected.at({input.ids[i], input.ids[graph.columns[e]]}));
      }
    }
  }
}

TEST(EdgeListReader, ids_are_text_even_where_they_are_numbers) {
  const Input input =
      edge_list("7 007\n7 7.0\n+7 -7\n4294967296 2147483648\n0 00\n99999999999 7\n");
  EXPECT_THAT(input.ids, ElementsAre("7", "007", "7.0", "+7", "-7", "4294967296", "2147483648", "0",
                                     "00", "99999999999"));
}

TEST(EdgeListReader, reports_the_first_bad_line_on_any_number_of_threads) {
  std::string text;
  for (int line = 1; line <= 5000; ++line) {
    text += line == 3210 ? "1 2 x\n" : line == 4000 ? "1\n" : "1 2\n";
  }
  for (const std::size_t chunk : {16, 4096, 1 << 20}) {
    for (const int threads : {1, 3}) {
      ByteSource source = ByteSource::memory(text, "g.edges", chunk);
      ReadOptions options;
      options.threads = threads;
      EXPECT_EQ(message_of([&] { read_edge_list(source, options); }),
                "g.edges: line 3210: found weight 'x'; allowed: a finite number");
    }
  }
}

// Two directions, or the same edge twice, add up; a weight of 0 makes its ends known without an
// edge between them.
TEST(EdgeListReader, kinds_of_graphs_are_read_as_documented) {
  const Input both = edge_list("a b 2\nb a 3\n");
  EXPECT_THAT(std::get<SparseMatrix>(both.values).values, ElementsAre(5, 5));
  const Input parallel = edge_list("a b\na b\n");
  EXPECT_THAT(std::get<SparseMatrix>(parallel.values).values, ElementsAre(2, 2));
  const Input loop = edge_list("a a 2\na b\n");
  EXPECT_THAT(std::get<SparseMatrix>(loop.values).values, ElementsAre(2, 1, 1));
  const Input zero = edge_list("a b 0\nc d\nc d -1\n");
  EXPECT_THAT(zero.ids, ElementsAre("a", "b", "c", "d"));
  EXPECT_TRUE(std::get<SparseMatrix>(zero.values).values.empty());
}

}  // namespace
}  // namespace shiftcut
