// Checks and constraints before a problem is made, and the search under constraints once it is;
// run.cpp has what lies between.
#include "run/pipeline.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "constraints/pairs.hpp"
#include "core/kernels/simd.hpp"
#include "core/message.hpp"
#include "core/text.hpp"
#include "multilevel/multilevel.hpp"
#include "run/tuning.hpp"
#include "search/constrained_search.hpp"
#include "search/search.hpp"

namespace shiftcut {

namespace {

using namespace run_tuning;

std::string name_of(const Input& input, ObjectId object) {
  return input.ids.empty() ? fmt::format("{}", object) : quoted(input.ids[object]);
}

// On a graph, where conflicts are edges among few others, a search is better off without most of
// them; yet beside pairs they tell whether there are enough clusters.
std::optional<std::uint64_t> few_pairs(const Input& input, const Options& options) {
  const bool is_graph =
      input.shape == Shape::graph || options.similarity.kind == Similarity::neighbors;
  const bool has_pairs = !options.links.must_link.empty() || !options.links.cannot_link.empty();
  if (is_graph && !(options.search.clusters && has_pairs)) {
    return 0;
  }
  return std::nullopt;
}

// From the labels of an earlier solution; where all is small, with as much work as from none.
Solution search_again(const Problem& problem, const SearchOptions& options,
                      const std::vector<ClusterId>& labels, const Context& context) {
  const auto* graph = std::get_if<GraphProblem>(&problem);
  const std::size_t numbers = graph != nullptr ? graph->graph().columns.size() : size(problem);
  if (graph != nullptr && numbers <= kQuickEdges) {
    return search(problem, options, labels, context);
  }
  Rng rng(options.seed, kAgainStream);
  if (graph != nullptr &&
      graph->conflicts() == nullptr) {  // else the labels come from such a cycle
    return multilevel_cycles(problem, labels, {options.clusters}, 1, context.with(rng));
  }
  Solution solution{labels, 0, {}};
  solution.restarts.push_back(
      descend(problem, solution.labels, options.clusters, context.with(rng)));
  solution.cost = solution.restarts.back().cost;
  return solution;
}

// To the nearest local optimum: a vote has chosen the labels, and a search for a lower cost would
// leave them for a grouping that fewer ways of looking at the data agree on.
Solution keep_to(const Problem& problem, const SearchOptions& options,
                 const std::vector<ClusterId>& labels, const Context& context) {
  const auto descend_once = [&](std::size_t, const Context& own) {
    Solution solution{labels, 0, {}};
    solution.restarts.push_back(descend(problem, solution.labels, options.clusters, own));
    solution.restarts.back().method = "vote";
    solution.cost = solution.restarts.back().cost;
    return solution;
  };
  return best_of(1, 1, {options.seed, kAgainStream}, context, descend_once);
}

// A search from single nodes mostly ends at a lower cost than one from the labels that a path over
// strengths found on a given graph (LFR, mixing 0.4: -110157 and -109501), but not always.
Solution search_beside(const Problem& problem, const SearchOptions& options,
                       const std::vector<ClusterId>& labels, const Context& context) {
  if (context.should_stop()) {
    return search(problem, options, labels, context);
  }
  Solution solution = search(problem, options, {}, context);
  Solution near = keep_to(problem, options, labels, context);
  near.restarts.back().method = "multilevel";
  if (near.cost < solution.cost) {
    std::swap(near.labels, solution.labels);
    solution.cost = near.cost;
  }
  std::ranges::move(near.restarts, std::back_inserter(solution.restarts));
  return solution;
}

NodeSearch search_with(const Context& context) {
  return [&context](const Problem& problem, const SearchOptions& options,
                    const std::vector<ClusterId>& start) {
    return search(problem, options, start, context);
  };
}

NodeSearch search_again_with(const Context& context) {
  return [&context](const Problem& problem, const SearchOptions& options,
                    const std::vector<ClusterId>& start) {
    return search_again(problem, options, start, context);
  };
}

// Uses the time there is, as long as that helps: from the best solution with other random numbers,
// in attempts short enough to finish in time.
Solution search_until_time_limit(GroupRounds& rounds, Solution best, const NodeSearch& search_from,
                                 const Context& context) {
  std::uint64_t attempt = 0;
  const NodeSearch with_another_seed = [&](const Problem& problem, SearchOptions options,
                                           const std::vector<ClusterId>& start) {
    options.seed += attempt << 32;
    options.max_seconds = 0;
    return search_from(problem, options, start);
  };
  for (int fruitless = 0; fruitless < kFruitlessAttempts && !context.should_stop(); ++fruitless) {
    ++attempt;
    Solution solution = rounds.search(best.labels, with_another_seed);
    if (solution.cost < best.cost) {
      best = std::move(solution);
      fruitless = 0;
    }
  }
  return best;
}

// The one place where evidence gets the problem's units.
Constraints scaled_to(const Prepared& prepared, const Constraints& constraints,
                      const Context& context) {
  return in_units(constraints,
                  evidence_unit(prepared.similarities, prepared.problem, context.team));
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

Solution solve(const Prepared& prepared, const std::optional<Constraints>& constraints,
               const Context& context, bool is_interruptible) {
  const SearchOptions& options = prepared.options.search;
  const std::vector<ClusterId>& start = prepared.path.labels;
  const NodeSearch search_from = search_with(context);
  if (!constraints && prepared.path.is_decided && options.method == Method::automatic) {
    return keep_to(prepared.problem, options, start, context);
  }
  if (!constraints && prepared.similarities.are_given() && !start.empty()) {
    return search_beside(prepared.problem, options, start, context);
  }
  if (!constraints) {
    return search_from(prepared.problem, options, start);
  }
  const Constraints scaled = scaled_to(prepared, *constraints, context);
  if (scaled.one_per_cluster == nullptr) {
    return constrained_search(prepared.problem, options, scaled, start, context, search_from,
                              is_interruptible);
  }
  GroupRounds rounds(prepared.problem, options, scaled, context, search_again_with(context));
  Solution solution = rounds.search(start, once(search_from));
  return options.max_seconds > 0
             ? search_until_time_limit(rounds, std::move(solution), search_from, context)
             : solution;
}

Solution solve_again(const Prepared& prepared, const std::optional<Constraints>& constraints,
                     const std::vector<ClusterId>& labels, const Context& context) {
  const SearchOptions& options = prepared.options.search;
  const NodeSearch search_from = search_again_with(context);
  if (!constraints) {
    return search_from(prepared.problem, options, labels);
  }
  const Constraints scaled = scaled_to(prepared, *constraints, context);
  if (scaled.one_per_cluster == nullptr) {
    return constrained_search(prepared.problem, options, scaled, labels, context, search_from);
  }
  return GroupRounds(prepared.problem, options, scaled, context, search_from)
      .search(labels, once(search_from));
}

}  // namespace shiftcut
