// The few loops that all time is spent in, compiled for several generations of processors and
// chosen when the program starts.
#pragma once

#include <cstddef>
#include <vector>

namespace shiftcut {

/// a . b
double dot(const double* a, const double* b, std::size_t length);

/// |a - b|^2, without cancellation.
double squared_distance(const double* a, const double* b, std::size_t length);

/// y += factor * x
void add_scaled(double* y, double factor, const double* x, std::size_t length);
void add_scaled(double* y, double factor, const float* x, std::size_t length);

/// from -= x and to += x
void move_between(double* from, double* to, const double* x, std::size_t length);

/// out_k = x . matrix_k for `rows` rows of `length`
void products(const double* x, const double* matrix, std::size_t rows, std::size_t length,
              double* out);

/// out_j = factor * x_j
void widen(double* out, const float* x, double factor, std::size_t length);

/// out_j = (x_j - offset_j) * factor_j
void affine(double* out, const double* x, const double* offset, const double* factor,
            std::size_t length);
void affine(double* out, const float* x, const double* offset, const double* factor,
            std::size_t length);

/// How many columns a panel of packed columns holds, zeros filling up the last panel.
inline constexpr std::size_t kPanel = 16;

/// Columns (vectors of one length) laid out for tile products: panel by panel, in a panel entry by
/// entry, each entry of all kPanel columns side by side.
template <class T>
class PackedColumns {
 public:
  void resize(std::size_t length, std::size_t count) {
    length_ = length;
    count_ = count;
    values_.assign(length * width(), T{0});
  }
  [[nodiscard]] std::size_t length() const { return length_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  /// The count rounded up to whole panels.
  [[nodiscard]] std::size_t width() const { return (count_ + kPanel - 1) / kPanel * kPanel; }
  [[nodiscard]] const T* panel(std::size_t p) const { return &values_[p * length_ * kPanel]; }

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

/// out[r * width + k] = rows[r] . column k for all rows and all columns (padding included).
/// Summed entry by entry, so the error is at most length * unit roundoff * |row| |column|.
void tile_products(const float* const* rows, std::size_t row_count,
                   const PackedColumns<float>& columns, float* out);

/// out[r * width + k] = |rows[r] - column k|^2, without cancellation.
void tile_squared_distances(const double* const* rows, std::size_t row_count,
                            const PackedColumns<double>& columns, double* out);

struct TopTwo {
  float first = 0;
  float second = 0;
  std::size_t index = 0;  // of the first; of equal ones, the lowest
};

/// The two largest of `width` numbers, a multiple of kPanel.
TopTwo top_two(const float* values, std::size_t width);

}  // namespace shiftcut
