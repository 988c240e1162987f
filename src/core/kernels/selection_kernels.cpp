// Kernels that search arrays: the smallest, the largest, the numbers below a limit.
#include "core/kernels/kernels.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/kernels/simd.hpp"

namespace shiftcut {

namespace {

using Four [[gnu::vector_size(16)]] = float;

SHIFTCUT_INLINE void lower(Four& a, const Four& b) { a = b < a ? b : a; }

SHIFTCUT_INLINE float smallest(const Vector<float>& values) {
  Four parts[4];
  std::memcpy(parts, &values, sizeof(parts));
  lower(parts[0], parts[2]);
  lower(parts[1], parts[3]);
  lower(parts[0], parts[1]);
  const Four swapped = {parts[0][2], parts[0][3], parts[0][0], parts[0][1]};
  lower(parts[0], swapped);
  return std::min(parts[0][0], parts[0][1]);
}

}  // namespace

float lower_slack(float* slack, const std::uint32_t* labels, const float* drop, float by,
                  std::size_t count) {
  return run_simd([=]() SHIFTCUT_INLINED {
    // A relative 2^-22 outweighs the rounding errors of these lines.
    constexpr float kLess = 1 - 0x1p-22F;
    constexpr float kMore = 1 + 0x1p-22F;
    Vector<float> lowest = std::numeric_limits<float>::infinity() - Vector<float>{};
    Vector<float> now;
    Vector<float> drops{};
    std::size_t i = 0;
    for (; i + kPanel <= count; i += kPanel) {
      for (std::size_t lane = 0; lane < kPanel; ++lane) {
        drops[lane] = drop[labels[i + lane]];
      }
      load(now, slack + i);
      now = now * kLess - (drops + by) * kMore;
      std::memcpy(slack + i, &now, sizeof(now));
      lowest = now < lowest ? now : lowest;
    }
    float all = smallest(lowest);
    for (; i < count; ++i) {
      slack[i] = slack[i] * kLess - (drop[labels[i]] + by) * kMore;
      all = slack[i] < all ? slack[i] : all;
    }
    return all;
  });
}

std::size_t list_at_most(const float* values, std::size_t count, float limit, std::uint32_t first,
                         std::uint32_t* out) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    out[found] = first + static_cast<std::uint32_t>(i);
    found += values[i] > limit ? 0 : 1;
  }
  return found;
}

std::size_t list_sums_at_most(const float* values, const float* base, std::size_t count,
                              float limit, std::uint32_t first, std::uint32_t* out) {
  return run_simd([=]() SHIFTCUT_INLINED {
    constexpr std::size_t kBlock = 4 * kPanel;
    std::size_t found = 0;
    std::size_t i = 0;
    Vector<float> value;
    Vector<float> start;
    for (; i + kBlock <= count; i += kBlock) {
      Vector<float> lowest = std::numeric_limits<float>::infinity() - Vector<float>{};
      for (std::size_t lane = 0; lane < kBlock; lane += kPanel) {
        load(value, values + i + lane);
        load(start, base + i + lane);
        value += start;
        lowest = value < lowest ? value : lowest;
      }
      if (smallest(lowest) > limit) {
        continue;
      }
      for (std::size_t lane = i; lane < i + kBlock; lane += kPanel) {
        load(value, values + lane);
        load(start, base + lane);
        if (smallest(value + start) > limit) {
          continue;
        }
        for (std::size_t j = lane; j < lane + kPanel; ++j) {
          out[found] = first + static_cast<std::uint32_t>(j);
          found += base[j] + values[j] <= limit ? 1 : 0;
        }
      }
    }
    for (; i < count; ++i) {
      out[found] = first + static_cast<std::uint32_t>(i);
      found += base[i] + values[i] <= limit ? 1 : 0;
    }
    return found;
  });
}

std::size_t list_improvable(const float* table, std::size_t rows, const std::uint32_t* labels,
                            std::size_t count, float margin, std::uint32_t* out) {
  return run_simd([=]() SHIFTCUT_INLINED {
    constexpr std::size_t kBlock = 4 * kPanel;
    std::size_t found = 0;
    float best[kBlock];
    float own[kBlock];
    for (std::size_t i = 0; i < count; i += kBlock) {
      const std::size_t here = std::min(kBlock, count - i);
      const float* row = table + i;
      for (std::size_t j = 0; j < here; ++j) {
        best[j] = row[j];
        own[j] = row[j];
      }
      for (std::size_t k = 1; k < rows; ++k) {
        row = table + k * count + i;
        for (std::size_t j = 0; j < here; ++j) {
          best[j] = row[j] > best[j] ? row[j] : best[j];
          own[j] = labels[i + j] == k ? row[j] : own[j];
        }
      }
      for (std::size_t j = 0; j < here; ++j) {
        out[found] = static_cast<std::uint32_t>(i + j);
        found += best[j] > own[j] + margin ? 1 : 0;
      }
    }
    return found;
  });
}

void insert_lowest(std::int64_t* list, std::size_t count, const std::int64_t* keys,
                   std::size_t key_count) {
  run_simd([=]() SHIFTCUT_INLINED {
    Vector<std::int64_t> now;
    Vector<std::int64_t> before;
    for (std::size_t k = 0; k < key_count; ++k) {
      const std::int64_t key = keys[k];
      if (key >= list[count - 1]) {
        continue;
      }
      for (std::size_t i = count; i > 0; i -= kKeysPerStep) {
        std::int64_t* step = list + i - kKeysPerStep;
        load(now, step);
        load(before, step - 1);
        now = now < key ? now : key - Vector<std::int64_t>{};
        now = now < before ? before : now;
        std::memcpy(step, &now, sizeof(now));
      }
    }
  });
}

float minimum(const float* values, std::size_t count) {
  return run_simd([=]() SHIFTCUT_INLINED {
    Vector<float> lowest = values[0] - Vector<float>{};
    Vector<float> now;
    std::size_t i = 0;
    for (; i + kPanel <= count; i += kPanel) {
      load(now, values + i);
      lowest = now < lowest ? now : lowest;
    }
    float all = smallest(lowest);
    for (; i < count; ++i) {
      all = values[i] < all ? values[i] : all;
    }
    return all;
  });
}

std::size_t index_of_maximum(const float* values, std::size_t count) {
  return run_simd([=]() SHIFTCUT_INLINED {
    Vector<float> highest = values[0] - Vector<float>{};
    Vector<float> now;
    std::size_t i = 0;
    for (; i + kPanel <= count; i += kPanel) {
      load(now, values + i);
      highest = now > highest ? now : highest;
    }
    float all = -smallest(-highest);
    for (; i < count; ++i) {
      all = values[i] > all ? values[i] : all;
    }
    i = 0;
    while (i + 1 < count && values[i] != all) {
      ++i;
    }
    return i;
  });
}

void top_two(const float* values, std::size_t rows, std::size_t width, std::size_t count,
             TopTwo& out) {
  run_simd([&]() SHIFTCUT_INLINED {
    constexpr std::size_t kBlock = 16;
    out.first.resize(rows);
    out.second.resize(rows);
    out.index.resize(rows);
    for (std::size_t begin = 0; begin < rows; begin += kBlock) {
      const std::size_t together = std::min(kBlock, rows - begin);
      Vector<float> first = -std::numeric_limits<float>::infinity() - Vector<float>{};
      Vector<float> second = first;
      Vector<float> column{};
      Vector<std::int32_t> index{};
      for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t r = 0; r < together; ++r) {
          column[r] = values[(begin + r) * width + k];
        }
        const auto larger = column > first;
        const Vector<float> smaller = larger ? first : column;
        second = smaller > second ? smaller : second;
        first = larger ? column : first;
        index = larger ? static_cast<std::int32_t>(k) - Vector<std::int32_t>{} : index;
      }
      for (std::size_t r = 0; r < together; ++r) {
        out.first[begin + r] = first[r];
        out.second[begin + r] = second[r];
        out.index[begin + r] = static_cast<std::uint32_t>(index[r]);
      }
    }
  });
}

}  // namespace shiftcut
