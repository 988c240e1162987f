// NumPy arrays of both types and both orders, mapped and read.
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "input/message_of.hpp"
#include "input/npy_reader.hpp"
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
  if (layout.fortran) {
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

TEST(NpyReader, a_mapped_array_outlives_its_file_and_its_input) {
  DenseArray kept;
  {
    const TempFile file(".npy", npy({1, 2, 3, 4, 5, 6}, 2, 3, {}));
    kept = std::get<DenseArray>(read_input(file.path()).values);
  }
  kept.release_pages();
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
