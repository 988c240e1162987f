// SciPy's sparse matrices.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "input/message_of.hpp"
#include "input/readers.hpp"

namespace shiftcut {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string bytes_of_file(const std::string& name) {
  const auto folder = std::filesystem::path(SHIFTCUT_SOURCE_DIR) / "tests/corpus/good";
  std::ifstream file(folder / name, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

Input npz(const std::string& bytes, ShapeChoice shape = ShapeChoice::automatic,
          std::size_t chunk = 1 << 16) {
  ByteSource source = ByteSource::memory(bytes, "g.npz", chunk);
  ReadOptions options;
  options.shape = shape;
  return read_npz(source, options);
}

// The matrix 0 2 0 0 / 2 0 1.5 0 / 0 1.5 3 0 / 0 0 0 0; the list has whole numbers.
TEST(NpzReader, reads_rows_columns_and_lists_stored_or_deflated) {
  for (const char* name : {"csr.npz", "csc_deflated.npz", "coo.npz"}) {
    const double between = std::string(name) == "coo.npz" ? 1 : 1.5;
    for (const std::size_t chunk : {1, 7, 1 << 16}) {
      const Input input = npz(bytes_of_file(name), ShapeChoice::automatic, chunk);
      const auto& graph = std::get<SparseMatrix>(input.values);
      EXPECT_EQ(input.shape, Shape::graph);
      EXPECT_TRUE(input.ids.empty());
      EXPECT_THAT(graph.offsets, ElementsAre(0, 1, 3, 5, 5)) << name;
      EXPECT_THAT(graph.columns, ElementsAre(1, 0, 2, 1, 2)) << name;
      EXPECT_THAT(graph.values, ElementsAre(2, 2, between, between, 3)) << name;
    }
  }
}

TEST(NpzReader, reads_rows_of_features) {
  for (const char* name : {"csr.npz", "csc_deflated.npz", "coo.npz"}) {
    const Input input = npz(bytes_of_file(name), ShapeChoice::features);
    const auto& rows = std::get<SparseMatrix>(input.values);
    EXPECT_EQ(input.shape, Shape::features);
    EXPECT_THAT(rows.columns, ElementsAre(1, 0, 2, 1, 2)) << name;
    EXPECT_EQ(rows.columns_count, 4U);
  }
}

TEST(NpzReader, refuses_every_truncation_and_what_damages_an_array) {
  const std::string whole = bytes_of_file("csr.npz");
  const std::size_t directory = whole.find("PK\x01\x02");
  ASSERT_NE(directory, std::string::npos);
  for (std::size_t size = 0; size < directory; size += 13) {
    EXPECT_THROW(npz(whole.substr(0, size)), std::invalid_argument) << size;
  }
  std::size_t refused = 0;
  std::size_t tried = 0;
  for (std::size_t at = 0; at < directory; at += 11) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x21);
    ++tried;
    try {
      npz(damaged);
    } catch (const std::invalid_argument&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, tried / 2);  // the rest are times and attributes
}

TEST(NpzReader, says_what_is_wrong) {
  EXPECT_THAT(message_of([] { npz("PK"); }), HasSubstr("g.npz: found the end of the file inside"));
  EXPECT_THAT(message_of([] { npz("something else entirely"); }),
              HasSubstr("found something other than a member of a ZIP archive"));
  EXPECT_THAT(message_of([] { npz(bytes_of_file("csr.npz"), ShapeChoice::distance); }),
              HasSubstr("a sparse file read as distances"));
}

}  // namespace
}  // namespace shiftcut
