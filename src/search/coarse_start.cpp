#include "search/coarse_start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "core/kernels/kernels.hpp"
#include "core/work_meter.hpp"
#include "multilevel/level.hpp"
#include "multilevel/small_matrix.hpp"
#include "search/tuning.hpp"

namespace shiftcut {

namespace {

std::size_t slots_for(std::size_t n, std::optional<std::size_t> clusters) {
  return clusters ? *clusters : std::min(n, kFreeSampleClusters);
}

// In ascending order; all objects if there are few.
std::vector<ObjectId> draw_sample(std::size_t n, std::size_t slots, Rng& rng) {
  const std::size_t wanted = std::max(std::clamp(n / 8, kLeastSample, kMostSample), 8 * slots);
  const std::size_t count = n <= kSampleAll ? n : std::min(n, wanted);
  std::vector<ObjectId> all(n);
  std::iota(all.begin(), all.end(), ObjectId{0});
  if (count < n) {
    for (std::size_t i = 0; i < count; ++i) {
      std::swap(all[i], all[i + rng.below(static_cast<std::uint32_t>(n - i))]);
    }
    all.resize(count);
    std::sort(all.begin(), all.end());
  }
  return all;
}

SmallMatrix matrix_of(const GramProblem& problem, std::span<const ObjectId> ids, ThreadTeam& team) {
  const std::size_t length = problem.length();
  std::vector<float> x(ids.size() * length);
  std::vector<float> entries(length * ids.size());  // z by entry, then by object
  std::vector<double> row(length);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    problem.x_row(ids[i], RowTruth::float32, row.data());
    narrow(&x[i * length], row.data(), problem.unit(), length);
    problem.x_to_z(ids[i], row.data());
    for (std::size_t e = 0; e < length; ++e) {
      entries[e * ids.size() + i] = static_cast<float>(row[e]);
    }
  }
  SmallMatrix s(ids.size());
  team.for_each(ids.size(), [&](std::size_t i, int) {
    for (std::size_t e = 0; e < length; ++e) {
      add_scaled(s.row(i), x[i * length + e], &entries[e * ids.size()], ids.size());
    }
    problem.pairs().for_each(ids[i], [&](ObjectId other, double value) {
      const auto place = std::lower_bound(ids.begin(), ids.end(), other);
      if (place != ids.end() && *place == other) {
        s.row(i)[place - ids.begin()] += static_cast<float>(problem.unit() * value);
      }
    });
  });
  s.separate_diagonal();
  return s;
}

SmallMatrix matrix_of(const DenseProblem& problem, std::span<const ObjectId> ids,
                      ThreadTeam& team) {
  SmallMatrix s(ids.size());
  team.for_each(ids.size(), [&](std::size_t i, int) {
    for (std::size_t j = 0; j < ids.size(); ++j) {
      s.row(i)[j] = static_cast<float>(problem.shifted(ids[i], ids[j]));
    }
  });
  s.separate_diagonal();
  return s;
}

// Attempts on the matrix of one sample.
class SampleSearch {
 public:
  SampleSearch(const SmallMatrix& s, std::size_t slots, bool slots_fixed, double tolerance)
      : s_(s), slots_(slots), slots_fixed_(slots_fixed), tolerance_(tolerance) {}

  struct Labelling {
    double cost = 0;
    std::vector<ClusterId> labels;
  };

  [[nodiscard]] Labelling improved(const Labelling& from, int trials, const Context& context,
                                   WorkMeter& meter) const {
    SmallDescent descent(s_, slots_, tolerance_);
    descent.begin(from.labels);
    in_parts(trials, context.stop, meter, [&](int times) { descent.perturb(times, context); });
    return {descent.cost(), descent.labels()};
  }

  [[nodiscard]] Labelling attempt(bool by_cells, Rng& rng) const {
    SmallDescent descent(s_, slots_, tolerance_);
    if (by_cells && s_.n > 2 * slots_) {
      begin_by_cells(descent, rng);
    } else {
      descent.begin(random(s_.n, rng));
    }
    descent.run(rng);
    return {descent.cost(), descent.labels()};
  }

 private:
  std::vector<ClusterId> random(std::size_t count, Rng& rng) const {
    const std::size_t few =
        slots_fixed_ ? slots_ : std::min<std::size_t>(slots_, 2 + rng.below(19));
    std::vector<ClusterId> labels(count);
    for (ClusterId& label : labels) {
      label = rng.below(static_cast<std::uint32_t>(few));
    }
    return labels;
  }

  void begin_by_cells(SmallDescent& descent, Rng& rng) const {
    std::vector<ClusterId> cells = draw_cells(rng);
    const std::size_t count = compact_labels(cells);
    const std::vector<float> sums = group_sums(s_, cells, count);
    const SmallMatrix between = between_groups(s_, sums, cells, count);
    SmallDescent coarse(between, slots_, tolerance_);
    double lowest = 0;
    std::vector<ClusterId> best;
    for (int restart = 0; restart < kCellRestarts; ++restart) {
      coarse.begin(random(count, rng));
      coarse.run(rng);
      const double cost = coarse.cost();
      if (best.empty() || cost < lowest) {
        lowest = cost;
        best = coarse.labels();
      }
    }
    descent.begin(cells, best, sums);
  }

  // The cell of each object is the nearest of some objects drawn at random.
  std::vector<ClusterId> draw_cells(Rng& rng) const {
    const std::size_t count = std::clamp(s_.n / 5, std::min(s_.n, 2 * slots_),
                                         std::max(kMostCells, std::min(s_.n, 2 * slots_)));
    std::vector<ObjectId> seeds(s_.n);
    std::iota(seeds.begin(), seeds.end(), ObjectId{0});
    std::vector<ClusterId> cells(s_.n, 0);
    std::vector<double> nearest(s_.n);
    for (ClusterId c = 0; c < count; ++c) {
      std::swap(seeds[c], seeds[c + rng.below(static_cast<std::uint32_t>(s_.n - c))]);
      const float* row = s_.row(seeds[c]);
      const double own = s_.diagonal[seeds[c]];
      for (std::size_t i = 0; i < s_.n; ++i) {
        const double distance = own - 2 * static_cast<double>(row[i]);
        const bool nearer = c == 0 || distance < nearest[i];
        nearest[i] = nearer ? distance : nearest[i];
        cells[i] = nearer ? c : cells[i];
      }
      cells[seeds[c]] = c;
      nearest[seeds[c]] = -std::numeric_limits<double>::infinity();
    }
    return cells;
  }

  const SmallMatrix& s_;
  std::size_t slots_;
  bool slots_fixed_;
  double tolerance_;
};

bool is_same(double a, double b) { return std::abs(a - b) <= 1e-6 * std::abs(a); }

// If all costs agree the problem is easy: more attempts would find the same.
bool agree(const std::vector<SampleSearch::Labelling>& solutions) {
  return std::all_of(solutions.begin(), solutions.end(), [&](const auto& solution) {
    return is_same(solutions.front().cost, solution.cost);
  });
}

// Assigns each object to the cluster of the sample that attracts it most.
std::vector<ClusterId> extend(const GramProblem& problem, std::span<const ObjectId> ids,
                              std::span<const ClusterId> labels, std::size_t slots,
                              ThreadTeam& team) {
  const std::size_t length = problem.length();
  std::vector<double> sums(slots * length, 0.0);
  std::vector<double> row(length);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    problem.x_row(ids[i], RowTruth::float32, row.data());
    problem.x_to_z(ids[i], row.data());
    add_scaled(&sums[labels[i] * length], 1.0, row.data(), length);
  }
  double largest = 0;
  for (const double value : sums) {
    largest = std::max(largest, std::abs(value));
  }
  PackedColumns<float> columns;
  columns.resize(length, slots);
  for (std::size_t k = 0; k < slots; ++k) {
    columns.set(k, &sums[k * length], largest > 0 ? 1 / largest : 1.0);
  }
  const std::size_t n = problem.size();
  std::vector<ClusterId> out(n);
  team.for_each((n + kObjectsPerTask - 1) / kObjectsPerTask, [&](std::size_t chunk, int) {
    const std::size_t first = chunk * kObjectsPerTask;
    const std::size_t count = std::min(kObjectsPerTask, n - first);
    std::vector<const float*> rows(count);
    std::vector<float> products(count * columns.width());
    for (std::size_t r = 0; r < count; ++r) {
      rows[r] = problem.sketch(static_cast<ObjectId>(first + r));
    }
    tile_products(rows.data(), count, columns, products.data());
    for (std::size_t r = 0; r < count; ++r) {
      const float* own = &products[r * columns.width()];
      out[first + r] = static_cast<ClusterId>(std::max_element(own, own + slots) - own);
    }
  });
  return out;
}

std::vector<ClusterId> extend(const DenseProblem& problem, std::span<const ObjectId> ids,
                              std::span<const ClusterId> labels, std::size_t slots,
                              ThreadTeam& team) {
  const std::size_t n = problem.size();
  std::vector<ClusterId> out(n);
  team.for_each((n + kObjectsPerTask - 1) / kObjectsPerTask, [&](std::size_t chunk, int) {
    std::vector<double> affinity(slots);
    for (std::size_t i = chunk * kObjectsPerTask; i < std::min(n, (chunk + 1) * kObjectsPerTask);
         ++i) {
      std::fill(affinity.begin(), affinity.end(), 0.0);
      for (std::size_t j = 0; j < ids.size(); ++j) {
        affinity[labels[j]] += problem.shifted(static_cast<ObjectId>(i), ids[j]);
      }
      out[i] = static_cast<ClusterId>(std::max_element(affinity.begin(), affinity.end()) -
                                      affinity.begin());
    }
  });
  return out;
}

template <class View>
std::vector<std::vector<ClusterId>> starts_of(const View& problem, const CoarseOptions& options,
                                              const Context& context) {
  using Labelling = SampleSearch::Labelling;
  const std::size_t n = problem.size();
  const std::size_t slots = slots_for(n, options.clusters);
  Rng rng(options.seed, ~options.stream);
  const std::vector<ObjectId> ids = draw_sample(n, slots, rng);
  const SmallMatrix s = matrix_of(problem, ids, context.team);
  const SampleSearch search(s, slots, options.clusters.has_value(), problem.tolerance());

  WorkMeter meter(context.control(), "first labels",
                  options.attempts + static_cast<std::size_t>(options.trials));
  std::vector<Labelling> solutions;
  const auto attempt_up_to = [&](std::size_t end) {
    const std::size_t first = solutions.size();
    solutions.resize(end);
    context.team.for_each(end - first, [&](std::size_t a, int) {
      if (first + a > 0 && context.should_stop()) {
        return;
      }
      Rng own(options.seed, options.stream + first + a);
      const bool by_cells = (first + a) % kRandomEvery != kRandomEvery - 1;
      solutions[first + a] = search.attempt(by_cells, own);
      meter.add();
    });
  };
  attempt_up_to((options.attempts + 1) / 2);
  if (!agree(solutions) && !context.should_stop()) {
    attempt_up_to(options.attempts);
  }
  std::erase_if(solutions, [](const Labelling& solution) { return solution.labels.empty(); });
  std::stable_sort(solutions.begin(), solutions.end(),
                   [](const Labelling& a, const Labelling& b) { return a.cost < b.cost; });
  Rng last_rng(options.seed, options.stream + options.attempts);
  solutions.front() =
      search.improved(solutions.front(), options.trials, context.with(last_rng), meter);

  std::vector<std::vector<ClusterId>> starts;
  double last = 0;
  for (const Labelling& solution : solutions) {
    if (!starts.empty() && is_same(last, solution.cost)) {
      continue;
    }
    last = solution.cost;
    starts.push_back(ids.size() == n ? solution.labels
                                     : extend(problem, ids, solution.labels, slots, context.team));
    if (starts.size() == options.keep) {
      break;
    }
  }
  return starts;
}

}  // namespace

bool has_coarse_start(const Problem& problem, std::optional<std::size_t> clusters) {
  const bool fits = !clusters || *clusters <= kMostSampleClusters;
  return fits && (std::holds_alternative<GramProblem>(problem) ||
                  std::holds_alternative<DenseProblem>(problem));
}

std::vector<std::vector<ClusterId>> coarse_starts(const Problem& problem,
                                                  const CoarseOptions& options,
                                                  const Context& context) {
  if (const auto* gram = std::get_if<GramProblem>(&problem)) {
    return starts_of(*gram, options, context);
  }
  return starts_of(std::get<DenseProblem>(problem), options, context);
}

}  // namespace shiftcut
