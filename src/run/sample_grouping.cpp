#include "run/sample_grouping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/core.h>

#include "core/kernels/kernels.hpp"
#include "core/message.hpp"
#include "core/partition.hpp"
#include "core/rng.hpp"
#include "neighbors/cells/cells.hpp"
#include "run/tuning.hpp"
#include "shiftcut/metrics.hpp"
#include "shiftcut/run.hpp"
#include "similarity/feature_rows.hpp"
#include "similarity/row_chunks.hpp"
#include "similarity/row_groups.hpp"
#include "similarity/scaling.hpp"

namespace shiftcut {

namespace {

using namespace run_tuning;

std::string stopped(StopReason reason) {
  return reason == StopReason::max_seconds ? "Stopped by the time limit" : "Interrupted";
}

// Multiplications for one row: its columns, or its entries where it is sparse.
double row_length(const Input& input) {
  if (const auto* dense = std::get_if<DenseArray>(&input.values)) {
    return static_cast<double>(dense->columns());
  }
  const auto& sparse = std::get<SparseMatrix>(input.values);
  return static_cast<double>(sparse.values.size()) / static_cast<double>(sparse.rows) + 1;
}

// How many rows all rows can be compared with in the time there is.
std::size_t affordable(const Input& input) {
  const auto n = static_cast<double>(input.objects());
  return std::max(kLeastCentres, static_cast<std::size_t>(kMostProducts / (n * row_length(input))));
}

std::size_t sample_size(const Input& input, std::optional<std::size_t> clusters) {
  const std::size_t wanted =
      std::clamp(kSampledPerCluster * clusters.value_or(0), kSampledRows, kMostSampledRows);
  const bool is_sparse = std::holds_alternative<SparseMatrix>(input.values);  // has no centres
  return std::min({input.objects(), wanted, is_sparse ? affordable(input) : wanted});
}

// Little work, without a time limit.
Options quick(Options options) {
  options.search.max_seconds = 0;
  options.search.restarts = 1;
  return options;
}

Result grouped(const Input& input, const Options& options, std::span<const ObjectId> rows) {
  Input sample;
  std::visit([&](const auto& values) { sample.values = rows_of(values, rows); }, input.values);
  for (const ObjectId row : rows) {
    if (!input.weights.empty()) {
      sample.weights.push_back(input.weights[row]);
    }
  }
  sample.name = input.name;
  sample.checked = true;
  Options how = quick(options);
  how.links = {};
  if (how.search.clusters) {
    how.search.clusters = std::min(*how.search.clusters, rows.size());
  }
  return run(sample, how, {});
}

// If all rows fit into the sample, the cost is known.
Result grouped_whole(const Input& input, const Options& options, StopReason reason) {
  Result result = run(input, quick(options), {});
  result.stop_reason = reason;
  result.warnings.push_back(
      message("stopped", "", "{}: this is a quick grouping.", stopped(reason)));
  return result;
}

struct LabelledRows {
  std::size_t length;
  std::vector<float> values;
  std::vector<ClusterId> labels;

  [[nodiscard]] std::size_t size() const { return labels.size(); }
  [[nodiscard]] const float* row(std::size_t i) const { return &values[i * length]; }
};

// k-means among the members of one cluster, from members evenly spaced: appends `count` centres.
void add_centres(const LabelledRows& rows, const std::vector<std::uint32_t>& members,
                 std::size_t count, LabelledRows& out) {
  const std::size_t d = rows.length;
  std::vector<float> centres;
  for (std::size_t c = 0; c < count; ++c) {
    const float* row = rows.row(members[c * members.size() / count]);
    centres.insert(centres.end(), row, row + d);
  }
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0U);
  std::vector<float> squared(count);
  for (int step = 0; step < kCentreSteps; ++step) {
    std::vector<double> sums(count * d, 0.0);
    std::vector<double> sizes(count, 0.0);
    for (const std::uint32_t member : members) {
      squared_distances(rows.row(member), centres.data(), all.data(), count, d, squared.data());
      const auto near =
          static_cast<std::size_t>(std::ranges::min_element(squared) - squared.begin());
      add_scaled(&sums[near * d], 1.0, rows.row(member), d);
      sizes[near] += 1;
    }
    for (std::size_t c = 0; c < count; ++c) {
      if (sizes[c] > 0) {
        narrow(&centres[c * d], &sums[c * d], 1 / sizes[c], d);
      }
    }
  }
  out.values.insert(out.values.end(), centres.begin(), centres.end());
  out.labels.insert(out.labels.end(), count, rows.labels[members.front()]);
}

// About `most` rows at most that represent the clusters: all rows, or several centres per cluster.
LabelledRows centres_of(LabelledRows rows, std::size_t clusters, std::size_t most) {
  if (rows.size() <= most) {
    return rows;
  }
  std::vector<std::vector<std::uint32_t>> members(clusters);
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    members[rows.labels[i]].push_back(i);
  }
  LabelledRows centres{rows.length, {}, {}};
  for (const std::vector<std::uint32_t>& cluster : members) {
    add_centres(rows, cluster, std::max<std::size_t>(1, most * cluster.size() / rows.size()),
                centres);
  }
  return centres;
}

// Every row joins the cluster of the nearest centre; under the cosine, the nearest in direction.
std::vector<ClusterId> extended(const DenseArray& data, std::span<const ObjectId> sample,
                                const Result& grouping, std::size_t most, ThreadTeam& team) {
  const std::size_t n = data.rows();
  const std::size_t d = data.columns();
  Scaling scaling;
  scaling.offset = grouping.scaling.offset;
  scaling.factor = grouping.scaling.factor;
  const bool by_direction = grouping.similarity == "cosine" || grouping.metric == "cosine" ||
                            grouping.metric == "correlation";
  const FeatureRows rows = FeatureRows::scaled(data, scaling);
  const auto length_of = [&](std::size_t i, std::vector<double>& row) {
    rows.row(i, row.data());
    return std::sqrt(dot(row.data(), row.data(), d));
  };
  std::vector<double> row(d);
  double longest = 0;
  for (const ObjectId i : sample) {
    longest = std::max(longest, length_of(i, row));
  }
  const auto write = [&](std::size_t i, std::vector<double>& room, float* out) {
    const double length = length_of(i, room);
    const double unit = by_direction ? length : longest;
    narrow(out, room.data(), unit > 0 ? 1 / unit : 0.0, d);
  };
  LabelledRows sampled{
      d, std::vector<float>(sample.size() * d), {grouping.labels.begin(), grouping.labels.end()}};
  for (std::size_t s = 0; s < sample.size(); ++s) {
    write(sample[s], row, &sampled.values[s * d]);
  }
  const LabelledRows centres = centres_of(std::move(sampled), grouping.sizes.size(), most);
  const Centres packed(centres.values, d);
  std::vector<ClusterId> labels(n);
  team.for_each((n + kRowsPerSampleTask - 1) / kRowsPerSampleTask, [&](std::size_t block, int) {
    const std::size_t first = block * kRowsPerSampleTask;
    const std::size_t count = std::min(kRowsPerSampleTask, n - first);
    std::vector<double> room(d);
    std::vector<float> narrowed(count * (d + 1), 1.0F);
    std::vector<const float*> pointers(count);
    for (std::size_t r = 0; r < count; ++r) {
      write(first + r, room, &narrowed[r * (d + 1)]);
      pointers[r] = &narrowed[r * (d + 1)];
    }
    std::vector<std::uint32_t> near(count);
    packed.nearest(pointers, near.data());
    for (std::size_t r = 0; r < count; ++r) {
      labels[first + r] = centres.labels[near[r]];
    }
  });
  return labels;
}

// Every sparse row joins the sampled row with the largest 2 x.s - |s|^2, or, under the cosine, the
// largest x.s / |s|.
std::vector<ClusterId> extended(const SparseMatrix& data, std::span<const ObjectId> sample,
                                const Result& grouping, std::size_t /*most*/, ThreadTeam& team) {
  const SparseMatrix sampled = rows_of(data, sample);
  std::vector<Entry> turned;
  std::vector<double> squared(sample.size(), 0.0);
  for (std::uint32_t s = 0; s < sampled.rows; ++s) {
    for (auto e = static_cast<std::size_t>(sampled.offsets[s]);
         e < static_cast<std::size_t>(sampled.offsets[s + 1]); ++e) {
      turned.push_back({sampled.columns[e], s, sampled.values[e]});
      squared[s] += sampled.values[e] * sampled.values[e];
    }
  }
  const SparseMatrix columns =
      sparse_from_entries(std::move(turned), data.columns_count, sample.size());
  const bool by_direction = grouping.similarity != "linear";
  std::vector<ClusterId> labels(data.rows);
  team.for_each((data.rows + kRowsPerSampleTask - 1) / kRowsPerSampleTask, [&](std::size_t block,
                                                                               int) {
    std::vector<double> products(sample.size());
    const std::size_t first = block * kRowsPerSampleTask;
    for (std::size_t i = first; i < std::min(data.rows, first + kRowsPerSampleTask); ++i) {
      std::ranges::fill(products, 0.0);
      for (auto e = static_cast<std::size_t>(data.offsets[i]);
           e < static_cast<std::size_t>(data.offsets[i + 1]); ++e) {
        const std::uint32_t column = data.columns[e];
        for (auto t = static_cast<std::size_t>(columns.offsets[column]);
             t < static_cast<std::size_t>(columns.offsets[column + 1]); ++t) {
          products[columns.columns[t]] += data.values[e] * columns.values[t];
        }
      }
      for (std::size_t s = 0; s < products.size(); ++s) {
        products[s] = by_direction ? (squared[s] > 0 ? products[s] / std::sqrt(squared[s]) : 0.0)
                                   : 2 * products[s] - squared[s];
      }
      const auto near = std::ranges::max_element(products) - products.begin();
      labels[i] = static_cast<ClusterId>(grouping.labels[static_cast<std::size_t>(near)]);
    }
  });
  return labels;
}

struct SampleGrouping {
  std::vector<ObjectId> sample;
  Result of_sample;
  std::vector<ClusterId> labels;  // of all rows
};

SampleGrouping group_sample(const Input& input, const Options& options,
                            std::vector<ObjectId> sample, ThreadTeam& team) {
  SampleGrouping made{std::move(sample), {}, {}};
  made.of_sample = grouped(input, options, made.sample);
  made.labels = std::visit(
      [&](const auto& values) {
        return extended(values, made.sample, made.of_sample, affordable(input), team);
      },
      input.values);
  for (std::size_t s = 0; s < made.sample.size(); ++s) {
    made.labels[made.sample[s]] = static_cast<ClusterId>(made.of_sample.labels[s]);
  }
  return made;
}

std::vector<ObjectId> sample_for(const Input& input, const Options& options) {
  Rng rng(options.search.seed);
  return sample_rows(input.objects(), sample_size(input, options.search.clusters), rng);
}

}  // namespace

std::vector<ClusterId> sample_labels(const Input& input, const Options& options, ThreadTeam& team) {
  return group_sample(input, options, sample_for(input, options), team).labels;
}

Result sample_result(const Input& input, const Options& options,
                     const std::optional<Constraints>& constraints, StopReason reason,
                     ThreadTeam& team) {
  const std::size_t n = input.objects();
  std::vector<ObjectId> sample = sample_for(input, options);
  if (sample.size() == n) {
    return grouped_whole(input, options, reason);
  }
  SampleGrouping made = group_sample(input, options, std::move(sample), team);
  if (constraints) {
    made.labels = repaired(*constraints, options.search.clusters, made.labels);
  }
  Partition partition = by_decreasing_size(made.labels);
  Result result = std::move(made.of_sample);
  result.objects = n;
  result.clusters_asked = options.search.clusters;
  result.clusters_found = partition.sizes.size();
  result.sizes = std::move(partition.sizes);
  result.labels = std::move(partition.labels);
  result.cost = std::numeric_limits<double>::quiet_NaN();
  result.restarts.clear();
  result.shift_path.clear();
  result.stop_reason = reason;
  result.threads = team.threads();
  if (!input.truth.empty()) {
    result.scores = score(input.truth, result.labels);
  }
  result.warnings = input.notes;
  result.warnings.push_back(
      message("sampled", "",
              "{} before the similarities were computed: {} rows were sampled and grouped, and "
              "every other row joined those nearest to it. The cost of this grouping is unknown.",
              stopped(reason), made.sample.size()));
  return result;
}

}  // namespace shiftcut
