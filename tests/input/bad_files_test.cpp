// Every file of tests/corpus/bad is refused with one line that names it.
#include <filesystem>

#include <gtest/gtest.h>

#include "input/bytes/byte_source.hpp"
#include "input/message_of.hpp"
#include "input/readers.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {
namespace {

namespace fs = std::filesystem;

// The folder says how the file is read.
void read_bad(const fs::path& path) {
  const std::string folder = path.parent_path().filename().string();
  if (folder == "labels") {
    read_labels(path.string());
    return;
  }
  ReadOptions options;
  options.shape = folder == "features"     ? ShapeChoice::features
                  : folder == "similarity" ? ShapeChoice::similarity
                  : folder == "distance"   ? ShapeChoice::distance
                  : folder == "graph"      ? ShapeChoice::graph
                                           : ShapeChoice::automatic;
  read_input(path.string(), options);
}

std::vector<fs::path> bad_files() {
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(SHIFTCUT_SOURCE_DIR) / "tests/corpus/bad")) {
    if (entry.is_regular_file()) {
      files.push_back(entry.path());
    }
  }
  return files;
}

TEST(BadFiles, every_bad_file_is_refused_in_one_line_that_names_it) {
  const std::vector<fs::path> files = bad_files();
  ASSERT_GT(files.size(), 100U);
  for (const fs::path& path : files) {
    const std::string message = message_of([&] { read_bad(path); });
    EXPECT_NE(message, "") << path << " was read";
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_EQ(message.find(path.string() + ": "), 0U) << message;
    EXPECT_LT(message.size() - path.string().size(), 450U) << message;
  }
}

TEST(BadFiles, files_that_were_once_refused_are_read) {
  const fs::path folder = fs::path(SHIFTCUT_SOURCE_DIR) / "tests/corpus/good";
  for (const char* name :
       {"big_endian.npy", "integers.npy", "csr.npz", "csc_deflated.npz", "coo.npz"}) {
    EXPECT_GT(read_input((folder / name).string()).objects(), 0U) << name;
  }
}

TEST(BadFiles, malformed_content_is_an_invalid_argument) {
  for (const fs::path& path : bad_files()) {
    EXPECT_THROW(read_bad(path), std::invalid_argument) << path;
  }
}

TEST(BadFiles, a_missing_file_and_a_directory_are_runtime_errors) {
  EXPECT_THROW(read_input("/nowhere/at/all.csv"), std::runtime_error);
  EXPECT_EQ(message_of([] { read_input("/nowhere/at/all.csv"); }),
            "/nowhere/at/all.csv: can't be read: No such file or directory");
  EXPECT_EQ(message_of([] { read_input("/tmp"); }), "/tmp: can't be read: it is a directory");
}

TEST(BadFiles, a_path_with_control_bytes_stays_on_one_line) {
  const std::string message = message_of([] { read_input("/nowhere/a\nb.csv"); });
  EXPECT_EQ(message, "'/nowhere/a\\x0ab.csv': can't be read: No such file or directory");
}

TEST(BadFiles, standard_input_needs_a_format) {
  EXPECT_NE(message_of([] { read_input("-"); }).find("format"), std::string::npos);
}

TEST(BadFiles, options_for_tables_are_refused_with_other_formats) {
  const std::string folder = std::string(SHIFTCUT_SOURCE_DIR) + "/tests/corpus/bad/automatic/";
  ReadOptions options;
  options.label_column = "class";
  EXPECT_NE(message_of([&] { read_input(folder + "nan.npy", options); }).find("label_column"),
            std::string::npos);
}

// What is cut off a good file must be refused or read, never crash or hang.
template <class Read>
void cut_everywhere(const std::string& whole, Read read) {
  for (std::size_t length = 0; length < whole.size(); ++length) {
    ByteSource source = ByteSource::memory(whole.substr(0, length), "cut", 64);
    const std::string message = message_of([&] { read(source); });
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

TEST(BadFiles, a_file_cut_anywhere_is_refused_or_read) {
  cut_everywhere("a,\"b\",c\n1,\"x\"\"y\",3\r\n4,z,\"6\"\n",
                 [](ByteSource& source) { read_table(source, {}, ','); });
  cut_everywhere("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1.5\n3 2 -1\n",
                 [](ByteSource& source) { read_mtx(source, {}); });
  cut_everywhere("# c\na b 1.5\nb,c,2\n", [](ByteSource& source) { read_edge_list(source, {}); });
}

}  // namespace
}  // namespace shiftcut
