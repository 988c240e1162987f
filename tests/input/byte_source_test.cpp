// Bytes from files, gzip and memory, and lines from bytes.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "input/bytes/byte_source.hpp"
#include "input/bytes/line_reader.hpp"
#include "input/temp_file.hpp"

namespace shiftcut {
namespace {

std::string all_of(ByteSource& source, std::size_t step = 1000) {
  std::string all;
  std::string piece(step, '\0');
  while (const std::size_t got = source.read(piece.data(), piece.size())) {
    all.append(piece, 0, got);
  }
  return all;
}

std::string random_text(std::mt19937& random, std::size_t size) {
  std::string text(size, ' ');
  for (char& c : text) {
    c = "ab,\n\r\"7"[random() % 7];
  }
  return text;
}

TEST(ByteSource, gzipped_bytes_equal_plain_bytes_for_every_chunk_size) {
  std::mt19937 random(2);
  for (const std::size_t size : {0, 1, 2, 3, 100, 5000}) {
    const std::string text = random_text(random, size);
    const TempFile plain(".txt", text);
    const TempFile packed(".gz", gzipped(text));
    for (const std::size_t chunk : {1, 2, 3, 7, 64, 1 << 20}) {
      ByteSource a = ByteSource::open(plain.path(), {}, chunk);
      ByteSource b = ByteSource::open(packed.path(), {}, chunk);
      ByteSource c = ByteSource::memory(text, "memory", chunk);
      EXPECT_EQ(all_of(a), text);
      EXPECT_EQ(all_of(b), text);
      EXPECT_EQ(all_of(c), text);
      EXPECT_TRUE(a.is_plain_file());
      EXPECT_FALSE(b.is_plain_file());
    }
  }
}

TEST(ByteSource, gzip_members_one_after_another_are_one_text) {
  const std::string bytes = gzipped("one,") + gzipped("") + gzipped("two") + std::string(5, '\0');
  for (const std::size_t chunk : {1, 5, 1000}) {
    ByteSource source = ByteSource::memory(bytes, "members", chunk);
    EXPECT_EQ(all_of(source), "one,two");
  }
}

TEST(ByteSource, gzip_cut_anywhere_is_an_error) {
  const std::string whole = gzipped("some text that is long enough to be packed, packed, packed");
  for (std::size_t length = 2; length < whole.size(); ++length) {
    ByteSource source = ByteSource::memory(whole.substr(0, length), "cut.gz", 16);
    EXPECT_THROW(all_of(source), std::invalid_argument) << length;
  }
}

TEST(ByteSource, a_dash_is_standard_input) {
  const TempFile file(".gz", gzipped("from standard input"));
  const int saved = ::dup(STDIN_FILENO);
  const int descriptor = ::open(file.path().c_str(), O_RDONLY);
  ::dup2(descriptor, STDIN_FILENO);
  {
    ByteSource source = ByteSource::open("-");
    EXPECT_EQ(all_of(source), "from standard input");
    EXPECT_EQ(source.name(), "standard input");
    EXPECT_FALSE(source.is_plain_file());
  }
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(descriptor);
}

TEST(ByteSource, a_stop_request_ends_reading) {
  const TempFile file(".txt", std::string(100, 'x'));
  const std::atomic<bool> stop = true;
  Control control;
  control.stop = &stop;
  EXPECT_THROW(ByteSource::open(file.path(), control), Interrupted);
}

TEST(ByteSource, progress_tells_bytes_done_and_the_size_of_the_file) {
  const TempFile file(".txt", std::string(100, 'x'));
  Progress last;
  Control control;
  control.progress = [&](const Progress& progress) { last = progress; };
  ByteSource source = ByteSource::open(file.path(), control, 10);
  std::this_thread::sleep_for(std::chrono::milliseconds(120));
  EXPECT_EQ(all_of(source).size(), 100U);
  EXPECT_EQ(last.phase, "reading");
  EXPECT_EQ(last.total, 100U);
  EXPECT_EQ(last.done, 12U);  // two bytes to look for gzip, one chunk; then it is too soon again
  EXPECT_GT(last.seconds, 0.1);
  EXPECT_GT(last.seconds_left, 0);
}

TEST(LineReader, a_file_without_lines_is_refused_while_it_is_small) {
  ByteSource zeros = ByteSource::memory(std::string(100'000, '\0'), "zeros", 4096);
  EXPECT_THROW(LineReader(zeros).next(), std::invalid_argument);
  EXPECT_EQ(all_of(zeros).size(), 100'000U - 16U * 4096U);  // those it looked at for a line end
}

TEST(LineReader, what_comes_next_can_be_seen_before_it_is_read) {
  for (const std::size_t chunk : {1, 4, 100}) {
    ByteSource source = ByteSource::memory("one\ntwo\nthree\n", "text", chunk);
    LineReader lines(source);
    EXPECT_EQ(lines.ahead(5), "one\nt");
    ASSERT_TRUE(lines.next());
    EXPECT_EQ(lines.ahead(100), "two\nthree\n");
    ASSERT_TRUE(lines.next());
    EXPECT_EQ(lines.line(), "two");
    EXPECT_EQ(lines.number(), 2U);
  }
}

TEST(LineReader, lines_are_the_same_for_every_chunk_size) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    const std::string text = random_text(random, random() % 60);
    std::vector<std::string> whole;
    for (const std::size_t chunk : {1 << 16, 1, 2, 3, 4, 5, 6, 7}) {
      ByteSource source = ByteSource::memory(text, "text", chunk);
      LineReader lines(source);
      std::vector<std::string> got;
      while (lines.next()) {
        got.emplace_back(lines.line());
        EXPECT_EQ(lines.number(), got.size());
      }
      whole = chunk == 1 << 16 ? got : whole;
      EXPECT_EQ(got, whole);
    }
    std::string joined;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      joined += whole[i];
      joined += i + 1 < whole.size() || text.ends_with('\n') ? "\n" : "";
    }
    std::string expected = text;
    if (text.find('\n') == std::string::npos) {  // lines end in CR, then
      joined += text.ends_with('\r') ? "\n" : "";
      std::ranges::replace(expected, '\r', '\n');
    }
    for (std::size_t at = 0; (at = expected.find("\r\n", at)) != std::string::npos;) {
      expected.erase(at, 1);
      ++at;
    }
    EXPECT_EQ(joined, expected);
  }
}

TEST(LineReader, a_byte_order_mark_is_skipped) {
  for (const std::size_t chunk : {1, 2, 3, 100}) {
    ByteSource source = ByteSource::memory(
        "\xEF\xBB\xBF"
        "a\nb",
        "text", chunk);
    LineReader lines(source);
    ASSERT_TRUE(lines.next());
    EXPECT_EQ(lines.line(), "a");
    ASSERT_TRUE(lines.next());
    EXPECT_EQ(lines.line(), "b");
    EXPECT_FALSE(lines.next());
  }
}

}  // namespace
}  // namespace shiftcut
