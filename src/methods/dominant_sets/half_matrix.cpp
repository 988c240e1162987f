#include "methods/dominant_sets/half_matrix.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/kernels/simd.hpp"

namespace shiftcut::methods {

namespace {

constexpr std::size_t kBlock = 128;           // rows a task
constexpr std::size_t kCachedColumns = 1024;  // that stay in the nearest cache
constexpr std::size_t kAtOnce = 4;            // rows
constexpr std::size_t kFloatLanes = 16;

using Vector [[gnu::vector_size(kFloatLanes * sizeof(float))]] = float;

SHIFTCUT_INLINE void load(Vector& v, const float* p) { std::memcpy(&v, p, sizeof(v)); }

// For `Rows` rows, sums_r += row_r . x and y += x_r row_r over the columns begin .. end-1, each
// entry read once for both.
template <std::size_t Rows>
SHIFTCUT_INLINE void both_ways(const float* const* rows, const float* factors, std::size_t begin,
                               std::size_t end, const float* x, float* y, double* sums) {
  Vector strands[Rows] = {};
  Vector a;
  Vector vx;
  Vector vy;
  std::size_t j = begin;
  for (; j + kFloatLanes <= end; j += kFloatLanes) {
    load(vx, x + j);
    load(vy, y + j);
    for (std::size_t r = 0; r < Rows; ++r) {
      load(a, rows[r] + j);
      strands[r] += a * vx;
      vy += a * factors[r];
    }
    std::memcpy(y + j, &vy, sizeof(vy));
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    float sum = 0;
    for (std::size_t lane = 0; lane < kFloatLanes; ++lane) {
      sum += strands[r][lane];
    }
    for (std::size_t k = j; k < end; ++k) {
      sum += rows[r][k] * x[k];
      y[k] += rows[r][k] * factors[r];
    }
    sums[r] += static_cast<double>(sum);
  }
}

void one_row(const float* row, float factor, std::size_t begin, std::size_t end, const float* x,
             float* y, double* sum) {
  run_simd([=]() SHIFTCUT_INLINED { both_ways<1>(&row, &factor, begin, end, x, y, sum); });
}

void some_rows(const float* const* rows, const float* factors, std::size_t begin, std::size_t end,
               const float* x, float* y, double* sums) {
  run_simd([=]() SHIFTCUT_INLINED { both_ways<kAtOnce>(rows, factors, begin, end, x, y, sums); });
}

template <class Visit>
void in_blocks(std::size_t count, ThreadTeam& team, const Visit& visit) {
  team.for_each((count + kBlock - 1) / kBlock, [&](std::size_t task, int) {
    for (std::size_t i = task * kBlock; i < std::min(count, (task + 1) * kBlock); ++i) {
      visit(i);
    }
  });
}

}  // namespace

void HalfMatrix::resize(std::size_t size) {
  size_ = size;
  const std::size_t entries = 1 + (size > 0 ? size * (size - 1) / 2 : 0);
  if (entries > room_) {
    room_ = entries;
    entries_.allocate(entries);
  }
}

HalfMatrix::HalfMatrix(const double* rows, std::size_t size, double added, double factor,
                       ThreadTeam& team) {
  resize(size);
  in_blocks(size, team, [&](std::size_t i) {
    float* out = row(i);
    for (std::size_t j = i + 1; j < size; ++j) {
      out[j] = static_cast<float>((rows[i * size + j] + added) * factor);
    }
  });
}

void HalfMatrix::keep(const HalfMatrix& from, std::span<const std::uint32_t> positions,
                      ThreadTeam& team) {
  resize(positions.size());
  in_blocks(positions.size(), team, [&](std::size_t i) {
    const float* in = from.row(positions[i]);
    float* out = row(i);
    for (std::size_t j = i + 1; j < positions.size(); ++j) {
      out[j] = in[positions[j]];
    }
  });
}

// Each task takes some rows: their products with x are whole but for the columns to the left, which
// the tasks before have for them, each in a place of its own.
void HalfMatrix::multiply(std::span<const float> x, std::span<double> out, std::vector<float>& room,
                          ThreadTeam& team) const {
  const std::size_t tasks = (size_ + kBlock - 1) / kBlock;
  room.resize(tasks * size_);
  team.for_each(tasks, [&](std::size_t task, int) {
    const std::size_t first = task * kBlock;
    const std::size_t last = std::min(size_, first + kBlock);
    float* y = &room[task * size_];
    std::fill(y + first, y + size_, 0.0F);
    std::fill(out.begin() + first, out.begin() + last, 0.0);
    std::array<const float*, kBlock> rows;
    for (std::size_t i = first; i < last; ++i) {
      rows[i - first] = row(i);
      one_row(row(i), x[i], i + 1, last, x.data(), y, &out[i]);
    }
    // There are columns left only where the block is whole, a multiple of kAtOnce.
    for (std::size_t begin = last; begin < size_; begin += kCachedColumns) {
      const std::size_t end = std::min(size_, begin + kCachedColumns);
      for (std::size_t i = first; i < last; i += kAtOnce) {
        some_rows(&rows[i - first], &x[i], begin, end, x.data(), y, &out[i]);
      }
    }
  });
  in_blocks(size_, team, [&](std::size_t i) {
    for (std::size_t task = 0; task <= i / kBlock; ++task) {
      out[i] += static_cast<double>(room[task * size_ + i]);
    }
  });
}

}  // namespace shiftcut::methods
