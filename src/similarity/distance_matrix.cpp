#include "similarity/distance_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "core/kernels/elementary.hpp"
#include "core/kernels/kernels.hpp"
#include "core/memory.hpp"
#include "core/work_meter.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kTile = 128;     // rows and columns worked on at a time
constexpr std::size_t kNeighbour = 7;  // as Zelnik-Manor and Perona recommend

// Rows `members` one after another.
std::vector<double> copy_rows(const FeatureRows& rows, std::span<const std::size_t> members) {
  std::vector<double> block(members.size() * rows.length());
  for (std::size_t r = 0; r < members.size(); ++r) {
    rows.row(members[r], &block[r * rows.length()]);
  }
  return block;
}

PackedColumns<double> pack_rows(const FeatureRows& rows, std::span<const std::size_t> members) {
  const std::vector<double> block = copy_rows(rows, members);
  PackedColumns<double> packed;
  packed.resize(rows.length(), members.size());
  for (std::size_t c = 0; c < members.size(); ++c) {
    packed.set(c, &block[c * rows.length()], 1.0);
  }
  return packed;
}

std::vector<const double*> row_pointers(const std::vector<double>& block, std::size_t count,
                                        std::size_t length) {
  std::vector<const double*> pointers(count);
  for (std::size_t r = 0; r < count; ++r) {
    pointers[r] = block.data() + r * length;
  }
  return pointers;
}

// All squared distances: the upper triangle by tiles, mirrored.
std::vector<double> squared_distances(const FeatureRows& rows, ThreadTeam& team,
                                      const Control& control) {
  const std::size_t n = rows.size();
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<double> matrix = zeros(n * n, team);
  const std::size_t strips = (n + kTile - 1) / kTile;
  WorkMeter meter(control, "similarity", strips);
  team.for_each(strips, [&](std::size_t strip, int) {
    meter.add();
    const std::size_t first = strip * kTile;
    const std::size_t height = std::min(kTile, n - first);
    const std::span<const std::size_t> members = std::span(all).subspan(first, height);
    const std::vector<double> block = copy_rows(rows, members);
    const auto pointers = row_pointers(block, height, rows.length());
    std::vector<double> tile(height * kTile);
    for (std::size_t begin = first; begin < n; begin += kTile) {
      team.poll();
      const std::size_t width = std::min(kTile, n - begin);
      const auto packed = pack_rows(rows, std::span(all).subspan(begin, width));
      tile_squared_distances(pointers.data(), height, packed, tile.data());
      for (std::size_t r = 0; r < height; ++r) {
        for (std::size_t c = 0; c < width; ++c) {
          const double value = tile[r * packed.width() + c];
          matrix[(first + r) * n + begin + c] = value;
          matrix[(begin + c) * n + first + r] = value;
        }
      }
    }
  });
  return matrix;
}

// The distance of every row to its 7th nearest among those that differ from it.
std::vector<double> local_scales(const std::vector<double>& squared, std::size_t n,
                                 ThreadTeam& team) {
  std::vector<double> scale(n, 1.0);
  team.for_each(n, [&](std::size_t i, int) {
    std::vector<double> others;
    others.reserve(n);
    for (std::size_t j = 0; j < n; ++j) {
      if (squared[i * n + j] > 0) {
        others.push_back(squared[i * n + j]);
      }
    }
    if (!others.empty()) {
      const std::size_t rank = std::min(kNeighbour, others.size()) - 1;
      std::nth_element(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(rank),
                       others.end());
      scale[i] = std::sqrt(others[rank]);
    }
  });
  return scale;
}

}  // namespace

DenseArray euclidean_distances(const FeatureRows& rows, ThreadTeam& team, const Control& control) {
  const std::size_t n = rows.size();
  require_square_fits(n, "{distance=euclidean}",
                      "use {distance=sqeuclidean}, which needs no matrix");
  std::vector<double> matrix = squared_distances(rows, team, control);
  team.for_each(n, [&](std::size_t i, int) {
    for (std::size_t j = 0; j < n; ++j) {
      matrix[i * n + j] = std::sqrt(matrix[i * n + j]);
    }
  });
  return DenseArray::own(std::move(matrix), n, n);
}

DenseArray rbf_similarities(const FeatureRows& rows, std::optional<double> sigma, ThreadTeam& team,
                            const Control& control) {
  const std::size_t n = rows.size();
  require_square_fits(n, "{similarity=rbf}", "use {similarity=linear}, which needs no matrix");
  std::vector<double> matrix = squared_distances(rows, team, control);
  const std::vector<double> scale =
      sigma ? std::vector<double>(n, *sigma) : local_scales(matrix, n, team);
  team.for_each(n, [&](std::size_t i, int) {
    for (std::size_t j = 0; j < n; ++j) {
      matrix[i * n + j] = portable_exp(-matrix[i * n + j] / (scale[i] * scale[j]));
    }
  });
  return DenseArray::own(std::move(matrix), n, n);
}

double largest_squared_distance(const FeatureRows& rows, ThreadTeam& team, const Control& control) {
  const std::size_t n = rows.size();
  const std::size_t d = rows.length();

  // Radii about the origin (the centre of centred rows), outermost first.
  std::vector<double> radius(n);
  team.for_each((n + kTile - 1) / kTile, [&](std::size_t strip, int) {
    std::vector<double> row(d);
    for (std::size_t i = strip * kTile; i < std::min(n, (strip + 1) * kTile); ++i) {
      rows.row(i, row.data());
      radius[i] = std::sqrt(dot(row.data(), row.data(), d));
    }
  });
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return radius[a] > radius[b]; });

  const std::size_t strips = (n + kTile - 1) / kTile;
  const std::size_t together = 4 * static_cast<std::size_t>(team.threads());
  WorkMeter meter(control, "similarity", strips);
  double best = 0;
  // Each strip of rows, outermost first, against the strips up to itself; a few strips at a time,
  // so that `best` is as tight as possible when the next ones are compared with it.
  for (std::size_t s0 = 0; s0 < strips; s0 += together) {
    const double outer = radius[order[s0 * kTile]] + radius[order[0]];
    if (outer * outer <= best) {
      break;
    }
    const std::size_t count = std::min(together, strips - s0);
    std::vector<double> found(count, best);
    team.for_each(count, [&](std::size_t s, int) {
      meter.add();
      const std::size_t first = (s0 + s) * kTile;
      const std::size_t height = std::min(kTile, n - first);
      const auto members = std::span<const std::size_t>(order).subspan(first, height);
      const std::vector<double> block = copy_rows(rows, members);
      const auto pointers = row_pointers(block, height, d);
      std::vector<double> tile(height * kTile);
      for (std::size_t begin = 0; begin <= first; begin += kTile) {
        team.poll();
        const double reach = radius[order[first]] + radius[order[begin]];
        if (reach * reach <= found[s]) {
          break;
        }
        const std::size_t width = std::min(kTile, n - begin);
        const auto packed =
            pack_rows(rows, std::span<const std::size_t>(order).subspan(begin, width));
        tile_squared_distances(pointers.data(), height, packed, tile.data());
        for (std::size_t r = 0; r < height; ++r) {
          for (std::size_t c = 0; c < width; ++c) {
            found[s] = std::max(found[s], tile[r * packed.width() + c]);
          }
        }
      }
    });
    best = std::max(best, *std::max_element(found.begin(), found.end()));
  }
  return best;
}

}  // namespace shiftcut
