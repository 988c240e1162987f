#include "shiftcut/features.hpp"

#include "core/message.hpp"
#include "core/thread_team.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

void check_labels(const DenseArray& rows, std::span<const std::int32_t> labels,
                  std::size_t clusters) {
  if (labels.size() != rows.rows()) {
    refuse("wrong_length", "", "found {} labels; allowed: {}, one per row", labels.size(),
           rows.rows());
  }
  for (const std::int32_t label : labels) {
    if (label < 0 || static_cast<std::size_t>(label) >= clusters) {
      refuse("out_of_range", "", "found label {}; allowed: 0 or more, below {}", label, clusters);
    }
  }
}

template <class RowOf>
std::vector<double> sums_of(const RowOf& row_of, std::size_t columns,
                            std::span<const std::int32_t> labels, std::size_t clusters,
                            ThreadTeam& team) {
  const auto add = [&](std::size_t begin, std::size_t end, double* sums) {
    for (std::size_t i = begin; i < end; ++i) {
      double* sum = sums + static_cast<std::size_t>(labels[i]) * columns;
      const auto* row = row_of(i);
      for (std::size_t j = 0; j < columns; ++j) {
        sum[j] += static_cast<double>(row[j]);
      }
    }
  };
  return sum_over_row_chunks(labels.size(), columns, clusters * columns, team, add);
}

}  // namespace

std::vector<double> cluster_sums(const DenseArray& rows, std::span<const std::int32_t> labels,
                                 std::size_t clusters, int threads) {
  check_labels(rows, labels, clusters);
  if (labels.empty() || rows.columns() == 0) {
    return std::vector<double>(clusters * rows.columns(), 0.0);
  }
  ThreadTeam team(threads);
  const auto sums = [&](const auto& row_of) {
    return sums_of(row_of, rows.columns(), labels, clusters, team);
  };
  return rows.is_float32() ? sums([&](std::size_t i) { return rows.f32_row(i); })
                           : sums([&](std::size_t i) { return rows.f64_row(i); });
}

}  // namespace shiftcut
