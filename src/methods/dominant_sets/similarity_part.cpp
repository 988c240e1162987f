#include "methods/dominant_sets/similarity_part.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/kernels/kernels.hpp"
#include "methods/dominant_sets/tuning.hpp"

namespace shiftcut::methods {

namespace {

template <class Visit>
void for_neighbors(const SparseMatrix& graph, std::size_t row, const Visit& visit) {
  const auto end = static_cast<std::size_t>(graph.offsets[row + 1]);
  for (auto e = static_cast<std::size_t>(graph.offsets[row]); e < end; ++e) {
    if (graph.columns[e] != row) {
      visit(graph.columns[e], graph.values[e]);
    }
  }
}

// Calls `visit(i)` for 0 .. count-1, on all threads if there is enough work.
template <class Visit>
void for_all(std::size_t count, std::size_t work, ThreadTeam& team, const Visit& visit) {
  if (work < kWorthSharing) {
    for (std::size_t i = 0; i < count; ++i) {
      visit(i);
    }
    return;
  }
  team.for_each((count + kRowsPerTask - 1) / kRowsPerTask, [&](std::size_t task, int) {
    for (std::size_t i = task * kRowsPerTask; i < std::min(count, (task + 1) * kRowsPerTask); ++i) {
      visit(i);
    }
  });
}

}  // namespace

SimilarityPart::SimilarityPart(const Similarities& similarities)
    : at_(methods::objects(similarities)), objects_(at_.size()) {
  auto store = std::make_shared<Store>();
  store->width = at_.size();
  if (const auto* dense = std::get_if<DenseArray>(&similarities)) {
    store->dense = dense->f64();
  } else {
    store->graph = &std::get<SparseMatrix>(similarities);
  }
  store_ = std::move(store);
  std::iota(at_.begin(), at_.end(), 0U);
  objects_ = at_;
}

SimilarityPart SimilarityPart::kept(std::span<const std::uint32_t> positions) const {
  SimilarityPart part;
  part.store_ = store_;
  part.at_.reserve(positions.size());
  part.objects_.reserve(positions.size());
  for (const std::uint32_t position : positions) {
    part.at_.push_back(at_[position]);
    part.objects_.push_back(objects_[position]);
  }
  if (part.at_.size() <= store_->width * 2 / 3) {
    part.compact();
  }
  return part;
}

SimilarityPart SimilarityPart::without(std::span<const std::uint32_t> positions) const {
  std::vector<std::uint32_t> others;
  others.reserve(size() - positions.size());
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < size(); ++i) {
    if (next < positions.size() && positions[next] == i) {
      ++next;
    } else {
      others.push_back(i);
    }
  }
  return kept(others);
}

void SimilarityPart::compact() {
  auto store = std::make_shared<Store>();
  store->width = at_.size();
  if (store_->dense != nullptr) {
    copy_dense(*store);
  } else {
    copy_graph(*store);
  }
  std::iota(at_.begin(), at_.end(), 0U);
  store_ = std::move(store);
}

void SimilarityPart::copy_dense(Store& to) const {
  const std::size_t m = at_.size();
  to.own_dense.allocate(std::max<std::size_t>(m * m, 1));
  double* out = to.own_dense.data();
  for (const std::uint32_t row : at_) {
    const double* in = store_->dense + row * store_->width;
    for (const std::uint32_t column : at_) {
      *out++ = in[column];
    }
  }
  to.dense = to.own_dense.data();
}

void SimilarityPart::copy_graph(Store& to) const {
  constexpr auto kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> position(store_->width, kNone);
  for (std::uint32_t k = 0; k < at_.size(); ++k) {
    position[at_[k]] = k;
  }
  SparseMatrix& graph = to.own_graph;
  graph.rows = at_.size();
  graph.columns_count = at_.size();
  graph.offsets.push_back(0);
  for (const std::uint32_t row : at_) {
    for_neighbors(*store_->graph, row, [&](std::uint32_t column, double value) {
      if (position[column] != kNone) {
        graph.columns.push_back(position[column]);
        graph.values.push_back(value);
      }
    });
    graph.offsets.push_back(static_cast<std::int64_t>(graph.columns.size()));
  }
  to.graph = &graph;
}

void SimilarityPart::multiply(std::span<const double> x, std::span<double> out,
                              ThreadTeam& team) const {
  std::vector<std::uint32_t> used;
  for (std::uint32_t k = 0; k < size(); ++k) {
    if (x[k] != 0) {
      used.push_back(k);
    }
  }
  if (used.size() <= size() / kSparseShare) {
    if (store_->dense != nullptr) {
      add_dense_rows(used, x, out, team);
      return;
    }
    std::fill(out.begin(), out.end(), 0.0);
    if (is_whole()) {
      for (const std::uint32_t k : used) {
        add_row(k, x[k], out);
      }
      return;
    }
  }
  std::vector<double> spread(is_whole() ? 0 : store_->width);
  if (!is_whole()) {
    for (const std::uint32_t k : used) {
      spread[at_[k]] = x[k];
    }
  }
  const std::span<const double> in = is_whole() ? x : std::span<const double>(spread);
  if (store_->dense != nullptr) {
    multiply_dense(in, out, team);
  } else {
    multiply_graph(in, out, team);
  }
}

void SimilarityPart::multiply_dense(std::span<const double> spread, std::span<double> out,
                                    ThreadTeam& team) const {
  const std::size_t width = store_->width;
  for_all(size(), size() * width, team, [&](std::size_t k) {
    const std::size_t i = at_[k];
    const double* row = store_->dense + i * width;
    // Skips the diagonal, which may be so large that rounding would hide the other entries.
    out[k] = dot(row, spread.data(), i) + dot(row + i + 1, spread.data() + i + 1, width - i - 1);
  });
}

void SimilarityPart::multiply_graph(std::span<const double> spread, std::span<double> out,
                                    ThreadTeam& team) const {
  for_all(size(), store_->graph->values.size(), team, [&](std::size_t k) {
    double sum = 0;
    for_neighbors(*store_->graph, at_[k],
                  [&](std::uint32_t column, double value) { sum += value * spread[column]; });
    out[k] = sum;
  });
}

// Each task adds up a range of columns, in the order of the rows.
void SimilarityPart::add_dense_rows(std::span<const std::uint32_t> positions,
                                    std::span<const double> x, std::span<double> out,
                                    ThreadTeam& team) const {
  const std::size_t width = store_->width;
  std::vector<double> sums(width);
  team.for_each((width + kColumnsPerTask - 1) / kColumnsPerTask, [&](std::size_t task, int) {
    const std::size_t begin = task * kColumnsPerTask;
    const std::size_t end = std::min(width, begin + kColumnsPerTask);
    for (const std::uint32_t k : positions) {
      const std::size_t i = at_[k];
      const double* row = store_->dense + i * width;
      const std::size_t left = std::clamp(i, begin, end);
      const std::size_t right = std::clamp(i + 1, begin, end);
      add_scaled(sums.data() + begin, x[k], row + begin, left - begin);
      add_scaled(sums.data() + right, x[k], row + right, end - right);
    }
  });
  for (std::size_t k = 0; k < size(); ++k) {
    out[k] = sums[at_[k]];
  }
}

void SimilarityPart::add_row(std::size_t position, double factor, std::span<double> out) const {
  const std::size_t i = at_[position];
  if (store_->dense != nullptr) {
    const double* row = store_->dense + i * store_->width;
    if (is_whole()) {
      add_scaled(out.data(), factor, row, i);
      add_scaled(out.data() + i + 1, factor, row + i + 1, size() - i - 1);
      return;
    }
    for (std::size_t k = 0; k < size(); ++k) {
      out[k] += k == position ? 0.0 : factor * row[at_[k]];
    }
    return;
  }
  for_neighbors(*store_->graph, i, [&](std::uint32_t column, double value) {
    if (is_whole()) {
      out[column] += factor * value;
      return;
    }
    const auto found = std::lower_bound(at_.begin(), at_.end(), column);
    if (found != at_.end() && *found == column) {
      out[static_cast<std::size_t>(found - at_.begin())] += factor * value;
    }
  });
}

}  // namespace shiftcut::methods
