#include "shiftcut/data.hpp"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <utility>

#include "core/rng.hpp"
#include "input/message_of.hpp"

namespace shiftcut {
namespace {

TEST(dense_array, refuses_numbers_that_do_not_fill_it) {
  for (const std::size_t have : {0U, 5U, 7U}) {
    EXPECT_THROW(DenseArray::own(std::vector<double>(have), 2, 3), std::invalid_argument);
    EXPECT_THROW(DenseArray::own(std::vector<float>(have), 2, 3), std::invalid_argument);
  }
  const std::string message = message_of([] { DenseArray::own(std::vector<double>(5), 2, 3); });
  EXPECT_NE(message.find("found 5"), std::string::npos) << message;
  EXPECT_NE(message.find("allowed"), std::string::npos) << message;
}

TEST(dense_array, gives_its_numbers_back_row_by_row) {
  const DenseArray f64 = DenseArray::own(std::vector<double>{1, 2, 3, 4, 5, 6.5}, 2, 3);
  const DenseArray f32 = DenseArray::own(std::vector<float>{1, 2, 3, 4, 5, 6.5}, 2, 3);
  EXPECT_FALSE(f64.is_float32());
  EXPECT_TRUE(f32.is_float32());
  for (const DenseArray& array : {f64, f32}) {
    EXPECT_EQ(array.rows(), 2U);
    EXPECT_EQ(array.columns(), 3U);
    EXPECT_EQ(array.at(0, 0), 1);
    EXPECT_EQ(array.at(0, 2), 3);
    EXPECT_EQ(array.at(1, 0), 4);
    EXPECT_EQ(array.at(1, 2), 6.5);
  }
}

TEST(dense_array, copies_share_the_numbers) {
  DenseArray copy;
  const double* numbers = nullptr;
  {
    const DenseArray array = DenseArray::own(std::vector<double>{7, 8}, 1, 2);
    copy = array;
    numbers = array.f64();
  }
  EXPECT_EQ(copy.f64(), numbers);
  EXPECT_EQ(copy.at(0, 1), 8);
}

TEST(dense_array, keeps_alive_what_it_borrows) {
  auto owner = std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3});
  const std::weak_ptr<std::vector<float>> watch = owner;
  {
    DenseArray array = DenseArray::borrow(owner->data(), 3, 1, owner);
    const DenseArray copy = array;
    owner.reset();
    array = DenseArray();
    EXPECT_FALSE(watch.expired());
    EXPECT_EQ(copy.at(2, 0), 3);
  }
  EXPECT_TRUE(watch.expired());
}

TEST(dense_array, by_default_is_empty) {
  const DenseArray array;
  EXPECT_EQ(array.rows(), 0U);
  EXPECT_EQ(array.columns(), 0U);
  EXPECT_FALSE(array.is_float32());
}

TEST(sparse_from_entries, adds_up_entries_of_one_cell_and_sorts_the_rest) {
  Rng rng(1);
  for (int round = 0; round < 100; ++round) {
    const std::uint32_t rows = 1 + rng.below(12);
    const std::uint32_t columns = 1 + rng.below(12);
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> cells;
    std::vector<Entry> entries;
    for (std::uint32_t e = rng.below(60); e > 0; --e) {
      const Entry entry{rng.below(rows), rng.below(columns), 1.0 + rng.below(9)};
      cells[{entry.row, entry.column}] += entry.value;
      entries.push_back(entry);
    }
    const SparseMatrix matrix = sparse_from_entries(entries, rows, columns);
    EXPECT_EQ(matrix.rows, rows);
    EXPECT_EQ(matrix.columns_count, columns);
    ASSERT_EQ(matrix.offsets.size(), rows + std::size_t{1});
    EXPECT_EQ(matrix.offsets[0], 0);
    ASSERT_EQ(matrix.columns.size(), cells.size());
    ASSERT_EQ(matrix.values.size(), cells.size());
    auto cell = cells.begin();
    for (std::uint32_t i = 0; i < rows; ++i) {
      for (auto e = static_cast<std::size_t>(matrix.offsets[i]);
           e < static_cast<std::size_t>(matrix.offsets[i + 1]); ++e, ++cell) {
        ASSERT_EQ(cell->first, std::pair(i, matrix.columns[e]));
        ASSERT_EQ(cell->second, matrix.values[e]);
      }
    }
    EXPECT_EQ(cell, cells.end());
  }
}

TEST(sparse_from_entries, of_nothing_has_empty_rows) {
  const SparseMatrix matrix = sparse_from_entries({}, 3, 4);
  EXPECT_EQ(matrix.offsets, std::vector<std::int64_t>(4, 0));
  EXPECT_TRUE(matrix.columns.empty());
}

TEST(input, counts_its_objects_in_both_forms) {
  Input input;
  EXPECT_EQ(input.objects(), 0U);
  input.values = DenseArray::own(std::vector<float>(6), 3, 2);
  EXPECT_EQ(input.objects(), 3U);
  input.values = sparse_from_entries({{4, 1, 1.0}}, 5, 2);
  EXPECT_EQ(input.objects(), 5U);
}

}  // namespace
}  // namespace shiftcut
