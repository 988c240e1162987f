#include "shiftcut/run_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "blocks/file/memory_needs.hpp"
#include "core/spill_file.hpp"
#include "shiftcut/checkpoint.hpp"
#include "shiftcut/read.hpp"
#include "shiftcut/run.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

namespace fs = std::filesystem;
using testing_support::grouped_rows;

constexpr std::size_t kEnough = std::size_t{1} << 40;

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "shiftcut-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  [[nodiscard]] std::string file(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

template <class T>
std::string write_npy(const std::string& path, const std::vector<T>& values, std::size_t columns) {
  std::string header =
      "{'descr': '<f" + std::to_string(sizeof(T)) + "', 'fortran_order': False, 'shape': (" +
      std::to_string(values.size() / columns) + ", " + std::to_string(columns) + "), }";
  header.resize(117, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  file << "\x93NUMPY" << '\1' << '\0' << static_cast<char>(header.size()) << '\0' << header;
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(T)));
  return path;
}

std::vector<double> some_rows(std::size_t n, std::size_t d, std::uint64_t seed) {
  Rng rng(seed);
  return grouped_rows(n, d, 4, rng);
}

Options in_regions(std::size_t rows) {
  Options options;
  options.similarity.region_rows = rows;
  options.search.threads = 1;
  return options;
}

void expect_same(const std::string& path, const Options& options) {
  const Result whole = run(read_input(path), options);
  const FileRun parts = run_file(path, {}, options, kEnough);
  EXPECT_EQ(parts.result.labels, whole.labels);
  EXPECT_EQ(parts.result.sizes, whole.sizes);
  EXPECT_EQ(parts.result.cost, whole.cost);
  EXPECT_EQ(parts.result.objects, whole.objects);
  EXPECT_EQ(parts.result.similarity, whole.similarity);
  EXPECT_EQ(parts.result.metric, whole.metric);
  EXPECT_EQ(parts.result.scale, whole.scale);
  EXPECT_EQ(parts.result.scale_reason, whole.scale_reason);
  EXPECT_EQ(parts.result.shift_strength, whole.shift_strength);
  EXPECT_EQ(parts.input.objects(), whole.objects);
}

TEST(run_file, has_the_labels_of_run) {
  const Folder folder;
  const std::vector<double> rows = some_rows(700, 5, 1);
  const std::string wide = write_npy(folder.file("f64.npy"), rows, 5);
  const std::string narrow =
      write_npy(folder.file("f32.npy"), std::vector<float>(rows.begin(), rows.end()), 5);
  for (const std::size_t regions : {0U, 100U}) {
    for (const Scale scale : {Scale::automatic, Scale::none, Scale::standard, Scale::minmax}) {
      Options options = in_regions(regions);
      options.similarity.scale = scale;
      expect_same(scale == Scale::none ? narrow : wide, options);
    }
    for (const Metric metric : {Metric::cosine, Metric::correlation}) {
      Options options = in_regions(regions);
      options.similarity.kind = Similarity::neighbors;
      options.similarity.metric = metric;
      options.search.clusters = 3;
      expect_same(metric == Metric::cosine ? narrow : wide, options);
    }
  }
  Options options = in_regions(100);
  options.similarity.weights = Weights::gaussian;
  options.similarity.neighbors = 6;
  options.search.threads = 3;
  expect_same(wide, options);
}

TEST(run_file, counts_equal_rows_as_run_does) {
  const Folder folder;
  std::vector<double> rows = some_rows(700, 3, 2);
  for (double& value : rows) {
    value = std::round(2 * value);
  }
  const std::string path = write_npy(folder.file("rows.npy"), rows, 3);
  expect_same(path, in_regions(0));
  expect_same(path, in_regions(100));
  Options given = in_regions(100);
  given.search.clusters = 4;
  given.similarity.scale = Scale::standard;
  expect_same(path, given);
}

TEST(run_file, joins_far_groups_as_run_does) {
  const Folder folder;
  std::vector<double> rows = some_rows(1200, 4, 3);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] += i / 4 % 3 == 0 ? 1000.0 : 0.0;
  }
  expect_same(write_npy(folder.file("rows.npy"), rows, 4), in_regions(150));
}

TEST(run_file, refuses_a_limit_that_is_too_small_before_the_work) {
  const Folder folder;
  const std::string path = write_npy(folder.file("rows.npy"), some_rows(20'000, 4, 4), 4);
  std::atomic<int> calls = 0;
  Control control;
  control.progress = [&](const Progress& progress) {
    calls += progress.phase != "reading" ? 1 : 0;
  };
  try {
    (void)run_file(path, {}, in_regions(1000), 5'000'000, control);
    FAIL();
  } catch (const ResourceError& error) {
    EXPECT_EQ(error.message().code, "not_enough_memory");
    EXPECT_EQ(error.message().parameter, "memory_limit");
    EXPECT_NE(std::string(error.what()).find("allowed: "), std::string::npos);
  }
  EXPECT_EQ(calls, 0);
}

TEST(run_file, refuses_what_needs_all_rows) {
  const Folder folder;
  const std::string path = write_npy(folder.file("rows.npy"), some_rows(100, 3, 5), 3);
  const auto refused = [&](const auto& change, const ReadOptions& read = {}) {
    Options options;
    change(options);
    EXPECT_THROW((void)run_file(path, read, options, kEnough), std::invalid_argument);
  };
  refused([](Options& o) { o.similarity.kind = Similarity::linear; });
  refused([](Options& o) { o.similarity.kind = Similarity::cosine; });
  refused([](Options& o) { o.similarity.metric = Metric::manhattan; });
  refused([](Options& o) { o.search.min_size = 3; });
  refused([](Options& o) { o.search.max_seconds = 3; });
  refused([](Options& o) { o.search.clusters = 101; });
  refused([](Options& o) { o.links.must_link.push_back({0, 1}); });
  ReadOptions distances;
  distances.shape = ShapeChoice::distance;
  refused([](Options&) {}, distances);
  std::vector<double> words(300, 0.0);  // nearly all zeros: cosine similarities
  words[0] = words[4] = words[8] = 1;
  const std::string sparse = write_npy(folder.file("words.npy"), words, 3);
  EXPECT_THROW((void)run_file(sparse, {}, {}, kEnough), std::invalid_argument);
  const std::string equal = write_npy(folder.file("equal.npy"), std::vector<double>(30, 1.0), 3);
  EXPECT_THROW((void)run_file(equal, {}, {}, kEnough), std::invalid_argument);
}

TEST(run_file, names_the_row_that_is_not_finite) {
  const Folder folder;
  std::vector<double> rows = some_rows(12'000, 40, 6);
  rows[40 * 11'990 + 1] = std::numeric_limits<double>::quiet_NaN();
  const std::string path = write_npy(folder.file("rows.npy"), rows, 40);
  try {
    (void)run_file(path, {}, in_regions(0), 100'000'000);  // in two blocks
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("row 11990, column 1"), std::string::npos)
        << error.what();
  }
}

// Stops at the n-th report of a phase.
struct StopAt {
  StopAt(const char* phase, int count) {
    control.stop = &stop;
    control.progress = [this, phase, count](const Progress& progress) {
      seen += progress.phase == phase ? 1 : 0;
      stop = stop || seen >= count;
    };
  }
  std::atomic<bool> stop = false;
  int seen = 0;
  Control control;
};

TEST(run_file, stops_when_asked_and_goes_on_from_a_checkpoint) {
  const Folder folder;
  const std::string path = write_npy(folder.file("rows.npy"), some_rows(1500, 5, 7), 5);
  const Options options = in_regions(200);
  const Result expected = run(read_input(path), options);
  for (const char* phase : {"equal rows", "regions"}) {
    StopAt stopped(phase, 1);
    EXPECT_THROW((void)run_file(path, {}, options, kEnough, stopped.control), Interrupted);
  }
  {
    Checkpoint checkpoint(folder.file("kept"));
    StopAt stopped("neighbours", 6);
    stopped.control.checkpoint = &checkpoint;
    EXPECT_THROW((void)run_file(path, {}, options, kEnough, stopped.control), Interrupted);
  }
  std::size_t regions = 0;
  for (const auto& part : fs::directory_iterator(folder.file("kept"))) {
    regions += part.path().filename().string().starts_with("region-") ? 1 : 0;
  }
  EXPECT_GE(regions, 4U);
  Checkpoint checkpoint(folder.file("kept"));
  Control control;
  control.checkpoint = &checkpoint;
  EXPECT_EQ(run_file(path, {}, options, kEnough, control).result.labels, expected.labels);
  ASSERT_FALSE(checkpoint.messages().empty());
  EXPECT_EQ(checkpoint.messages()[0].code, "resumed");
  Options other = options;
  other.search.seed = 5;
  EXPECT_THROW((void)run_file(path, {}, other, kEnough, control), std::invalid_argument);
}

#ifndef SHIFTCUT_SANITIZED
// Of a process that does this alone, in bytes; it ends with `code`.
template <class Do>
std::size_t peak_of(const Do& work, int code = 0) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      work();
    } catch (const ResourceError&) {
      ::_exit(3);
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  int status = 0;
  rusage usage = {};
  EXPECT_EQ(::wait4(child, &status, 0, &usage), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), code);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

TEST(run_file, keeps_the_limit) {
  const Folder folder;
  constexpr std::size_t kRows = 16'000;
  constexpr std::size_t kColumns = 1500;
  std::string path;
  (void)peak_of([&] {  // in another process: this one must stay small
    const std::vector<double> rows = some_rows(kRows, kColumns, 8);
    write_npy(folder.file("rows.npy"), std::vector<float>(rows.begin(), rows.end()), kColumns);
  });
  path = folder.file("rows.npy");
  Options options = in_regions(8000);
  options.similarity.scale = Scale::standard;
  constexpr std::size_t kTable = kRows * kColumns * sizeof(float);
  constexpr std::size_t kLimit = kTable / 4 * 5;  // run() holds the table and packed copies of it
  const std::size_t limited = peak_of([&] { (void)run_file(path, {}, options, kLimit); });
  EXPECT_LT(limited, kLimit);
  (void)peak_of([&] { (void)run_file(path, {}, options, kLimit / 4); }, 3);
}
#endif

}  // namespace
}  // namespace shiftcut
