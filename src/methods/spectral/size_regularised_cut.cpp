// L + alpha v v' is never formed: L x + alpha v (v.x). Sizes of objects are those in the whole
// graph, also where a cluster is split further, so that the changes of all splits add up to the
// cost.
#include "shiftcut/methods/size_regularised_cut.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "core/message.hpp"
#include "methods/operations.hpp"
#include "methods/spectral/eigenvectors.hpp"
#include "methods/spectral/recursive_split.hpp"
#include "methods/spectral/tuning.hpp"

namespace shiftcut::methods {

namespace {

constexpr const char* kSizeRegularised = "size regularised cut";

void check_options(const SizeRegularisedCutOptions& options, std::size_t n) {
  if (options.clusters < 1 || options.clusters > n) {
    refuse("out_of_range", "", "{}: found {} clusters; allowed: 1 to {} objects", kSizeRegularised,
           options.clusters, n);
  }
  if (!(options.alpha > 0) || !std::isfinite(options.alpha)) {
    refuse("out_of_range", "", "{}: found alpha {}; allowed: above 0", kSizeRegularised,
           options.alpha);
  }
}

// A single cluster needs no sizes.
std::vector<double> object_sizes(const Similarities& similarities,
                                 const SizeRegularisedCutOptions& options, ThreadTeam& team) {
  if (options.size == CutSize::cardinality || options.clusters == 1) {
    return std::vector<double>(objects(similarities), 1.0);
  }
  std::vector<double> sizes = degrees(similarities, team);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) {
      refuse("out_of_range", "",
             "{}: found object {} without a similarity above 0; allowed, where volume is the size: "
             "degrees above 0",
             kSizeRegularised, i);
    }
  }
  return sizes;
}

// The lowest eigenpair, and the vector to cut along: the same, unless that is constant.
struct Relaxation {
  Eigenpair lowest;
  std::vector<double> along;
};

Relaxation relax_by_cardinality(const Similarities& part, double alpha, ThreadTeam& team,
                                const Control& control) {
  const std::size_t m = objects(part);
  const auto total = static_cast<double>(m);
  Eigenpair second = second_laplacian_eigenpair(part, std::vector<double>(m, 1.0), team, control);
  if (alpha * total >= second.value) {
    std::vector<double> along = second.vector;
    return {std::move(second), std::move(along)};
  }
  return {{alpha * total, std::vector<double>(m, 1 / std::sqrt(total)), true},
          std::move(second.vector)};
}

Relaxation relax_by_volume(const Similarities& part, std::span<const double> sizes, double alpha,
                           ThreadTeam& team, const Control& control) {
  const std::vector<double> degree = degrees(part, team);
  double squared = 0;
  for (const double size : sizes) {
    squared += size * size;
  }
  const double steepest = *std::max_element(degree.begin(), degree.end());
  const double scale = steepest > 0 ? 2 * steepest : alpha * squared;
  const double weight = std::min(alpha, kLargestAlpha * scale / squared);
  SymmetricOperator matrix;
  matrix.n = degree.size();
  matrix.scale = scale;
  matrix.bound = 2 * steepest + weight * squared;
  matrix.apply = [&](std::span<const double> in, std::span<double> out) {
    double product = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      product += sizes[i] * in[i];
    }
    multiply(part, in, out, team);
    for (std::size_t i = 0; i < in.size(); ++i) {
      out[i] = degree[i] * in[i] - out[i] + weight * product * sizes[i];
    }
  };
  Eigenpair lowest = lowest_eigenpair(matrix, control);
  std::vector<double> along = lowest.vector;
  return {std::move(lowest), std::move(along)};
}

// How many objects, lowest first along the vector, make the left side; 0: none.
std::size_t place_of_cut(const Relaxation& relaxation, std::span<const double> changes,
                         CutThreshold threshold) {
  if (threshold == CutThreshold::sweep) {
    return static_cast<std::size_t>(std::min_element(changes.begin(), changes.end()) -
                                    changes.begin()) +
           1;
  }
  const auto& signs = relaxation.lowest.vector;
  const auto negative = static_cast<std::size_t>(
      std::count_if(signs.begin(), signs.end(), [](double x) { return x < 0; }));
  return negative < signs.size() ? negative : 0;
}

// Entry t-1: the change of cost if the first t objects split off, cut - alpha size_left size_right.
std::vector<double> changes_along(const Similarities& part, std::span<const ObjectId> order,
                                  std::span<const double> sizes, double alpha, ThreadTeam& team) {
  std::vector<double> changes = cuts_along(part, order, team);
  double total = 0;
  for (const double size : sizes) {
    total += size;
  }
  double left = 0;
  for (std::size_t t = 0; t < changes.size(); ++t) {
    left += sizes[order[t]];
    changes[t] -= alpha * left * (total - left);
  }
  return changes;
}

}  // namespace

SizeRegularisedCut size_regularised_cut(const Similarities& similarities,
                                        const SizeRegularisedCutOptions& options,
                                        const Control& control) {
  check_similarities(similarities, kSizeRegularised);
  check_not_negative(similarities, kSizeRegularised);
  const std::size_t n = objects(similarities);
  check_options(options, n);
  ThreadTeam team(options.threads);
  const std::vector<double> sizes = object_sizes(similarities, options, team);

  SizeRegularisedCut result;
  const auto best_split = [&](std::span<const ObjectId> members) -> std::optional<Split> {
    const Similarities part = submatrix(similarities, members, team);
    std::vector<double> part_sizes;
    for (const ObjectId member : members) {
      part_sizes.push_back(sizes[member]);
    }
    Relaxation relaxation = options.size == CutSize::cardinality
                                ? relax_by_cardinality(part, options.alpha, team, control)
                                : relax_by_volume(part, part_sizes, options.alpha, team, control);
    const std::vector<ObjectId> order = ascending(relaxation.along);
    const std::vector<double> changes = changes_along(part, order, part_sizes, options.alpha, team);
    const std::size_t place = place_of_cut(relaxation, changes, options.threshold);
    if (members.size() == n) {
      result.value = relaxation.lowest.value;
      result.vector = std::move(relaxation.lowest.vector);
    }
    if (place == 0) {
      return std::nullopt;
    }
    std::vector<bool> on_left(members.size());
    for (std::size_t t = 0; t < place; ++t) {
      on_left[order[t]] = true;
    }
    Split split = split_by_side(members, on_left);
    split.change = changes[place - 1];
    return split;
  };
  result.labels = split_recursively(n, options.clusters, best_split, kSizeRegularised, control);
  result.cost = size_regularised_cost(similarities, result.labels, options.alpha, options.size);
  return result;
}

double size_regularised_cost(const Similarities& similarities, const Labels& labels, double alpha,
                             CutSize size) {
  const std::size_t n = objects(similarities);
  if (labels.size() != n ||
      std::any_of(labels.begin(), labels.end(), [](std::int32_t label) { return label < 0; })) {
    refuse("wrong_length", "",
           "{}: found {} labels; allowed: one for each of {} objects, 0 or more", kSizeRegularised,
           labels.size(), n);
  }
  std::vector<double> sizes(n == 0 ? 0 : *std::max_element(labels.begin(), labels.end()) + 1);
  double total = 0;
  double twice_cut = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double degree = 0;
    for_row(similarities, i, [&](std::size_t j, double value) {
      degree += value;
      twice_cut += labels[i] != labels[j] ? value : 0;
    });
    const double own = size == CutSize::cardinality ? 1 : degree;
    sizes[static_cast<std::size_t>(labels[i])] += own;
    total += own;
  }
  double squares = 0;
  for (const double cluster : sizes) {
    squares += cluster * cluster;
  }
  return twice_cut / 2 + alpha / 2 * squares - alpha / 4 * total * total;
}

}  // namespace shiftcut::methods
