#include "problem/linkage_shift.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/kernels/elementary.hpp"
#include "core/partition.hpp"
#include "problem/tuning.hpp"

namespace shiftcut {

namespace {

using namespace problem_tuning;

double probability(double log_odds) { return 1 / (1 + portable_exp(-log_odds)); }
double logit(double p) { return portable_log(p / (1 - p)); }

std::size_t row_begin(const SparseMatrix& matrix, std::size_t i) {
  return static_cast<std::size_t>(matrix.offsets[i]);
}

// Mean probability of the pairs; loops are none.
double base_rate_of(const SparseMatrix& log_odds) {
  double sum = 0;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < log_odds.rows; ++i) {
    for (std::size_t e = row_begin(log_odds, i); e < row_begin(log_odds, i + 1); ++e) {
      if (log_odds.columns[e] > i) {
        sum += probability(log_odds.values[e]);
        ++pairs;
      }
    }
  }
  const double mean = pairs == 0 ? kPathPrior : sum / static_cast<double>(pairs);
  return std::clamp(mean, kLeastBaseRate, 1 - kLeastBaseRate);
}

// The pairs that probably match, by row.
struct LikelyMatches {
  std::vector<std::size_t> offsets;
  std::vector<ObjectId> columns;
  std::vector<double> probabilities;
};

LikelyMatches likely_matches(const SparseMatrix& log_odds) {
  LikelyMatches out;
  out.offsets.push_back(0);
  for (std::size_t i = 0; i < log_odds.rows; ++i) {
    for (std::size_t e = row_begin(log_odds, i); e < row_begin(log_odds, i + 1); ++e) {
      if (log_odds.values[e] >= 0 && log_odds.columns[e] != i) {
        out.columns.push_back(log_odds.columns[e]);
        out.probabilities.push_back(probability(log_odds.values[e]));
      }
    }
    out.offsets.push_back(out.columns.size());
  }
  return out;
}

// For the pairs of i, t_ij: how probable the most probable path of two likely matches is. `from_i`
// is all 0, before and after.
void add_paths(const SparseMatrix& log_odds, const LikelyMatches& likely, std::size_t i,
               std::vector<double>& from_i, std::vector<double>& paths) {
  const std::size_t begin = likely.offsets[i];
  const std::size_t end = likely.offsets[i + 1];
  if (begin == end) {
    return;
  }
  for (std::size_t k = begin; k < end; ++k) {
    from_i[likely.columns[k]] = likely.probabilities[k];
  }
  for (std::size_t e = row_begin(log_odds, i); e < row_begin(log_odds, i + 1); ++e) {
    const ObjectId j = log_odds.columns[e];
    for (std::size_t k = likely.offsets[j]; j != i && k < likely.offsets[j + 1]; ++k) {
      paths[e] = std::max(paths[e], from_i[likely.columns[k]] * likely.probabilities[k]);
    }
  }
  for (std::size_t k = begin; k < end; ++k) {
    from_i[likely.columns[k]] = 0;
  }
}

}  // namespace

LinkageShift linkage_shift(const SparseMatrix& log_odds, double strength, ThreadTeam& team) {
  const std::size_t n = log_odds.rows;
  const double base_rate = base_rate_of(log_odds);
  const LikelyMatches likely = likely_matches(log_odds);
  std::vector<double> paths(log_odds.columns.size(), 0.0);
  std::vector<std::vector<double>> rooms(static_cast<std::size_t>(team.threads()));
  team.for_each(n, [&](std::size_t i, int thread) {
    std::vector<double>& from_i = rooms[static_cast<std::size_t>(thread)];
    from_i.resize(n, 0.0);
    add_paths(log_odds, likely, i, from_i, paths);
  });

  auto edges = std::make_shared<SparseMatrix>(log_odds);
  std::size_t raised = 0;
  const double base_log_odds = logit(base_rate);
  for (std::size_t e = 0; e < paths.size(); ++e) {
    if (paths[e] > 0 && base_rate < kPathPrior) {
      const double prior = base_rate + paths[e] * (kPathPrior - base_rate);
      edges->values[e] += strength * (logit(prior) - base_log_odds);
      ++raised;
    }
    edges->values[e] += strength * -kAbsentLogOdds;
  }
  return {std::move(edges), -kAbsentLogOdds, base_rate, raised / 2};
}

}  // namespace shiftcut
