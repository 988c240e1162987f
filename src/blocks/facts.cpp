// What blocks say about the whole: columns that vary, equal rows, scaling. See blocks.hpp.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/message.hpp"
#include "core/thread_team.hpp"
#include "problem/similarities.hpp"
#include "shiftcut/blocks.hpp"
#include "similarity/choose_scale.hpp"
#include "similarity/row_groups.hpp"
#include "similarity/scaling.hpp"
#include "similarity/tuning.hpp"

namespace shiftcut {

namespace {

std::vector<std::size_t> varying_in(const BlockFacts& facts) {
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < facts.smallest.size(); ++j) {
    if (facts.smallest[j] != facts.largest[j]) {
      columns.push_back(j);
    }
  }
  return columns;
}

Moments joined(std::span<const PartMoments> parts) {
  if (parts.empty()) {
    refuse("wrong_length", "", "moments: found no parts; allowed: all of moment_parts()");
  }
  const auto moments_of = [](const PartMoments& part) {
    Moments moments(0);
    moments.count = part.count;
    moments.mean = part.mean;
    moments.squared = part.squared;
    moments.smallest = part.smallest;
    moments.largest = part.largest;
    return moments;
  };
  Moments all = moments_of(parts[0]);
  for (std::size_t p = 1; p < parts.size(); ++p) {
    all.join(moments_of(parts[p]));
  }
  return all;
}

}  // namespace

BlockFacts facts_of_block(const DenseArray& rows) {
  const std::size_t n = rows.rows();
  const std::size_t d = rows.columns();
  BlockFacts facts;
  facts.rows = n;
  facts.zeros.assign(d, 0);
  for (std::size_t j = 0; n > 0 && j < d; ++j) {
    facts.smallest.push_back(rows.at(0, j));
    facts.largest.push_back(rows.at(0, j));
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      const double value = rows.at(i, j);
      facts.is_finite = facts.is_finite && std::isfinite(value);
      facts.smallest[j] = std::min(facts.smallest[j], value);
      facts.largest[j] = std::max(facts.largest[j], value);
      facts.zeros[j] += value == 0 ? 1 : 0;
    }
  }
  facts.has_negative = std::ranges::any_of(facts.smallest, [](double value) { return value < 0; });
  return facts;
}

BlockFacts merge_facts(const BlockFacts& a, const BlockFacts& b) {
  if (a.rows == 0 || b.rows == 0) {
    return a.rows == 0 ? b : a;
  }
  if (a.smallest.size() != b.smallest.size()) {
    refuse("wrong_length", "", "blocks: found one of {} columns and one of {}; allowed: the same",
           a.smallest.size(), b.smallest.size());
  }
  BlockFacts both = a;
  both.rows += b.rows;
  both.is_finite = a.is_finite && b.is_finite;
  both.has_negative = a.has_negative || b.has_negative;
  for (std::size_t j = 0; j < both.smallest.size(); ++j) {
    both.smallest[j] = std::min(a.smallest[j], b.smallest[j]);
    both.largest[j] = std::max(a.largest[j], b.largest[j]);
    both.zeros[j] += b.zeros[j];
  }
  return both;
}

std::vector<double> squares_of_block(const DenseArray& rows, double largest) {
  std::vector<double> squares(rows.columns(), 0.0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < rows.columns(); ++j) {
      const double part = std::floor(rows.at(i, j) / largest * similarity_tuning::kPartsOfLargest);
      squares[j] += part * part;
    }
  }
  return squares;
}

bool chooses_by_squares(const SimilarityOptions& options, const BlockFacts& facts) {
  const bool chooses =
      options.kind == Similarity::automatic ||
      (options.kind == Similarity::neighbors && options.metric == Metric::automatic);
  return chooses && facts.rows > 0 && !facts.has_negative &&
         std::ranges::find(facts.zeros, std::uint64_t{0}) == facts.zeros.end() &&
         std::ranges::max(facts.largest) > 0;
}

SimilarityOptions choose_similarity(SimilarityOptions options, bool needs_graph,
                                    const BlockFacts& facts, const std::vector<double>& squares) {
  const bool chooses =
      options.kind == Similarity::automatic ||
      (options.kind == Similarity::neighbors && options.metric == Metric::automatic);
  if (!chooses) {
    return options;
  }
  const std::vector<double> zeros(facts.zeros.begin(), facts.zeros.end());
  const double share = facts.has_negative || zeros.empty()
                           ? 0
                           : share_of_zeros(zeros, squares.empty() ? zeros : squares, facts.rows);
  return chosen_by_zeros(std::move(options), needs_graph, false, share);
}

std::vector<std::uint64_t> hash_rows(const DenseArray& rows, const BlockFacts& all, int threads) {
  ThreadTeam team(threads);
  return hashes_of(rows, varying_in(all), team);
}

DistinctRows distinct_in_bucket(const DenseArray& rows, const BlockFacts& all, int threads) {
  DistinctRows out;
  if (rows.rows() == 0) {
    return out;
  }
  ThreadTeam team(threads);
  const RowGroups groups = distinct_rows(rows, varying_in(all), team);
  out.node_of.resize(rows.rows());
  for (std::size_t group = 0; group < groups.size(); ++group) {
    out.first.push_back(groups.first(group));
    out.counts.push_back(static_cast<std::uint32_t>(groups.of(group).size()));
    for (const ObjectId row : groups.of(group)) {
      out.node_of[row] = static_cast<std::uint32_t>(group);
    }
  }
  return out;
}

std::size_t moment_parts(std::size_t nodes) { return moment_chunks(nodes); }

PartMoments moments_of_part(const DenseArray& nodes, std::span<const double> counts) {
  if (!counts.empty() && counts.size() != nodes.rows()) {
    refuse("wrong_length", "", "counts: found {}; allowed: {}, one per row, or none", counts.size(),
           nodes.rows());
  }
  Moments moments = moments_of_chunk(nodes, counts, true);
  return {moments.count, std::move(moments.mean), std::move(moments.squared),
          std::move(moments.smallest), std::move(moments.largest)};
}

FeatureScaling scaling_of_parts(std::span<const PartMoments> parts, Scale scale) {
  Moments all = joined(parts);
  for (std::size_t j = 0; j < all.mean.size(); ++j) {
    if (!std::isfinite(all.mean[j]) || !std::isfinite(all.squared[j])) {
      refuse("too_large", "",
             "X: found numbers in feature {} too large to square; allowed: up to about 1e140",
             j + 1);
    }
  }
  Scaling scaling = scaling_from(std::move(all), scale);
  return {std::move(scaling.offset), std::move(scaling.factor)};
}

std::size_t scale_sample(std::size_t nodes) {
  return std::min(nodes, similarity_tuning::kMostRankedRows);
}

ScaleReason choose_block_scale(const DenseArray& sample, std::span<const PartMoments> parts,
                               const SimilarityOptions& options, int threads) {
  if (options.scale != Scale::automatic) {
    return {options.scale, ""};
  }
  if (options.metric != Metric::euclidean && options.metric != Metric::automatic) {
    return {Scale::none, ""};  // distances of the rows as they are
  }
  ThreadTeam team(threads);
  ScaleChoice choice = choose_scale(sample, scaling_from(joined(parts), Scale::none), team);
  return {choice.scale, std::move(choice.reason)};
}

}  // namespace shiftcut
