// Matrix Market files.
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/message_of.hpp"
#include "input/readers.hpp"

namespace shiftcut {
namespace {

using testing::ElementsAre;

Input mtx(const std::string& text, ShapeChoice shape = ShapeChoice::automatic) {
  ReadOptions options;
  options.shape = shape;
  ByteSource source = ByteSource::memory(text, "m.mtx", 5);
  return read_mtx(source, options);
}

const std::string kBanner = "%%MatrixMarket matrix ";

TEST(MtxReader, the_lower_triangle_of_a_symmetric_list_is_a_graph) {
  const Input input =
      mtx(kBanner + "coordinate real symmetric\n% c\n\n3 3 3\n2 1 1.5\n3 3 2\n3 1 -1\n");
  const auto& graph = std::get<SparseMatrix>(input.values);
  EXPECT_EQ(input.shape, Shape::graph);
  EXPECT_THAT(graph.offsets, ElementsAre(0, 2, 3, 5));
  EXPECT_THAT(graph.columns, ElementsAre(1, 2, 0, 0, 2));
  EXPECT_THAT(graph.values, ElementsAre(1.5, -1, 1.5, -1, 2));
}

TEST(MtxReader, a_general_list_with_both_directions_equals_the_symmetric_one) {
  std::mt19937 random(9);
  for (int round = 0; round < 100; ++round) {
    const std::size_t n = 1 + random() % 8;
    std::vector<std::string> lower;
    std::vector<std::string> both;
    for (std::size_t e = random() % 15; e > 0; --e) {
      const std::size_t i = 1 + random() % n;
      const std::size_t j = 1 + random() % i;
      const std::string weight = std::to_string(1 + random() % 5);
      lower.push_back(std::to_string(i) + " " + std::to_string(j) + " " + weight + "\n");
      both.push_back(lower.back());
      if (i != j) {
        both.push_back(std::to_string(j) + " " + std::to_string(i) + " " + weight + "\r\n");
      }
    }
    const auto file = [&](const std::string& symmetry, const std::vector<std::string>& entries) {
      std::string text = kBanner + "coordinate integer " + symmetry + "\n" + std::to_string(n) +
                         " " + std::to_string(n) + " " + std::to_string(entries.size()) + "\n";
      for (const std::string& entry : entries) {
        text += entry;
      }
      return text;
    };
    const auto a = std::get<SparseMatrix>(mtx(file("symmetric", lower)).values);
    const auto b = std::get<SparseMatrix>(mtx(file("general", both)).values);
    EXPECT_EQ(a.offsets, b.offsets);
    EXPECT_EQ(a.columns, b.columns);
    EXPECT_EQ(a.values, b.values);
  }
}

TEST(MtxReader, pattern_entries_weigh_1) {
  const Input input = mtx(kBanner + "coordinate pattern symmetric\n2 2 1\n2 1\n");
  EXPECT_THAT(std::get<SparseMatrix>(input.values).values, ElementsAre(1, 1));
}

TEST(MtxReader, a_general_list_read_as_features_may_be_any_rectangle) {
  const Input input = mtx(kBanner + "coordinate real general\n2 3 4\n1 3 3\n1 1 1\n2 2 1\n2 2 1\n",
                          ShapeChoice::features);
  const auto& rows = std::get<SparseMatrix>(input.values);
  EXPECT_EQ(input.shape, Shape::features);
  EXPECT_EQ(input.objects(), 2U);
  EXPECT_EQ(rows.columns_count, 3U);
  EXPECT_THAT(rows.columns, ElementsAre(0, 2, 1));
  EXPECT_THAT(rows.values, ElementsAre(1, 3, 2));
}

TEST(MtxReader, a_sparse_similarity_is_a_graph) {
  EXPECT_EQ(
      mtx(kBanner + "coordinate real symmetric\n2 2 1\n2 1 1\n", ShapeChoice::similarity).shape,
      Shape::graph);
}

TEST(MtxReader, an_array_is_listed_column_by_column) {
  const Input input =
      mtx(kBanner + "array real general\n2 3\n1\n2\n3\n4\n5\n6\n", ShapeChoice::features);
  const auto& dense = std::get<DenseArray>(input.values);
  EXPECT_EQ(dense.at(1, 0), 2);
  EXPECT_EQ(dense.at(0, 1), 3);
  EXPECT_EQ(dense.at(1, 2), 6);
}

TEST(MtxReader, a_symmetric_array_lists_its_lower_triangle) {
  const Input input = mtx(kBanner + "array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n");
  const auto& dense = std::get<DenseArray>(input.values);
  EXPECT_EQ(input.shape, Shape::similarity);
  const double expected[3][3] = {{1, 2, 3}, {2, 4, 5}, {3, 5, 6}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(dense.at(i, j), expected[i][j]);
    }
  }
}

TEST(MtxReader, weights_that_agree_but_for_rounding_become_equal) {
  const Input input = mtx(kBanner + "coordinate real general\n2 2 2\n1 2 1.0\n2 1 1.0000000001\n");
  const auto& graph = std::get<SparseMatrix>(input.values);
  EXPECT_EQ(graph.values[0], graph.values[1]);
}

TEST(MtxReader, columns_far_beyond_the_entries_are_left_out_and_that_is_noted) {
  const std::string text =
      "%%MatrixMarket matrix coordinate real general\n"
      "3 100000000 4\n1 7 1\n2 99999999 2\n3 7 3\n3 100000000 4\n";
  ByteSource source = ByteSource::memory(text, "wide.mtx");
  ReadOptions options;
  options.shape = ShapeChoice::features;
  const Input input = read_mtx(source, options);
  const auto& rows = std::get<SparseMatrix>(input.values);
  EXPECT_EQ(rows.columns_count, 3U);
  EXPECT_EQ(rows.columns, (std::vector<std::uint32_t>{0, 1, 0, 2}));
  EXPECT_EQ(rows.values, (std::vector<double>{1, 2, 3, 4}));
  ASSERT_EQ(input.notes.size(), 1U);
  EXPECT_NE(render(input.notes[0]).find("99999997 of 100000000 columns"), std::string::npos);
}

TEST(MtxReader, lists_are_read_alike_on_any_number_of_threads) {
  std::string body;
  std::size_t entries = 0;
  for (int line = 0; line < 4000; ++line) {
    const int row = 1 + line * 7919 % 500;
    const int column = 1 + line * 104729 % row;
    body += (line % 50 == 0 ? "% remark\n" : "") + std::to_string(row) + " " +
            std::to_string(column) + (line % 3 == 0 ? " 1\n" : "  -0.25e1 \n");
    ++entries;
  }
  const std::string text = "%%MatrixMarket matrix coordinate real symmetric\n500 500 " +
                           std::to_string(entries) + "\n" + body;
  const auto read_with = [&](std::size_t chunk, int threads, const std::string& of) {
    ByteSource source = ByteSource::memory(of, "m.mtx", chunk);
    ReadOptions options;
    options.threads = threads;
    return std::get<SparseMatrix>(read_mtx(source, options).values);
  };
  const SparseMatrix expected = read_with(std::size_t{1} << 24, 1, text);
  for (const std::size_t chunk : {9, 512, 1 << 16}) {
    for (const int threads : {1, 4}) {
      const SparseMatrix found = read_with(chunk, threads, text);
      EXPECT_EQ(found.offsets, expected.offsets);
      EXPECT_EQ(found.columns, expected.columns);
      EXPECT_EQ(found.values, expected.values);
      const std::string error = message_of([&] { read_with(chunk, threads, text + "1 1 1\n"); });
      EXPECT_EQ(error.find("m.mtx: line 4083: found more than 4000 entries"), 0U) << error;
    }
  }
}

}  // namespace
}  // namespace shiftcut
