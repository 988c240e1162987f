// Every lane adds its own column up in the order of the entries: all SIMD levels round alike.
#include "core/kernels/metric_kernels.hpp"

#include <algorithm>
#include <cstring>

#include "core/kernels/simd.hpp"

namespace shiftcut {

namespace {

using Lanes = Vector<double>;

SHIFTCUT_INLINE void absolute(Lanes& v) { v = v < 0 ? -v : v; }

struct AbsoluteDifference {
  SHIFTCUT_INLINE void operator()(Lanes& sum, const Lanes& a, const Lanes& b) const {
    Lanes term = a - b;
    absolute(term);
    sum += term;
  }
};

struct AbsoluteSum {
  SHIFTCUT_INLINE void operator()(Lanes& sum, const Lanes& a, const Lanes& b) const {
    Lanes term = a + b;
    absolute(term);
    sum += term;
  }
};

struct RelativeDifference {
  SHIFTCUT_INLINE void operator()(Lanes& sum, const Lanes& a, const Lanes& b) const {
    Lanes term = a - b;
    absolute(term);
    Lanes size_a = a;
    absolute(size_a);
    Lanes size = b;
    absolute(size);
    size += size_a;
    const Lanes zero{};
    sum += size > 0 ? term / size : zero;
  }
};

struct Unequal {
  SHIFTCUT_INLINE void operator()(Lanes& sum, const Lanes& a, const Lanes& b) const {
    const Lanes zero{};
    const Lanes one = zero + 1;
    sum += a != b ? one : zero;
  }
};

struct BothNonzero {
  SHIFTCUT_INLINE void operator()(Lanes& sum, const Lanes& a, const Lanes& b) const {
    const Lanes zero{};
    const Lanes one = zero + 1;
    const Lanes of_a = a != 0 ? one : zero;
    sum += b != 0 ? of_a : zero;
  }
};

struct LargestDifference {
  SHIFTCUT_INLINE void operator()(Lanes& largest, const Lanes& a, const Lanes& b) const {
    Lanes term = a - b;
    absolute(term);
    largest = term > largest ? term : largest;
  }
};

template <int Rows, class Add>
SHIFTCUT_INLINE void tile(const double* const* rows, std::size_t length, const double* panel,
                          double* out, std::size_t out_stride, Add add) {
  constexpr std::size_t kLanes = 8;
  for (std::size_t lane = 0; lane < kPanel; lane += kLanes) {
    Lanes sums[Rows] = {};
    Lanes column;
    for (std::size_t j = 0; j < length; ++j) {
      load(column, panel + j * kPanel + lane);
      for (int r = 0; r < Rows; ++r) {
        const Lanes entry = rows[r][j] - Lanes{};
        add(sums[r], entry, column);
      }
    }
    for (int r = 0; r < Rows; ++r) {
      std::memcpy(out + static_cast<std::size_t>(r) * out_stride + lane, &sums[r], sizeof(Lanes));
    }
  }
}

template <class Add>
void tiles(const double* const* rows, std::size_t row_count, const PackedColumns<double>& columns,
           double* out, Add add) {
  run_simd([&]() SHIFTCUT_INLINED {
    constexpr int kRows = 4;
    const std::size_t width = columns.width();
    const std::size_t length = columns.length();
    std::size_t r = 0;
    for (; r + kRows <= row_count; r += kRows) {
      for (std::size_t k = 0; k < width; k += kPanel) {
        tile<kRows>(rows + r, length, columns.panel(k / kPanel), out + r * width + k, width, add);
      }
    }
    for (; r < row_count; ++r) {
      for (std::size_t k = 0; k < width; k += kPanel) {
        tile<1>(rows + r, length, columns.panel(k / kPanel), out + r * width + k, width, add);
      }
    }
  });
}

}  // namespace

void tile_pair_terms(PairTerm term, const double* const* rows, std::size_t row_count,
                     const PackedColumns<double>& columns, double* out) {
  switch (term) {
    case PairTerm::absolute_difference:
      return tiles(rows, row_count, columns, out, AbsoluteDifference{});
    case PairTerm::absolute_sum:
      return tiles(rows, row_count, columns, out, AbsoluteSum{});
    case PairTerm::relative_difference:
      return tiles(rows, row_count, columns, out, RelativeDifference{});
    case PairTerm::unequal:
      return tiles(rows, row_count, columns, out, Unequal{});
    case PairTerm::both_nonzero:
      return tiles(rows, row_count, columns, out, BothNonzero{});
    case PairTerm::largest_difference:
      return tiles(rows, row_count, columns, out, LargestDifference{});
  }
}

double mid_rank(const double* values, std::size_t count, double x) {
  return run_simd([=]() SHIFTCUT_INLINED {
    constexpr std::size_t kLanes = 8;
    auto below = Lanes{} < Lanes{};  // whole numbers, none yet
    auto equal = below;
    Lanes some;
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      load(some, values + i);
      below -= some < x;
      equal -= some == x;
    }
    double rank = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      rank += static_cast<double>(below[lane]) + static_cast<double>(equal[lane]) / 2;
    }
    for (; i < count; ++i) {
      rank += values[i] < x ? 1.0 : values[i] == x ? 0.5 : 0.0;
    }
    return rank;
  });
}

}  // namespace shiftcut
