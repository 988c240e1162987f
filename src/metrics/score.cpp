// Scores of a grouping against known classes, from their contingency table n_ij with margins a_i
// and b_j:
//
//   ARI  = (index - expected) / (mean index - expected) over pairs (Hubert and Arabie 1985)
//   V    = 2 h c / (h + c), h = MI / H(truth), c = MI / H(labels) (Rosenberg, Hirschberg 2007)
//   AMI  = (MI - E[MI]) / (N - E[MI]), N the mean or the larger of the entropies (Vinh et al. 2010)
//
// Degenerate cases are scored as in scikit-learn: 1 for the same grouping (also of no objects),
// otherwise 0 if one of the groupings carries no information.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/message.hpp"
#include "metrics/contingency.hpp"
#include "shiftcut/metrics.hpp"

namespace shiftcut {
namespace {

__extension__ using Wide = __int128;  // a product of two pair counts: n^4 / 4

double adjusted_rand_index(const Contingency& table) {
  const auto pairs = [](Wide count) { return count * (count - 1) / 2; };
  Wide both = 0;
  Wide in_rows = 0;
  Wide in_columns = 0;
  for (const Cell& cell : table.cells) both += pairs(cell.count);
  for (const std::uint64_t sum : table.row_sums) in_rows += pairs(sum);
  for (const std::uint64_t sum : table.column_sums) in_columns += pairs(sum);
  const Wide all = pairs(table.objects);
  const Wide only_rows = in_rows - both;
  const Wide only_columns = in_columns - both;
  const Wide neither = all - both - only_rows - only_columns;
  const Wide agreement = both * neither - only_rows * only_columns;
  const double spread = static_cast<double>(in_rows * (all - in_columns)) +
                        static_cast<double>(in_columns * (all - in_rows));
  return 2 * static_cast<double>(agreement) / spread;
}

double entropy(const std::vector<std::uint64_t>& sizes, double objects) {
  if (sizes.size() == 1) return 0;
  return std::transform_reduce(sizes.begin(), sizes.end(), 0.0, std::plus{},
                               [objects](std::uint64_t size) {
                                 const double share = static_cast<double>(size) / objects;
                                 return -share * std::log(share);
                               });
}

double mutual_information(const Contingency& table) {
  const auto n = static_cast<double>(table.objects);
  double information = 0;
  for (const Cell& cell : table.cells) {
    const auto count = static_cast<double>(cell.count);
    const auto row_sum = static_cast<double>(table.row_sums[cell.row]);
    const auto column_sum = static_cast<double>(table.column_sums[cell.column]);
    information += count / n * std::log(count * n / (row_sum * column_sum));
  }
  return std::max(information, 0.0);
}

double adjusted(double information, double expected, double most) {
  const auto away_from_zero = [](double value) {
    constexpr double kTiny = std::numeric_limits<double>::epsilon();
    return value < 0 ? std::min(value, -kTiny) : std::max(value, kTiny);
  };
  return away_from_zero(information - expected) / away_from_zero(most - expected);
}

/// A grouping into one class, or into n of them, has the same mutual information with every
/// grouping of the other's class sizes.
bool is_uninformative(const std::vector<std::uint64_t>& sizes, std::uint64_t objects) {
  return sizes.size() == 1 || sizes.size() == objects;
}

}  // namespace

Scores score(std::span<const std::int32_t> truth, std::span<const std::int32_t> labels) {
  if (truth.size() != labels.size()) {
    refuse("wrong_length", "", "score: {} known classes but {} labels; one of each per object",
           truth.size(), labels.size());
  }
  const Contingency table = contingency(truth, labels);
  if (table.is_matching()) {
    return {.ami = 1, .ami_max = 1, .ari = 1, .v_measure = 1, .homogeneity = 1, .completeness = 1};
  }
  Scores scores{.ari = adjusted_rand_index(table)};

  const auto n = static_cast<double>(table.objects);
  const double truth_entropy = entropy(table.row_sums, n);
  const double label_entropy = entropy(table.column_sums, n);
  const double information = mutual_information(table);
  scores.homogeneity = truth_entropy > 0 ? information / truth_entropy : 1;
  scores.completeness = label_entropy > 0 ? information / label_entropy : 1;
  const double sum = scores.homogeneity + scores.completeness;
  scores.v_measure = sum > 0 ? 2 * scores.homogeneity * scores.completeness / sum : 0;

  if (is_uninformative(table.row_sums, table.objects) ||
      is_uninformative(table.column_sums, table.objects)) {
    return scores;
  }
  const double expected =
      expected_mutual_information(table.row_sums, table.column_sums, table.objects);
  scores.ami = adjusted(information, expected, (truth_entropy + label_entropy) / 2);
  scores.ami_max = adjusted(information, expected, std::max(truth_entropy, label_entropy));
  return scores;
}

}  // namespace shiftcut
