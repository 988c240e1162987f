#include "run/sample_grouping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "core/message.hpp"
#include "core/partition.hpp"
#include "core/rng.hpp"
#include "run/extend_labels.hpp"
#include "run/pipeline.hpp"
#include "run/tuning.hpp"
#include "shiftcut/metrics.hpp"
#include "shiftcut/run.hpp"
#include "similarity/row_chunks.hpp"
#include "similarity/row_groups.hpp"

namespace shiftcut {

namespace {

using namespace run_tuning;

std::string stopped(StopReason reason) {
  return reason == StopReason::max_seconds ? "Stopped by the time limit" : "Interrupted";
}

std::size_t sample_size(const Input& input, std::optional<std::size_t> clusters) {
  const std::size_t wanted =
      std::clamp(kSampledPerCluster * clusters.value_or(0), kLeastSampledRows, kMostSampledRows);
  const bool is_sparse = std::holds_alternative<SparseMatrix>(input.values);  // has no centres
  return std::min({input.objects(), wanted, is_sparse ? affordable_comparisons(input) : wanted});
}

// Little work, without a time limit: annealing takes seconds where K is in the thousands.
Options quick(Options options) {
  options.search.max_seconds = 0;
  options.search.method = Method::automatic;
  options.search.restarts = 1;
  options.search.min_size = options.search.max_size = 0;  // of the rows, not of a sample
  return options;
}

Result grouped(const Input& input, const Options& options, std::span<const ObjectId> rows,
               const Control& control) {
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
  return run(sample, how, {{}, control.stop});
}

// If all rows fit into the sample, the cost is known.
Result grouped_whole(const Input& input, const Options& options, StopReason reason) {
  Result result = run(input, quick(options), {});
  result.stop_reason = reason;
  result.warnings.push_back(
      message("stopped", "", "{}: this is a quick grouping.", stopped(reason)));
  return result;
}

void fit_result(const Input& input, const SizeBounds& bounds,
                const std::optional<Constraints>& constraints, Result& result) {
  const std::vector<ClusterId> before(result.labels.begin(), result.labels.end());
  std::vector<ClusterId> labels = fit_to_sizes(before, bounds, constraints);
  if (labels == before) {
    return;
  }
  Partition partition = by_decreasing_size(labels);
  result.clusters_found = partition.sizes.size();
  result.sizes = std::move(partition.sizes);
  result.labels = std::move(partition.labels);
  result.cost = std::numeric_limits<double>::quiet_NaN();
  result.restarts.clear();
  result.agreement.reset();
  if (!input.truth.empty()) {
    result.scores = score(input.truth, result.labels);
  }
}

// The labels are empty if it was interrupted.
SampleGrouping group_sample(const Input& input, const Options& options,
                            std::vector<ObjectId> sample, StopCheck* stop, ThreadTeam& team) {
  SampleGrouping made;
  made.sample = std::move(sample);
  const Clock::time_point start = Clock::now();
  made.of_sample =
      grouped(input, options, made.sample, stop != nullptr ? stop->control() : Control{});
  made.group_seconds = seconds_since(start);
  if (made.of_sample.stop_reason == StopReason::converged) {
    made.labels = extended_labels(input, made.sample, made.of_sample,
                                  stop == nullptr || stop->should_stop(), team);
  }
  made.extend_seconds = seconds_since(start) - made.group_seconds;
  return made;
}

std::vector<ObjectId> sample_for(const Input& input, const Options& options, std::size_t size) {
  Rng rng(options.search.seed);
  return sample_rows(input.objects(), size, rng);
}

// The size of the next sample that is expected to fit into the time left, if any.
std::optional<std::size_t> next_size(const SampleGrouping& last, std::size_t rows,
                                     double seconds_left) {
  const auto size = static_cast<double>(last.sample.size());
  const double of_all = kLeastOfAll * last.group_seconds * static_cast<double>(rows) / size;
  const double share = of_all > seconds_left ? kShareIfHopeless : kShareForSamples;
  const double left = share * seconds_left - 2 * last.extend_seconds;
  if (!(left > 0)) {
    return std::nullopt;
  }
  const double growth =
      std::min(kMostGrowth, std::pow(left / last.group_seconds, 1 / kTimeExponent));
  const bool is_worth_it =
      growth >= kLeastGrowth && growth * size <= kLargestSample * static_cast<double>(rows);
  return is_worth_it ? std::optional(static_cast<std::size_t>(growth * size)) : std::nullopt;
}

}  // namespace

SampleGrouping first_sample(const Input& input, const Options& options, ThreadTeam& team) {
  return group_sample(input, options,
                      sample_for(input, options, sample_size(input, options.search.clusters)), {},
                      team);
}

std::optional<SampleGrouping> growing_samples(const Input& input, const Options& options,
                                              const Context& context) {
  const std::size_t n = input.objects();
  const std::size_t size = sample_size(input, options.search.clusters);
  if (size == n) {
    return std::nullopt;
  }
  SampleGrouping best =
      group_sample(input, options, sample_for(input, options, size), &context.stop, context.team);
  const bool is_dense = std::holds_alternative<DenseArray>(input.values);
  while (is_dense && !best.labels.empty() && !context.should_stop()) {
    const std::optional<std::size_t> next = next_size(best, n, context.stop.seconds_left());
    if (!next) {
      break;
    }
    SampleGrouping larger = group_sample(input, options, sample_for(input, options, *next),
                                         &context.stop, context.team);
    if (larger.labels.empty()) {
      break;
    }
    best = std::move(larger);
  }
  return best.labels.empty() ? std::nullopt : std::optional(std::move(best));
}

Result sample_result(const Input& input, const Options& options,
                     const std::optional<Constraints>& constraints,
                     const std::optional<SizeBounds>& bounds, StopReason reason,
                     std::optional<SampleGrouping> sampled, ThreadTeam& team) {
  const std::size_t n = input.objects();
  if (sample_size(input, options.search.clusters) == n) {
    Result result = grouped_whole(input, options, reason);
    if (bounds) {
      fit_result(input, *bounds, constraints, result);
    }
    return result;
  }
  SampleGrouping made = sampled ? std::move(*sampled) : first_sample(input, options, team);
  if (constraints) {
    made.labels = repaired(*constraints, options.search.clusters, made.labels);
  }
  if (bounds) {
    made.labels = fit_to_sizes(made.labels, *bounds, constraints);
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
  result.path_labels = nullptr;
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
