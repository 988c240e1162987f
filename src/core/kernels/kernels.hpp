// The few loops where nearly all the time is spent: dense arithmetic on rows (kernels.cpp) and
// searches through arrays of numbers (selection_kernels.cpp). Each is compiled for several
// generations of processors and gives the same bits on all of them (simd.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace shiftcut {

/// a . b
double dot(const double* a, const double* b, std::size_t length);

/// |a - b|^2, without cancellation.
double squared_distance(const double* a, const double* b, std::size_t length);

/// y += factor * x
void add_scaled(double* y, double factor, const double* x, std::size_t length);
void add_scaled(double* y, double factor, const float* x, std::size_t length);
void add_scaled(float* y, float factor, const float* x, std::size_t length);

/// y += factor * (a + b + c + d), where a, b, c and d are the four `rows`
void add_four(double* y, double factor, const float* const* rows, std::size_t length);

/// y = the sum of `count` rows
void sum_rows(float* y, const float* const* rows, std::size_t count, std::size_t length);

/// sums_j += (x_j - centre_j)^2
void add_squared_differences(double* sums, const double* x, const double* centre,
                             std::size_t length);
void add_squared_differences(double* sums, const float* x, const double* centre,
                             std::size_t length);

/// from -= factor * x and to += factor * x
void move_between(double* from, double* to, double factor, const double* x, std::size_t length);
void move_between(double* from, double* to, double factor, const float* x, std::size_t length);
/// from -= x and to += x
void move_between(float* from, float* to, const float* x, std::size_t length);

/// out_j = factor * x_j, computed in double precision
void narrow(float* out, const double* x, double factor, std::size_t length);
void widen(double* out, const float* x, double factor, std::size_t length);

/// out_j = (x_j - offset_j) * factor_j
void affine(double* out, const double* x, const double* offset, const double* factor,
            std::size_t length);
void affine(double* out, const float* x, const double* offset, const double* factor,
            std::size_t length);

/// Columns per panel of PackedColumns; the last panel is padded with zeros.
inline constexpr std::size_t kPanel = 16;

/// Columns (vectors of equal length) laid out for tile products: panel by panel, and within a panel
/// entry by entry, with the kPanel columns' values of an entry side by side.
template <class T>
class PackedColumns {
 public:
  void resize(std::size_t length, std::size_t count) {
    if (length == length_ && count == count_) {
      return;  // the padding is zero already
    }
    length_ = length;
    count_ = count;
    values_.assign(length * width(), T{0});
  }
  [[nodiscard]] std::size_t length() const { return length_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  /// The count rounded up to whole panels.
  [[nodiscard]] std::size_t width() const { return (count_ + kPanel - 1) / kPanel * kPanel; }
  [[nodiscard]] const T* panel(std::size_t p) const { return &values_[p * length_ * kPanel]; }

  /// Sets all columns at once, writing memory sequentially.
  template <class U>
  void set_all(const std::vector<const U*>& columns, U factor) {
    for (std::size_t c = 0; c < columns.size(); c += kPanel) {
      const std::size_t here = std::min(kPanel, columns.size() - c);
      T* out = &values_[c * length_];
      for (std::size_t j = 0; j < length_; ++j, out += kPanel) {
        for (std::size_t i = 0; i < here; ++i) {
          out[i] = static_cast<T>(columns[c + i][j] * factor);
        }
      }
    }
  }

  template <class U>
  void set(std::size_t column, const U* entries, U factor) {
    T* out = &values_[(column / kPanel) * length_ * kPanel + column % kPanel];
    for (std::size_t j = 0; j < length_; ++j) {
      out[j * kPanel] = static_cast<T>(entries[j] * factor);
    }
  }

 private:
  std::size_t length_ = 0;
  std::size_t count_ = 0;
  std::vector<T> values_;
};

/// Tile products are summed in blocks of this many entries, which bounds the rounding error.
inline constexpr std::size_t kSumBlock = 64;

/// Bound on the error of a tile product of `length` entries, in unit roundoffs times |row|
/// |column|: the rounding of both factors to float32 and of every addition.
constexpr double product_roundings(std::size_t length) {
  const std::size_t additions = std::min(length, kSumBlock) + length / kSumBlock;
  return static_cast<double>(additions + 8);
}

/// out[r * width + k] = rows[r] . column k for all rows and all columns (padding included).
void tile_products(const float* const* rows, std::size_t row_count,
                   const PackedColumns<float>& columns, float* out);

/// out[r * width + k] = |rows[r] - column k|^2, without cancellation.
void tile_squared_distances(const double* const* rows, std::size_t row_count,
                            const PackedColumns<double>& columns, double* out);

/// Row r of out = row r + shift, and squared_r = |row r of out|^2, for contiguous rows.
void shift_rows(const float* rows, std::size_t row_count, std::size_t length, const float* shift,
                float* out, float* squared);

/// out_i = |x - row ids_i|^2, for contiguous rows.
void squared_distances(const float* x, const float* rows, const std::uint32_t* ids,
                       std::size_t count, std::size_t length, float* out);

/// Lowers slack_i by drop[labels_i] + by, rounding so that it never falls by less; returns the
/// smallest slack.
float lower_slack(float* slack, const std::uint32_t* labels, const float* drop, float by,
                  std::size_t count);

// The list_ functions write indices to `out`, which must have room for `count` of them, and return
// how many they wrote.

/// Lists first + i for every value_i <= limit; NaN counts as low.
std::size_t list_at_most(const float* values, std::size_t count, float limit, std::uint32_t first,
                         std::uint32_t* out);

/// Lists first + i for every i with base_i + values_i <= limit. Fast where few qualify.
std::size_t list_sums_at_most(const float* values, const float* base, std::size_t count,
                              float limit, std::uint32_t first, std::uint32_t* out);

/// Lists every column i of `table` (`rows` x `count`) in which some row exceeds row labels_i by
/// more than `margin`.
std::size_t list_improvable(const float* table, std::size_t rows, const std::uint32_t* labels,
                            std::size_t count, float margin, std::uint32_t* out);

/// Numbers per step of insert_lowest().
inline constexpr std::size_t kKeysPerStep = 8;

/// `list` holds `count` keys in ascending order, a multiple of kKeysPerStep, and list[-1] is below
/// all keys. Inserts others where they belong; as many of the highest drop out.
void insert_lowest(std::int64_t* list, std::size_t count, const std::int64_t* keys,
                   std::size_t key_count);

/// The smallest of `count` > 0 numbers.
float minimum(const float* values, std::size_t count);

/// The index of the largest of `count` > 0 numbers; the lowest index in a tie.
std::size_t index_of_maximum(const float* values, std::size_t count);

/// The two largest numbers of each row, and the index of the first (the lowest in a tie).
struct TopTwo {
  std::vector<float> first;
  std::vector<float> second;
  std::vector<std::uint32_t> index;
};

/// Looks at the first `count` numbers of every row; rows are `width` apart.
void top_two(const float* values, std::size_t rows, std::size_t width, std::size_t count,
             TopTwo& out);

}  // namespace shiftcut
