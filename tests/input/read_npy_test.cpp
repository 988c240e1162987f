// NumPy arrays of all types and both orders, from files and streams.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "input/message_of.hpp"
#include "input/readers.hpp"
#include "input/temp_file.hpp"

namespace shiftcut {
namespace {

struct Layout {
  bool float32 = false;
  bool fortran = false;
  int version = 1;
  std::size_t shift = 0;  // bytes more of header: the numbers lie off their alignment
};

template <class T>
std::string bytes_of(const std::vector<double>& values) {
  const std::vector<T> typed(values.begin(), values.end());
  return {reinterpret_cast<const char*>(typed.data()), typed.size() * sizeof(T)};
}

// As numpy.save writes it.
std::string npy(const std::vector<double>& values, std::size_t rows, std::size_t columns,
                const Layout& layout) {
  std::string dictionary = "{'descr': '" + std::string(layout.float32 ? "<f4" : "<f8") +
                           "', 'fortran_order': " + (layout.fortran ? "True" : "False") +
                           ", 'shape': (" + std::to_string(rows) + ", " + std::to_string(columns) +
                           "), }";
  const std::size_t before = layout.version == 1 ? 10 : 12;
  while ((before + dictionary.size() + 1) % 64 != layout.shift) {
    dictionary += ' ';
  }
  dictionary += '\n';
  std::string out = "\x93NUMPY";
  out += static_cast<char>(layout.version);
  out += '\0';
  for (std::size_t i = 0; i < before - 8; ++i) {
    out += static_cast<char>(dictionary.size() >> (8 * i) & 0xff);
  }
  std::vector<double> ordered = values;
  if (layout.fortran && !values.empty()) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        ordered[j * rows + i] = values[i * columns + j];
      }
    }
  }
  return out + dictionary + (layout.float32 ? bytes_of<float>(ordered) : bytes_of<double>(ordered));
}

void expect_values(const Input& input, const std::vector<double>& values, std::size_t rows,
                   std::size_t columns, const Layout& layout) {
  const auto& dense = std::get<DenseArray>(input.values);
  ASSERT_EQ(dense.rows(), rows);
  ASSERT_EQ(dense.columns(), columns);
  EXPECT_EQ(dense.is_float32(), layout.float32);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      ASSERT_EQ(dense.at(i, j), values[i * columns + j]);
    }
  }
}

TEST(NpyReader, every_layout_reads_back_from_a_file_a_gzip_and_memory) {
  std::mt19937 random(7);
  for (int bits = 0; bits < 16; ++bits) {
    for (const std::size_t size : {1, 5, 70}) {
      const Layout layout{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0 ? 1 : 3,
                          (bits & 8) != 0 ? 3U : 0U};
      const std::size_t rows = size + random() % 3;
      const std::size_t columns = size + random() % 3;
      std::vector<double> values(rows * columns);
      for (double& value : values) {
        value = static_cast<float>(random()) / 1024;
      }
      const std::string bytes = npy(values, rows, columns, layout);
      const TempFile plain(".npy", bytes);
      const TempFile packed(".npy.gz", gzipped(bytes));
      expect_values(read_input(plain.path()), values, rows, columns, layout);
      expect_values(read_input(packed.path()), values, rows, columns, layout);
      for (const std::size_t chunk : {1, 7, 1 << 20}) {
        ByteSource source = ByteSource::memory(bytes, "memory", chunk);
        expect_values(read_npy(source, {}), values, rows, columns, layout);
      }
    }
  }
}

// One row of numbers whose bytes, lowest first, are those of `stored`.
template <class T>
std::string row_of(const std::string& type, const std::vector<T>& stored, bool big_endian) {
  std::string bytes(reinterpret_cast<const char*>(stored.data()), stored.size() * sizeof(T));
  if (big_endian) {
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(T)) {
      std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                   bytes.begin() + static_cast<std::ptrdiff_t>(i + sizeof(T)));
    }
  }
  const std::string order = sizeof(T) == 1 ? "|" : big_endian ? ">" : "<";
  std::string dictionary = "{'descr': '" + order + type +
                           "', 'fortran_order': False, 'shape': (1, " +
                           std::to_string(stored.size()) + "), }\n";
  std::string out = "\x93NUMPY";
  out += '\1';
  out += '\0';
  out += static_cast<char>(dictionary.size());
  out += '\0';
  return out + dictionary + bytes;
}

template <class T>
void expect_row(const std::string& type, const std::vector<T>& stored,
                const std::vector<double>& values, bool float32) {
  for (const bool big_endian : {false, true}) {
    const TempFile file(".npy", row_of(type, stored, big_endian));
    const Input input = read_input(file.path());
    expect_values(input, values, 1, values.size(), {.float32 = float32});
    EXPECT_TRUE(input.notes.empty());
    ByteSource source = ByteSource::memory(row_of(type, stored, big_endian), "memory", 3);
    expect_values(read_npy(source, {}), values, 1, values.size(), {.float32 = float32});
  }
}

TEST(NpyReader, numbers_of_every_type_and_order_of_bytes_are_read) {
  expect_row<float>("f4", {1.5F, -2}, {1.5, -2}, true);
  expect_row<double>("f8", {1.1, -2e300}, {1.1, -2e300}, false);
  expect_row<std::int8_t>("i1", {-128, 127}, {-128, 127}, true);
  expect_row<std::int16_t>("i2", {-32768, 258}, {-32768, 258}, true);
  expect_row<std::int32_t>("i4", {-2147483647 - 1, 16777217}, {-2147483648.0, 16777217}, false);
  expect_row<std::int64_t>("i8", {-(std::int64_t{1} << 53), 5}, {-9007199254740992.0, 5}, false);
  expect_row<std::uint8_t>("u1", {0, 255}, {0, 255}, true);
  expect_row<std::uint16_t>("u2", {258, 65535}, {258, 65535}, true);
  expect_row<std::uint32_t>("u4", {4294967295U, 1}, {4294967295.0, 1}, false);
  expect_row<std::uint64_t>("u8", {std::uint64_t{1} << 53U, 7}, {9007199254740992.0, 7}, false);
  expect_row<std::uint8_t>("b1", {0, 1}, {0, 1}, true);
  // 1, -2, the largest, the smallest and the largest below the normal ones.
  expect_row<std::uint16_t>("f2", {0x3c00, 0xc000, 0x7bff, 0x0001, 0x03ff},
                            {1, -2, 65504, std::ldexp(1.0, -24), std::ldexp(1023.0, -24)}, true);
}

TEST(NpyReader, half_precision_that_is_not_finite_is_refused) {
  for (const std::uint16_t bits : std::vector<std::uint16_t>{0x7c00, 0xfc00, 0x7e00}) {
    const TempFile file(".npy", row_of<std::uint16_t>("f2", {0x3c00, bits}, false));
    EXPECT_NE(message_of([&] { read_input(file.path()); }).find("column 1"), std::string::npos);
  }
}

TEST(NpyReader, whole_numbers_that_float64_can_not_hold_are_noted) {
  const TempFile file(".npy", row_of<std::int64_t>("i8", {(std::int64_t{1} << 53) + 1, 5}, false));
  const Input input = read_input(file.path());
  ASSERT_EQ(input.notes.size(), 1U);
  EXPECT_NE(render(input.notes[0]).find("1 number beyond 2^53"), std::string::npos)
      << render(input.notes[0]);
}

TEST(NpyReader, a_single_dimension_is_refused_with_a_hint) {
  std::string bytes = row_of<double>("f8", {1, 2}, false);
  bytes.replace(bytes.find("(1, 2)"), 6, "(2,)  ");
  const TempFile file(".npy", bytes);
  EXPECT_NE(message_of([&] { read_input(file.path()); }).find("reshape(-1, 1)"), std::string::npos);
}

TEST(NpyReader, a_file_that_is_cut_or_overwritten_once_it_is_read_changes_nothing) {
  for (const bool cut : {true, false}) {
    const std::vector<double> values(4096, 7.5);
    const TempFile file(".npy", npy(values, 1024, 4, {}));
    const Input input = read_input(file.path());
    if (cut) {
      ASSERT_EQ(::truncate(file.path().c_str(), 0), 0);
    } else {
      std::fstream(file.path(), std::ios::in | std::ios::out | std::ios::binary)
          << std::string(4096 * 8, '\xff');
    }
    expect_values(input, values, 1024, 4, {});
  }
}

TEST(NpyReader, a_file_that_gets_shorter_while_it_is_read_is_refused) {
  for (const bool fortran : {false, true}) {
    const TempFile file(".npy", npy(std::vector<double>(4096, 1), 1024, 4, {.fortran = fortran}));
    ByteSource source = ByteSource::open(file.path());
    ASSERT_EQ(::truncate(file.path().c_str(), 20000), 0);
    EXPECT_NE(
        message_of([&] { read_npy(source, {}); }).find("bytes of numbers; allowed: the 32768"),
        std::string::npos);
  }
}

TEST(NpyReader, an_array_larger_than_memory_is_refused_before_it_is_read) {
  const std::size_t rows = std::size_t{1} << 40U;  // 8 TiB, all of it a hole
  const std::string head = npy({}, rows, 1, {});
  const TempFile file(".npy", head);
  if (::truncate(file.path().c_str(), static_cast<off_t>(head.size() + rows * 8)) != 0) {
    GTEST_SKIP() << "no such large files here";
  }
  const std::string message = message_of([&] { read_input(file.path()); });
  EXPECT_NE(message.find("needs 1099511627776 x 1 numbers of 8796.1 GB"), std::string::npos)
      << message;
}

TEST(NpyReader, an_array_outlives_its_file_and_its_input) {
  DenseArray kept;
  {
    const TempFile file(".npy", npy({1, 2, 3, 4, 5, 6}, 2, 3, {}));
    kept = std::get<DenseArray>(read_input(file.path()).values);
  }
  EXPECT_EQ(kept.at(1, 2), 6);
}

TEST(NpyReader, a_large_array_is_checked_in_blocks) {
  std::vector<double> values(1000 * 500, 1.0);
  values[777 * 500 + 123] = std::numeric_limits<double>::quiet_NaN();
  const TempFile file(".npy", npy(values, 1000, 500, {}));
  EXPECT_EQ(message_of([&] { read_input(file.path()); }),
            file.path() +
                ": row 777, column 123 (counted from 0): found nan; allowed: a finite "
                "number");
}

TEST(NpyReader, one_wrong_entry_of_a_large_symmetric_matrix_is_found) {
  constexpr std::size_t n = 300;
  std::mt19937 random(8);
  std::vector<double> values(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      values[i * n + j] = values[j * n + i] = static_cast<double>(random() % 1000);
    }
  }
  ReadOptions options;
  options.shape = ShapeChoice::similarity;
  const TempFile good(".npy", npy(values, n, n, {}));
  EXPECT_EQ(read_input(good.path(), options).shape, Shape::similarity);
  for (int round = 0; round < 20; ++round) {
    std::vector<double> wrong = values;
    const std::size_t i = random() % n;
    const std::size_t j = (i + 1 + random() % (n - 1)) % n;
    wrong[i * n + j] += 0.001;
    const TempFile bad(".npy", npy(wrong, n, n, {}));
    const std::string place = "row " + std::to_string(i) + ", column " + std::to_string(j);
    EXPECT_NE(message_of([&] { read_input(bad.path(), options); }).find(place), std::string::npos);
  }
}

TEST(NpyReader, a_file_cut_anywhere_is_refused) {
  const std::string whole = npy({1, 2, 3, 4}, 2, 2, {});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const TempFile file(".npy", whole.substr(0, length));
    EXPECT_THROW(read_input(file.path()), std::invalid_argument) << length;
    ByteSource source = ByteSource::memory(whole.substr(0, length), "memory");
    EXPECT_THROW(read_npy(source, {}), std::invalid_argument) << length;
  }
}

}  // namespace
}  // namespace shiftcut
