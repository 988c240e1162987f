// Columns of numbers are compared by their medians in units of the spread within clusters, columns
// of 0 and 1 and sparse ones by shares (Cohen, Statistical Power Analysis, 1988: d and h).
//
// The median outside a cluster needs no second sort: of the sorted column's ranks r_0 < r_1 < ...
// that a cluster's m members hold, r_j - j members of the complement come before r_j, so the rank
// of the complement's q-th value is q + #{j : r_j - j <= q}.
#include "describe/columns.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "describe/tuning.hpp"

namespace shiftcut {

namespace {

using namespace describe_tuning;
using Measure = ColumnContrast::Measure;

double cohens_h(double inside, double outside) {
  return 2 * std::asin(std::sqrt(inside)) - 2 * std::asin(std::sqrt(outside));
}

ColumnContrast contrast_of_shares(double in, double members, double out, double others) {
  ColumnContrast contrast;
  contrast.measure = Measure::share;
  contrast.inside = in / members;
  contrast.outside = out / others;
  contrast.effect = cohens_h(contrast.inside, contrast.outside);
  contrast.lift = ((in + 0.5) / (members + 1)) / ((out + 0.5) / (others + 1));
  return contrast;
}

// A difference in units of a spread, which may be 0.
double standardised(double difference, double spread) {
  if (difference == 0) {
    return 0;
  }
  const double effect =
      spread > 0 ? difference / spread : std::copysign(kLargestEffect, difference);
  return std::clamp(effect, -kLargestEffect, kLargestEffect);
}

// One column in ascending order, and the ranks that each cluster holds in it.
class SortedColumn {
 public:
  SortedColumn(const DenseArray& rows, std::size_t column, const ClusterMembers& members)
      : members_(members) {
    std::vector<std::pair<double, std::int32_t>> cells;
    cells.reserve(members.all());
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      if (members.label(i) >= 0) {
        cells.emplace_back(rows.at(i, column), members.label(i));
      }
    }
    std::ranges::sort(cells);
    std::vector<std::size_t> next;
    for (std::size_t k = 0; k < members.clusters(); ++k) {
      starts_.push_back(starts_.back() + members.size(k));
    }
    next.assign(starts_.begin(), starts_.end() - 1);
    ranks_.resize(cells.size());
    for (const auto& [value, label] : cells) {
      ranks_[next[static_cast<std::size_t>(label)]++] = values_.size();
      values_.push_back(value);
    }
  }

  [[nodiscard]] bool is_indicator() const {
    return std::ranges::all_of(values_, [](double value) { return value == 0 || value == 1; });
  }

  [[nodiscard]] double median_in(std::size_t cluster) const {
    const auto ranks = of(cluster);
    return middle(ranks.size(), [&](std::size_t q) { return ranks[q]; });
  }

  [[nodiscard]] double median_outside(std::size_t cluster) const {
    const auto ranks = of(cluster);
    return middle(values_.size() - ranks.size(), [&](std::size_t q) {
      std::size_t low = 0;
      std::size_t high = ranks.size();
      while (low < high) {
        const std::size_t j = low + (high - low) / 2;
        (ranks[j] - j <= q ? low : high) = ranks[j] - j <= q ? j + 1 : j;
      }
      return q + low;
    });
  }

  [[nodiscard]] double sum(std::size_t cluster) const {
    double total = 0;
    for (const std::size_t rank : of(cluster)) {
      total += values_[rank];
    }
    return total;
  }

  // The median of |x - centre of its cluster| over all objects, times what makes that the standard
  // deviation of normal numbers.
  [[nodiscard]] double median_spread(const std::vector<double>& centres) const {
    std::vector<double> deviations = deviations_from(centres);
    const auto mid = deviations.begin() + static_cast<std::ptrdiff_t>(deviations.size() / 2);
    std::ranges::nth_element(deviations, mid);
    return 1.4826 * *mid;
  }

  [[nodiscard]] double standard_deviation(const std::vector<double>& centres) const {
    double squares = 0;
    for (const double deviation : deviations_from(centres)) {
      squares += deviation * deviation;
    }
    return std::sqrt(squares / static_cast<double>(values_.size()));
  }

 private:
  [[nodiscard]] std::span<const std::size_t> of(std::size_t cluster) const {
    return std::span(ranks_).subspan(starts_[cluster], members_.size(cluster));
  }

  template <class RankOf>
  [[nodiscard]] double middle(std::size_t count, const RankOf& rank_of) const {
    const double upper = values_[rank_of(count / 2)];
    return count % 2 == 1 ? upper : upper / 2 + values_[rank_of(count / 2 - 1)] / 2;
  }

  [[nodiscard]] std::vector<double> deviations_from(const std::vector<double>& centres) const {
    std::vector<double> deviations;
    deviations.reserve(values_.size());
    for (std::size_t k = 0; k < centres.size(); ++k) {
      for (const std::size_t rank : of(k)) {
        deviations.push_back(std::abs(values_[rank] - centres[k]));
      }
    }
    return deviations;
  }

  const ClusterMembers& members_;
  std::vector<double> values_;
  std::vector<std::size_t> ranks_;  // of the clusters' members, one cluster after the other
  std::vector<std::size_t> starts_{0};
};

// Of each cluster that has members and is not all there is.
template <class Compare>
std::vector<ColumnContrast> for_each_cluster(const ClusterMembers& members,
                                             const Compare& compare) {
  std::vector<ColumnContrast> contrasts(members.clusters());
  for (std::size_t k = 0; k < contrasts.size(); ++k) {
    if (members.size(k) > 0 && members.size(k) < members.all()) {
      contrasts[k] = compare(k);
    }
  }
  return contrasts;
}

std::vector<ColumnContrast> compare_shares(const SortedColumn& column,
                                           const ClusterMembers& members) {
  double all = 0;
  for (std::size_t k = 0; k < members.clusters(); ++k) {
    all += column.sum(k);
  }
  return for_each_cluster(members, [&](std::size_t k) {
    const double in = column.sum(k);
    return contrast_of_shares(in, static_cast<double>(members.size(k)), all - in,
                              static_cast<double>(members.all() - members.size(k)));
  });
}

std::vector<ColumnContrast> compare_means(const SortedColumn& column,
                                          const ClusterMembers& members) {
  std::vector<double> means(members.clusters(), 0.0);
  double all = 0;
  for (std::size_t k = 0; k < means.size(); ++k) {
    means[k] = column.sum(k);
    all += means[k];
  }
  std::vector<double> outside(means.size(), 0.0);
  for (std::size_t k = 0; k < means.size(); ++k) {
    outside[k] = (all - means[k]) / static_cast<double>(members.all() - members.size(k));
    means[k] /= std::max(1.0, static_cast<double>(members.size(k)));
  }
  const double spread = column.standard_deviation(means);
  return for_each_cluster(members, [&](std::size_t k) {
    return ColumnContrast{
        0,          "", Measure::mean, standardised(means[k] - outside[k], spread), means[k],
        outside[k], {}};
  });
}

std::vector<ColumnContrast> compare_medians(const SortedColumn& column,
                                            const ClusterMembers& members) {
  std::vector<double> medians(members.clusters(), 0.0);
  for (std::size_t k = 0; k < medians.size(); ++k) {
    medians[k] = members.size(k) > 0 ? column.median_in(k) : 0.0;
  }
  const double spread = column.median_spread(medians);
  if (!(spread > 0)) {
    return compare_means(column, members);
  }
  return for_each_cluster(members, [&](std::size_t k) {
    const double outside = column.median_outside(k);
    return ColumnContrast{
        0,       "", Measure::median, standardised(medians[k] - outside, spread), medians[k],
        outside, {}};
  });
}

// Keeps the largest effects.
void keep_largest(std::vector<ColumnContrast>& contrasts, std::size_t most) {
  std::erase_if(contrasts, [](const ColumnContrast& c) { return !(std::abs(c.effect) > 1e-12); });
  const auto larger = [](const ColumnContrast& a, const ColumnContrast& b) {
    const double of_a = std::abs(a.effect);
    const double of_b = std::abs(b.effect);
    return of_a > of_b || (of_a == of_b && a.column < b.column);
  };
  const auto kept = static_cast<std::ptrdiff_t>(std::min(most, contrasts.size()));
  std::partial_sort(contrasts.begin(), contrasts.begin() + kept, contrasts.end(), larger);
  contrasts.resize(static_cast<std::size_t>(kept));
}

using Contrasts = std::vector<std::vector<ColumnContrast>>;

Contrasts of_dense(const DenseArray& rows, const ClusterMembers& members, std::size_t most,
                   ThreadTeam& team) {
  Contrasts out(members.clusters());
  for (std::size_t begin = 0; begin < rows.columns(); begin += kColumnsAtATime) {
    const std::size_t count = std::min(kColumnsAtATime, rows.columns() - begin);
    Contrasts of_columns(count);
    team.for_each(count, [&](std::size_t c, int) {
      const SortedColumn column(rows, begin + c, members);
      of_columns[c] = column.is_indicator() ? compare_shares(column, members)
                                            : compare_medians(column, members);
    });
    for (std::size_t k = 0; k < out.size(); ++k) {
      for (std::size_t c = 0; c < count; ++c) {
        out[k].push_back(of_columns[c][k]);
        out[k].back().column = begin + c;
      }
      keep_largest(out[k], most);
    }
  }
  return out;
}

// How many rows of the cluster have each column; columns of none are left out.
std::vector<std::pair<std::uint32_t, double>> counts_in(const SparseMatrix& rows,
                                                        std::span<const ObjectId> members) {
  std::vector<std::uint32_t> columns;
  for (const ObjectId i : members) {
    for (auto e = static_cast<std::size_t>(rows.offsets[i]);
         e < static_cast<std::size_t>(rows.offsets[i + 1]); ++e) {
      if (rows.values[e] != 0) {
        columns.push_back(rows.columns[e]);
      }
    }
  }
  std::ranges::sort(columns);
  std::vector<std::pair<std::uint32_t, double>> counts;
  for (const std::uint32_t column : columns) {
    if (counts.empty() || counts.back().first != column) {
      counts.emplace_back(column, 0.0);
    }
    ++counts.back().second;
  }
  return counts;
}

Contrasts of_sparse(const SparseMatrix& rows, const ClusterMembers& members, std::size_t most,
                    ThreadTeam& team) {
  Contrasts out(members.clusters());
  std::vector<std::vector<std::pair<std::uint32_t, double>>> counts(members.clusters());
  team.for_each(counts.size(),
                [&](std::size_t k, int) { counts[k] = counts_in(rows, members.of(k)); });
  std::vector<double> all(rows.columns_count, 0.0);
  for (const auto& of_cluster : counts) {
    for (const auto& [column, count] : of_cluster) {
      all[column] += count;
    }
  }
  team.for_each(counts.size(), [&](std::size_t k, int) {
    const auto size = static_cast<double>(members.size(k));
    const double others = static_cast<double>(members.all()) - size;
    for (const auto& [column, count] : counts[k]) {
      if (others > 0 && count / size > (all[column] - count) / others) {
        out[k].push_back(contrast_of_shares(count, size, all[column] - count, others));
        out[k].back().column = column;
      }
    }
    keep_largest(out[k], most);
  });
  return out;
}

}  // namespace

Contrasts column_contrasts(const Input& input, const ClusterMembers& members, std::size_t most,
                           ThreadTeam& team) {
  const auto* dense = std::get_if<DenseArray>(&input.values);
  Contrasts out = dense != nullptr
                      ? of_dense(*dense, members, most, team)
                      : of_sparse(std::get<SparseMatrix>(input.values), members, most, team);
  for (std::vector<ColumnContrast>& contrasts : out) {
    for (ColumnContrast& contrast : contrasts) {
      contrast.name = contrast.column < input.column_names.size()
                          ? input.column_names[contrast.column]
                          : fmt::format("x{}", contrast.column);
    }
  }
  return out;
}

}  // namespace shiftcut
