// What is wrong with options, links and weights, before any work is done.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "constraints/pairs.hpp"
#include "core/kernels/simd.hpp"
#include "core/message.hpp"
#include "core/text.hpp"
#include "run/pipeline.hpp"
#include "run/tuning.hpp"

namespace shiftcut {

namespace {

std::string name_of(const Input& input, ObjectId object) {
  return input.ids.empty() ? fmt::format("{}", object) : quoted(input.ids[object]);
}

// On a graph, where conflicts are edges among few others, a search is better off without most of
// them; yet beside pairs they tell whether there are enough clusters.
std::optional<std::uint64_t> few_pairs(const Input& input, const Options& options) {
  if (options.search.min_size > 0 || options.search.max_size > 0) {
    return run_tuning::kMostPairsWithSizes;
  }
  const bool is_graph =
      input.shape == Shape::graph || options.similarity.kind == Similarity::neighbors;
  const bool has_pairs = !options.links.must_link.empty() || !options.links.cannot_link.empty();
  if (is_graph && !(options.search.clusters && has_pairs)) {
    return 0;
  }
  return std::nullopt;
}

// Whether objects of which none is tied to another can be divided so.
void check_sizes(const SearchOptions& search, std::size_t n, std::size_t weightless) {
  const std::size_t least = search.min_size;
  const std::size_t most = search.max_size;
  if (least == 0 && most == 0) {
    return;
  }
  if (weightless > 0) {
    refuse("not_applicable", least > 0 ? "min_size" : "max_size",
           std::string(least > 0 ? "{min_size}" : "{max_size}") +
               ": found with {} rows of weight 0, which join clusters only afterwards; allowed: "
               "weights above 0, or no bounds on sizes",
           weightless);
  }
  if (most > 0 && least > most) {
    refuse("impossible_sizes", "min_size", "{min_size}: found {}; allowed: at most {max_size}, {}",
           least, most);
  }
  if (least > n) {
    refuse("impossible_sizes", "min_size",
           "{min_size}: found {}; allowed: 1 to {}, the number of objects", least, n);
  }
  const std::size_t k = search.clusters.value_or(0);
  if (k > 0 && least > n / k) {
    refuse("impossible_sizes", "min_size",
           "{min_size}: found {}; allowed: at most {}, as {} clusters of more objects need more "
           "than the {} there are",
           least, n / k, k, n);
  }
  if (k > 0 && most > 0 && most < (n + k - 1) / k) {
    refuse("impossible_sizes", "max_size",
           "{max_size}: found {}; allowed: at least {}, as {} clusters of fewer objects do not "
           "hold all {}",
           most, (n + k - 1) / k, k, n);
  }
  if (k == 0 && most > 0 && least > 0 && (n + most - 1) / most > n / least) {
    refuse("impossible_sizes", "max_size",
           "{min_size} and {max_size}: found {} and {}; no number of clusters of such sizes holds "
           "{} objects; allowed: sizes further apart",
           least, most, n);
  }
}

}  // namespace

void check_options(const Input& input, const Options& options) {
  check_simd_setting();
  const std::size_t n = input.objects();
  const SearchOptions& search = options.search;
  if (n == 0) {
    refuse("bad_input", "", "{}: found no objects; allowed: 1 or more", input.name);
  }
  check_weights(input, options);
  const std::size_t weightless = static_cast<std::size_t>(std::ranges::count(input.weights, 0.0));
  if (search.clusters && weightless > 0 && *search.clusters > n - weightless) {
    refuse(
        "out_of_range", "clusters",
        "{clusters}: found {}; allowed: 1 to {}, the number of rows of a weight above 0, or auto",
        *search.clusters, n - weightless);
  }
  if (search.clusters && (*search.clusters < 1 || *search.clusters > n)) {
    refuse("out_of_range", "clusters",
           "{clusters}: found {}; allowed: 1 to {}, the number of objects, or auto",
           *search.clusters, n);
  }
  check_sizes(search, n, weightless);
  if (search.restarts < 1) {
    refuse("out_of_range", "restarts", "{restarts}: found {}; allowed: 1 or more", search.restarts);
  }
  if (search.threads < 0 || search.threads > 1024) {
    refuse("out_of_range", "threads", "{threads}: found {}; allowed: 1 to 1024, or 0 for all",
           search.threads);
  }
  if (!(search.max_seconds >= 0)) {
    refuse("out_of_range", "max_seconds", "{max_seconds}: found {}; allowed: a number above 0",
           search.max_seconds);
  }
  check_shift(options.shift, n);
  const auto& sigma = options.similarity.sigma;
  if (sigma && !(*sigma > 0 && std::isfinite(*sigma))) {
    refuse("out_of_range", "sigma", "{sigma}: found {}; allowed: a number above 0", *sigma);
  }
  if (!input.truth.empty() && input.truth.size() != n) {
    refuse("wrong_length", "", "{}: found {} known classes; allowed: {}, one per object, or none",
           input.name, input.truth.size(), n);
  }
}

void check_links_of(const Input& input, const Options& options) {
  check_links(options.links, input.objects(),
              [&](ObjectId object) { return name_of(input, object); });
}

std::optional<Constraints> constraints_of(const Input& input, const RowNodes& nodes,
                                          const Options& options) {
  if (options.links.empty()) {
    return std::nullopt;
  }
  return make_constraints(
      options.links, nodes.size(), options.search.clusters,
      [&](ObjectId node) { return name_of(input, nodes.row(node)); }, few_pairs(input, options));
}

}  // namespace shiftcut
