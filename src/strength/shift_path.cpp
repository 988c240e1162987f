#include "strength/shift_path.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "core/fingerprint.hpp"
#include "core/work_meter.hpp"
#include "strength/electorate.hpp"
#include "strength/few_objects.hpp"
#include "strength/given_graph.hpp"
#include "strength/noise_test.hpp"
#include "strength/path_rule.hpp"
#include "strength/tuning.hpp"

namespace shiftcut {

namespace {

std::size_t work(const SearchOptions& options) {
  const std::size_t rounds = 1 + kNeighborRounds;
  return options.clusters ? rounds * kStepsWithK
                          : rounds * (kStepsFree + kJudgedPlateaus * kStepsWithK);
}

// What is kept in a checkpoint belongs to the graph.
std::string name_of(const SparseMatrix& graph, const Context& context) {
  if (context.control().checkpoint == nullptr) {
    return {};
  }
  Fingerprint edges;
  edges.add_numbers(graph.offsets).add_numbers(graph.columns).add_numbers(graph.values);
  return fmt::format("path-{:016x}", edges.value());
}

class Selection {
 public:
  Selection(const GraphProblem& problem, const NeighborDistances* distances,
            const SearchOptions& options, const LinkOptions& links, const Context& context,
            const PathSizes& sizes, GraphOrigin origin)
      : options_(options),
        links_(links),
        context_(context),
        meter_(context.control(), "shift path", work(options)),
        name_(name_of(problem.graph(), context)),
        graph_(problem, options, sizes, origin, context),
        electorate_(graph_, distances, options.seed, name_, context, meter_),
        noise_(graph_, distances, links.empty()) {}

  ShiftPath run() {
    if (graph_.is_given()) {
      return on_given_graph();
    }
    ShiftPath path = options_.clusters ? with_k(*options_.clusters) : with_k_free();
    path.dimension = noise_.dimension();
    return path;
  }

 private:
  [[nodiscard]] std::span<const Volume> nodes() const { return graph_.nodes(); }

  ShiftPath on_given_graph() {
    const std::vector<double> strengths =
        options_.clusters ? fine_strengths(4, kStepsOnGraphs) : fine_strengths(8, kStepsFree);
    GivenGraphPath solved = solve_given_graph(
        {strengths, options_.clusters, options_.seed, kPathStream + 1, name_}, graph_.level(),
        static_cast<double>(graph_.objects().edges()) / 2, graph_.unit(), context_, meter_);
    ShiftPath path = path_of(solved.solutions, options_.clusters);
    take_from_path(std::move(solved.solutions), solved.chosen, path);
    return path;
  }

  [[nodiscard]] ShiftPath path_of(const std::vector<PathSolution>& solutions,
                                  std::optional<std::size_t> clusters) const {
    ShiftPath path;
    path.points = graph_.points_of(solutions, clusters);
    path.groupings = graph_.groupings_of(solutions);
    return path;
  }

  // A point of the path, unless pairs to learn from speak for another.
  void take_from_path(std::vector<PathSolution> solutions, std::size_t chosen, ShiftPath& path) {
    Election election;
    election.outcome.winner = chosen;
    for (PathSolution& solution : solutions) {
      election.voters.push_back({std::move(solution.labels), 0, solution.strength, 1, false});
    }
    for (const Voter& voter : election.voters) {
      election.outcome.similarity.push_back(
          agreement(nodes(), election.winner().labels, voter.labels));
    }
    choose_by_pairs(election);
    path.strength = election.winner().strength;
    path.criterion = path.points[election.outcome.winner].criterion;
    path.labels = graph_.of_objects(election.winner().labels);
  }

  ShiftPath with_k(std::size_t clusters) {
    std::vector<PathSolution> solutions = electorate_.path_with_k(clusters, 0);
    ShiftPath path = path_of(solutions, clusters);
    path.is_whole = solutions.size() == kStepsWithK;
    const bool are_points = graph_.rows_repeat() && clusters >= nodes().size();
    if (!are_points && gap().clusters == clusters) {
      return with_gap(clusters, std::move(solutions), std::move(path));
    }
    const double expected = evenness_to_expect(solutions, clusters);
    Election election =
        electorate_.elect(std::move(solutions), clusters, expected, trust_in_trees());
    if (are_points) {
      choose_single_nodes(graph_, election);
    }
    select(std::move(election), clusters, path);
    return path;
  }

  // Rows that repeat lie on a grid, where most edges are equally long: which of them a tree has,
  // and so where it is cut, says little. Trees count as much as there are different rows.
  [[nodiscard]] double trust_in_trees() const {
    return graph_.rows_repeat() ? static_cast<double>(nodes().size()) / graph_.total_size() : 1.0;
  }

  // 1, unless the clusters at the weakest strength that finds all K are uneven, and K uneven
  // clusters last along the path with K free, too: they are no outliers.
  double evenness_to_expect(const std::vector<PathSolution>& solutions, std::size_t clusters) {
    const auto evenness_of = [&](const PathSolution& solution) {
      return evenness(nodes(), solution.labels, clusters);
    };
    const auto weakest =
        std::ranges::find(solutions.rbegin(), solutions.rend(), clusters,
                          [&](const PathSolution& s) { return graph_.sizes_of(s.labels).size(); });
    if (weakest == solutions.rend() || evenness_of(*weakest) >= kUneven || context_.should_stop()) {
      return 1;
    }
    const std::vector<PathSolution> free = electorate_.path_with_k_free(Electorate::Keep::no);
    const std::vector<Plateau> lasting =
        plateaus(graph_.points_of(free, std::nullopt), graph_.total_size());
    const auto found = std::ranges::find(lasting, clusters, &Plateau::clusters);
    const double expected = found == lasting.end() ? 1.0 : evenness_of(free[found->middle()]);
    return expected < kUneven ? expected : 1.0;
  }

  ShiftPath with_k_free() {
    std::vector<PathSolution> solutions =
        electorate_.path_with_k_free(Electorate::Keep::in_checkpoint);
    ShiftPath path = path_of(solutions, std::nullopt);
    if (const TreeGap found = gap(); found.clusters > 1) {
      return with_gap(found.clusters, electorate_.path_with_k(found.clusters, 0), std::move(path));
    }
    std::vector<Plateau> candidates = plateaus(path.points, graph_.total_size());
    const bool are_points = has_few_distinct_rows(graph_);
    if (are_points) {
      keep_single_nodes(graph_, path.points, candidates);
    }
    candidates = apart(candidates, kJudgedPlateaus);
    path.has_plateau = !candidates.empty();
    std::optional<Election> best;
    double best_score = 0;
    double most_stable = 0;
    double deepest_dip = -std::numeric_limits<double>::infinity();
    std::size_t chosen = nearest_strength(path.points, kStrengthWithoutPlateau);
    path.is_whole = solutions.size() == kStepsFree && !context_.should_stop();
    for (std::size_t c = 0; c < candidates.size() && !(c > 0 && context_.should_stop()); ++c) {
      const std::size_t clusters = candidates[c].clusters;
      const double expected = evenness(nodes(), solutions[candidates[c].middle()].labels, clusters);
      Election election =
          electorate_.elect(electorate_.path_with_k(clusters, c + 1), clusters, expected);
      if (c > 0 && context_.should_stop()) {
        break;  // fewer voters took part than in the others
      }
      if (are_points && clusters == nodes().size()) {
        choose_single_nodes(graph_, election);
      }
      const double share = election.outcome.score / election.weight();
      const double score = candidates[c].score(share);
      most_stable = std::max(most_stable, candidates[c].length * share * share);
      deepest_dip = std::max(deepest_dip, noise_.dip_of(election));
      path.judged.push_back({candidates[c].clusters, candidates[c].length, share});
      path.is_whole = path.is_whole && !(c == 0 && context_.should_stop());
      if (!best || score > best_score) {
        best = std::move(election);
        best_score = score;
        chosen = candidates[c].middle();
      }
    }
    if (!context_.should_stop() && noise_.is_noise(most_stable, deepest_dip)) {
      return without_clusters(std::move(path));
    }
    if (!best || learns()) {
      take_from_path(std::move(solutions), chosen, path);
      return path;
    }
    const std::size_t clusters = best->winner().clusters;
    select(std::move(*best), clusters, path);
    path.strength = path.points[chosen].strength;  // at others, more or fewer clusters are best
    return path;
  }

  // Neither plateaus nor densities say much about a few objects, but wide gaps between them do.
  TreeGap gap() { return gap_of_few_objects(graph_, electorate_, noise_.dimension()); }

  ShiftPath with_gap(std::size_t clusters, std::vector<PathSolution> solutions, ShiftPath path) {
    Voter pieces = gap_voter(graph_, electorate_, clusters, path.points, options_, context_);
    Election election = electorate_.elect(std::move(solutions), clusters);
    election.voters.push_back(std::move(pieces));
    election.outcome = support_for(election.voters.size() - 1, election.voters, nodes());
    if (!options_.clusters) {
      path.judged.push_back({clusters, 0, election.outcome.score / election.weight()});
    }
    select(std::move(election), clusters, path);
    path.is_like_noise = false;
    return path;
  }

  // One cluster, which is a local optimum at every strength below 1.
  [[nodiscard]] ShiftPath without_clusters(ShiftPath path) const {
    const auto single = std::ranges::find(path.points, std::size_t{1}, &PathPoint::clusters);
    path.strength =
        std::min(single != path.points.end() ? single->strength : path.points.back().strength, 0.5);
    path.labels.assign(graph_.objects().size(), 0);
    path.is_decided = true;
    path.is_like_noise = true;
    path.has_plateau = true;
    return path;
  }

  void select(Election election, std::size_t clusters, ShiftPath& path) {
    choose_by_pairs(election);
    const Voter& winner = election.winner();
    path.strength = winner.strength;
    path.is_from_tree = winner.is_tree;
    path.criterion = conductance_criterion(graph_.level(), winner.labels, clusters);
    path.voters = election.voters.size();
    path.agreeing = static_cast<std::size_t>(
        std::ranges::count_if(election.outcome.similarity, [](double a) { return a >= kAgrees; }));
    path.score = election.outcome.score / election.weight();
    path.is_decided = true;
    path.is_like_noise =
        options_.clusters.has_value() && noise_.is_like_noise(election, path.score, clusters);
    path.support = graph_.of_objects(election.support(nodes()));
    path.labels = graph_.of_objects(winner.labels);
  }

  [[nodiscard]] bool learns() const { return links_.learn && !links_.empty(); }

  void choose_by_pairs(Election& election) const {
    if (learns()) {
      election.choose_by_pairs(links_, nodes(),
                               [&](const Voter& voter) { return graph_.of_objects(voter.labels); });
    }
  }

  const SearchOptions& options_;
  const LinkOptions& links_;
  Context context_;
  WorkMeter meter_;
  std::string name_;  // in a checkpoint; empty: nothing is kept
  PathGraph graph_;
  Electorate electorate_;
  NoiseTest noise_;
};

}  // namespace

ShiftPath shift_path(const GraphProblem& problem, const NeighborDistances* distances,
                     const SearchOptions& options, const LinkOptions& links, const Context& context,
                     const PathSizes& sizes, GraphOrigin origin) {
  const bool trivial =
      problem.graph().columns.empty() || (options.clusters && *options.clusters < 2);
  return trivial ? ShiftPath{}
                 : Selection(problem, distances, options, links, context, sizes, origin).run();
}

}  // namespace shiftcut
