// Samples of rows, and loops and sums over all rows on all threads. The rows are divided into
// chunks by their number alone, so that no result depends on the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/partition.hpp"
#include "core/rng.hpp"
#include "core/thread_team.hpp"

namespace shiftcut {

/// One row at random from each of `count` equal stretches: a fair sample even of sorted rows.
inline std::vector<ObjectId> sample_rows(std::size_t rows, std::size_t count, Rng& rng) {
  std::vector<ObjectId> sample(count);
  for (std::size_t s = 0; s < count; ++s) {
    const std::size_t begin = s * rows / count;
    const std::size_t end = (s + 1) * rows / count;
    sample[s] = static_cast<ObjectId>(begin + rng.below(static_cast<std::uint32_t>(end - begin)));
  }
  return sample;
}

/// Calls use(begin, end, worker) for every chunk of `chunk` rows.
template <class Use>
void for_each_row_chunk(std::size_t rows, std::size_t chunk, ThreadTeam& team, const Use& use) {
  team.for_each((rows + chunk - 1) / chunk, [&](std::size_t c, int worker) {
    use(c * chunk, std::min(rows, (c + 1) * chunk), worker);
  });
}

/// add(begin, end, sums) adds the contributions of rows begin .. end-1 to `length` sums that start
/// at 0; the sums of the chunks are added in order. `row_length` bounds memory: the sums of all
/// chunks stay small compared with rows of that length.
template <class Add>
std::vector<double> sum_over_row_chunks(std::size_t rows, std::size_t row_length,
                                        std::size_t length, ThreadTeam& team, const Add& add) {
  const std::size_t chunks = std::clamp<std::size_t>(rows * row_length / (32 * length), 1, 32);
  std::vector<std::vector<double>> partial(chunks);
  team.for_each(chunks, [&](std::size_t c, int) {
    partial[c].assign(length, 0.0);
    add(rows * c / chunks, rows * (c + 1) / chunks, partial[c].data());
  });
  for (std::size_t c = 1; c < chunks; ++c) {
    for (std::size_t j = 0; j < length; ++j) {
      partial[0][j] += partial[c][j];
    }
  }
  return std::move(partial[0]);
}

}  // namespace shiftcut
