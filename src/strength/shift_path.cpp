#include "strength/shift_path.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "core/fingerprint.hpp"
#include "core/kernels/elementary.hpp"
#include "core/work_meter.hpp"
#include "multilevel/level.hpp"
#include "multilevel/local_moving.hpp"
#include "strength/election.hpp"
#include "strength/given_graph.hpp"
#include "strength/null_model.hpp"
#include "strength/path_rule.hpp"
#include "strength/separation.hpp"
#include "strength/strength_path.hpp"
#include "strength/tree_cuts.hpp"
#include "strength/tuning.hpp"

namespace shiftcut {

namespace {

// Streams of random numbers from here on; the searches use the first ones.
constexpr std::uint64_t kStream = std::uint64_t{1} << 40;
constexpr std::uint64_t kStreamsPerVote = 1024;

class Selection {
 public:
  Selection(const GraphProblem& problem, const NeighborDistances* distances,
            const SearchOptions& options, const LinkOptions& links, const Context& context,
            const PathSizes& sizes, GraphOrigin origin)
      : objects_(problem),
        is_given_(origin == GraphOrigin::given),
        distances_(distances),
        options_(options),
        sizes_(sizes),
        links_(links),
        tests_for_noise_(distances != nullptr && links.empty()),
        context_(context),
        terms_(problem.terms()),
        meter_(context.control(), "shift path", work(options)) {
    if (context.control().checkpoint != nullptr) {
      name_ = name_of(problem.graph());
    }
  }

  ShiftPath run() {
    contract_graph();
    tests_for_noise_ = tests_for_noise_ && !has_few_distinct_rows();
    dimension_ = distances_ != nullptr ? intrinsic_dimension(*distances_) : 0.0;
    if (distances_ != nullptr && distances_->columns != 1) {
      dimension_ = std::max(dimension_, kLeastDimension);
    }
    if (tests_for_noise_ && distances_->rows != nullptr) {
      spread_ = spread_dimension(*distances_->rows);
    }
    if (is_given_) {
      return on_given_graph();
    }
    ShiftPath path = options_.clusters ? with_k(*options_.clusters) : with_k_free();
    path.dimension = dimension_;
    return path;
  }

 private:
  static std::size_t work(const SearchOptions& options) {
    const std::size_t rounds = 1 + kNeighborRounds;
    return options.clusters ? rounds * kStepsWithK
                            : rounds * (kStepsFree + kJudgedPlateaus * kStepsWithK);
  }

  [[nodiscard]] const SparseLevel& base() const { return contracted_ ? *contracted_ : objects_; }
  [[nodiscard]] std::span<const Volume> nodes() const { return base().nodes().volume; }

  // A large graph is contracted: groups that one pass of local moving finds under the strongest
  // shift stay together. Then small groups do, again and again until few edges are left.
  void contract_graph() {
    Rng rng(options_.seed, kStream);
    const std::size_t first = (is_given_ ? kMoreEdgesIfGiven : 1) * sizes_.smaller;
    const std::size_t again = (is_given_ ? kMoreEdgesAgainIfGiven : 1) * sizes_.again;
    for (std::size_t limit = first; base().edges() > limit && !context_.should_stop();
         limit = again) {
      std::vector<ClusterId> groups = contracted_ ? small_groups(rng) : large_groups(rng);
      const std::size_t count = compact_labels(groups);
      if (contracted_ && (base().size() - count) * kLeastShrunk < base().size()) {
        return;
      }
      contracted_.emplace(contract(base(), groups, count, context_.team));
      groups_ = groups_.empty() ? std::move(groups) : project_labels(groups, groups_);
    }
  }

  [[nodiscard]] double strongest() const { return options_.clusters ? 4 : 8; }

  std::vector<ClusterId> large_groups(Rng& rng) {
    return groups_at(strongest(), rng, [](auto& moving) { moving.move_once(); });
  }

  // Under a shift that is strong enough to leave many nodes; else every node by itself.
  std::vector<ClusterId> small_groups(Rng& rng) {
    const std::size_t least =
        std::max(sizes_.least_nodes, kNodesPerCluster * options_.clusters.value_or(0));
    for (double strength = strongest(); strength <= kStrongest; strength *= 4) {
      std::vector<ClusterId> groups =
          groups_at(strength, rng, [](auto& moving) { moving.group_once(); });
      if (compact_labels(groups) >= least) {
        return groups;
      }
    }
    return single_nodes();
  }

  template <class Pass>
  std::vector<ClusterId> groups_at(double strength, Rng& rng, const Pass& pass) {
    const SparseLevel level = at_strength(base(), terms_, strength);
    LocalMoving<SparseLevel> moving(level, single_nodes(), level.size(), context_.with(rng));
    pass(moving);
    return moving.labels();
  }

  [[nodiscard]] std::vector<ClusterId> single_nodes() const {
    std::vector<ClusterId> labels(base().size());
    std::iota(labels.begin(), labels.end(), ClusterId{0});
    return labels;
  }

  ShiftPath on_given_graph() {
    const std::vector<double> strengths =
        options_.clusters ? fine_strengths(4, kStepsOnGraphs) : fine_strengths(8, kStepsFree);
    GivenGraphPath solved =
        solve_given_graph({strengths, options_.clusters, options_.seed, kStream + 1, name_}, base(),
                          static_cast<double>(objects_.edges()) / 2, terms_, context_, meter_);
    ShiftPath path;
    path.points = points_of(solved.solutions, options_.clusters);
    path.groupings = groupings_of(solved.solutions);
    take_from_path(std::move(solved.solutions), solved.chosen, path);
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
    path.labels = of_objects(election.winner().labels);
  }

  ShiftPath with_k(std::size_t clusters) {
    std::vector<PathSolution> solutions = path_with_k(clusters, 0);
    ShiftPath path;
    path.points = points_of(solutions, clusters);
    path.groupings = groupings_of(solutions);
    path.is_whole = solutions.size() == kStepsWithK;
    if (!(rows_repeat() && clusters >= nodes().size()) &&
        gap_of_few_objects().clusters == clusters) {
      return with_gap(clusters, std::move(solutions), std::move(path));
    }
    const double expected = evenness_to_expect(solutions, clusters);
    Election election = elect(std::move(solutions), clusters, expected);
    if (rows_repeat() && clusters >= nodes().size()) {
      choose_single_nodes(election);
    }
    select(std::move(election), clusters, path);
    return path;
  }

  // 1, unless the clusters at the weakest strength that finds all K are uneven, and K uneven
  // clusters last along the path with K free, too: they are no outliers.
  double evenness_to_expect(const std::vector<PathSolution>& solutions, std::size_t clusters) {
    const auto evenness_of = [&](const PathSolution& solution) {
      return evenness(nodes(), solution.labels, clusters);
    };
    const auto weakest =
        std::ranges::find(solutions.rbegin(), solutions.rend(), clusters,
                          [&](const PathSolution& s) { return sizes_of(s.labels).size(); });
    if (weakest == solutions.rend() || evenness_of(*weakest) >= kUneven || context_.should_stop()) {
      return 1;
    }
    const std::vector<PathSolution> free =
        solve_along({fine_strengths(8, kStepsFree), std::nullopt, options_.seed, kStream + 1},
                    base(), terms_, context_, meter_);
    const std::vector<Plateau> lasting = plateaus(points_of(free, std::nullopt), total_size());
    const auto found = std::ranges::find(lasting, clusters, &Plateau::clusters);
    const double expected = found == lasting.end() ? 1.0 : evenness_of(free[found->middle()]);
    return expected < kUneven ? expected : 1.0;
  }

  ShiftPath with_k_free() {
    std::vector<PathSolution> solutions = solve_along(
        {fine_strengths(8, kStepsFree), std::nullopt, options_.seed, kStream + 1, name_}, base(),
        terms_, context_, meter_);
    ShiftPath path;
    path.points = points_of(solutions, std::nullopt);
    path.groupings = groupings_of(solutions);
    if (const TreeGap gap = gap_of_few_objects(); gap.clusters > 1) {
      return with_gap(gap.clusters, path_with_k(gap.clusters, 0), std::move(path));
    }
    std::vector<Plateau> candidates = plateaus(path.points, total_size());
    if (has_few_distinct_rows()) {
      keep_single_nodes(path.points, candidates);
    }
    candidates.resize(std::min(candidates.size(), kJudgedPlateaus));
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
      Election election = elect(path_with_k(clusters, c + 1), clusters, expected);
      if (c > 0 && context_.should_stop()) {
        break;  // fewer voters took part than in the others
      }
      if (has_few_distinct_rows() && clusters == nodes().size()) {
        choose_single_nodes(election);
      }
      const double share = election.outcome.score / election.weight();
      const double score = candidates[c].score(share);
      most_stable = std::max(most_stable, candidates[c].length * share * share);
      deepest_dip = std::max(deepest_dip, dip_of(election));
      path.judged.push_back({candidates[c].clusters, candidates[c].length, share});
      path.is_whole = path.is_whole && !(c == 0 && context_.should_stop());
      if (!best || score > best_score) {
        best = std::move(election);
        best_score = score;
        chosen = candidates[c].middle();
      }
    }
    if (tests_for_noise_ && !context_.should_stop() && most_stable <= noise_plateau(space()) &&
        deepest_dip <= noise_dip(space())) {
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

  // Equal rows are one node, which weighs as much as they.
  [[nodiscard]] bool rows_repeat() const {
    return !is_given_ && !contracted_ && total_size() > static_cast<double>(nodes().size());
  }

  // So few that every row is a neighbour of about half the others, and each repeated often: a table
  // of five cities rather than a cloud of points. What stands out is that rows are equal, not which
  // of them are near.
  [[nodiscard]] bool has_few_distinct_rows() const {
    const auto distinct = static_cast<double>(nodes().size());
    return rows_repeat() && nodes().size() <= kFewDistinctRows &&
           total_size() >= kCopiesOfFewRows * distinct;
  }

  // Every distinct row a cluster, if a voter has that.
  void choose_single_nodes(Election& election) const {
    const auto single = std::ranges::find(election.voters, nodes().size(),
                                          [](const Voter& v) { return v.clusters; });
    if (single != election.voters.end()) {
      election.elect(static_cast<std::size_t>(single - election.voters.begin()), nodes());
    }
  }

  void keep_single_nodes(const std::vector<PathPoint>& points, std::vector<Plateau>& all) const {
    const auto first = std::ranges::find(points, nodes().size(), &PathPoint::clusters);
    if (first == points.end()) {
      return;
    }
    const auto at = static_cast<std::size_t>(first - points.begin());
    const auto found = std::ranges::find(all, nodes().size(), &Plateau::clusters);
    const Plateau single = found != all.end() ? *found : Plateau{at, at, nodes().size(), 1};
    all.assign(1, single);
  }

  // Neither plateaus nor densities say much about a few objects, but wide gaps between them do.
  TreeGap gap_of_few_objects() {
    if (distances_ == nullptr || base().size() > kFewObjects || has_few_distinct_rows()) {
      return {};
    }
    make_trees();
    if (trees_.empty()) {
      return {};
    }
    const TreeGap gap = widest_gap(trees_.front(), nodes(), kMostPoints);
    return gap.ratio > noise_gap(dimension_) ? gap : TreeGap{};
  }

  // The pieces between the gaps, at the strength of the path that leaves most of them as they are.
  ShiftPath with_gap(std::size_t clusters, std::vector<PathSolution> solutions, ShiftPath path) {
    const std::vector<ClusterId> pieces = cut_tree(trees_.front(), nodes(), clusters, 0);
    Voter best;
    double most_alike = -std::numeric_limits<double>::infinity();
    for (const PathPoint& point : path.points) {
      Rng rng(options_.seed, kStream);
      ThreadTeam alone(1);
      const SparseLevel level = at_strength(base(), terms_, point.strength);
      LocalMoving<SparseLevel> moving(level, pieces, options_.clusters.value_or(level.size()),
                                      {rng, alone, context_.stop});
      moving.move_until_stable();
      const double alike = agreement(nodes(), pieces, moving.labels());
      if (alike > most_alike) {
        most_alike = alike;
        best = {moving.labels(), 0, point.strength, kTreeWeight, true};
      }
    }
    Election election = elect(std::move(solutions), clusters);
    best.clusters = compact_labels(best.labels);
    election.voters.push_back(std::move(best));
    election.outcome = support_for(election.voters.size() - 1, election.voters, nodes());
    if (!options_.clusters) {
      path.judged.push_back({clusters, 0, election.outcome.score / election.weight()});
    }
    select(std::move(election), clusters, path);
    path.is_like_noise = false;
    return path;
  }

  [[nodiscard]] double dip_of(const Election& election) const {
    return tests_for_noise_
               ? density_dip(*distances_, of_objects(election.winner().labels), dimension_)
               : 0.0;
  }

  // One cluster, which is a local optimum at every strength below 1.
  ShiftPath without_clusters(ShiftPath path) const {
    const auto single = std::ranges::find(path.points, std::size_t{1}, &PathPoint::clusters);
    path.strength =
        std::min(single != path.points.end() ? single->strength : path.points.back().strength, 0.5);
    path.labels.assign(objects_.size(), 0);
    path.is_decided = true;
    path.is_like_noise = true;
    path.has_plateau = true;
    return path;
  }

  [[nodiscard]] NoiseSpace space() const {
    const double dimension = spread_ > 0 ? std::min(dimension_, spread_) : dimension_;
    return {static_cast<double>(objects_.size()), dimension,
            objects_.size() < kFewObjects && !rows_repeat()};
  }

  std::vector<PathSolution> path_with_k(std::size_t clusters, std::uint64_t vote) {
    return solve_along({strengths_with_k(), clusters, options_.seed,
                        kStream + 1 + (vote + 1) * kStreamsPerVote, name_},
                       base(), terms_, context_, meter_);
  }

  Election elect(std::vector<PathSolution> solutions, std::size_t clusters, double expected = 1) {
    Election election;
    for (PathSolution& solution : solutions) {
      election.voters.push_back({std::move(solution.labels), 0, solution.strength,
                                 1 / static_cast<double>(solutions.size()), false});
    }
    make_trees();
    if (!trees_.empty() && !context_.should_stop()) {
      const SparseLevel unit = at_strength(base(), terms_, 1);
      const std::string name = fmt::format("{}-cuts-{}", name_, clusters);
      std::ranges::move(tree_voters(trees_, unit, clusters,
                                    {options_.seed, kStream + kStreamsPerVote / 2}, keeping(name)),
                        std::back_inserter(election.voters));
    }
    for (Voter& voter : election.voters) {
      voter.clusters = compact_labels(voter.labels);
    }
    election.outcome = vote(election.voters, nodes(), clusters, expected, context_.team);
    return election;
  }

  // What is kept in a checkpoint belongs to the graph.
  static std::string name_of(const SparseMatrix& graph) {
    Fingerprint edges;
    edges.add_numbers(graph.offsets).add_numbers(graph.columns).add_numbers(graph.values);
    return fmt::format("path-{:016x}", edges.value());
  }

  // `name` must outlive it.
  [[nodiscard]] Context keeping(const std::string& name) const {
    Context own = context_;
    own.kept_as = name_.empty() ? nullptr : name.c_str();
    return own;
  }

  void make_trees() {
    if (trees_.empty() && distances_ != nullptr) {
      trees_ = spanning_trees(*distances_, groups_, base().size(), keeping(name_));
    }
  }

  void select(Election election, std::size_t clusters, ShiftPath& path) {
    choose_by_pairs(election);
    const Voter& winner = election.winner();
    path.strength = winner.strength;
    path.is_from_tree = winner.is_tree;
    path.criterion = conductance_criterion(base(), winner.labels, clusters);
    path.voters = election.voters.size();
    path.agreeing = static_cast<std::size_t>(
        std::ranges::count_if(election.outcome.similarity, [](double a) { return a >= kAgrees; }));
    path.score = election.outcome.score / election.weight();
    path.is_decided = true;
    path.is_like_noise = tests_for_noise_ && options_.clusters.has_value() &&
                         path.score <= noise_score(space(), clusters) &&
                         dip_of(election) <= noise_dip(space());
    path.support = of_objects(election.support(nodes()));
    path.labels = of_objects(winner.labels);
  }

  [[nodiscard]] bool learns() const { return links_.learn && !links_.empty(); }

  void choose_by_pairs(Election& election) const {
    if (learns()) {
      election.choose_by_pairs(links_, nodes(),
                               [&](const Voter& voter) { return of_objects(voter.labels); });
    }
  }

  std::vector<PathPoint> points_of(const std::vector<PathSolution>& solutions,
                                   std::optional<std::size_t> clusters) const {
    std::vector<PathPoint> points;
    for (const PathSolution& solution : solutions) {
      PathPoint point;
      point.strength = solution.strength;
      point.cost = solution.cost;
      point.sizes = sizes_of(solution.labels);
      point.clusters = point.sizes.size();
      point.criterion =
          conductance_criterion(base(), solution.labels, clusters.value_or(point.clusters));
      points.push_back(std::move(point));
    }
    set_agreement(solutions, points);
    return points;
  }

  [[nodiscard]] PathLabels groupings_of(const std::vector<PathSolution>& solutions) const {
    PathLabels path;
    std::vector<std::uint32_t> nodes_alone(base().size());
    std::iota(nodes_alone.begin(), nodes_alone.end(), 0U);
    path.node_of = of_objects(nodes_alone);
    for (const PathSolution& solution : solutions) {
      path.of_nodes.emplace_back(solution.labels.begin(), solution.labels.end());
    }
    return path;
  }

  void set_agreement(const std::vector<PathSolution>& solutions,
                     std::vector<PathPoint>& points) const {
    std::vector<double> with_next;
    for (std::size_t p = 0; p + 1 < points.size(); ++p) {
      with_next.push_back(agreement(nodes(), solutions[p].labels, solutions[p + 1].labels));
    }
    for (std::size_t p = 0; p < points.size(); ++p) {
      const std::size_t before = p > 0 ? p - 1 : p;
      const std::size_t after = p + 1 < points.size() ? p : before;
      points[p].agreement = with_next.empty() ? 1.0 : (with_next[before] + with_next[after]) / 2;
    }
  }

  [[nodiscard]] std::vector<std::size_t> sizes_of(const std::vector<ClusterId>& labels) const {
    std::vector<double> sizes(*std::max_element(labels.begin(), labels.end()) + std::size_t{1});
    for (ObjectId v = 0; v < base().size(); ++v) {
      sizes[labels[v]] += nodes()[v].size;
    }
    std::vector<std::size_t> rounded;
    for (const double size : sizes) {
      rounded.push_back(static_cast<std::size_t>(std::llround(size)));
    }
    std::sort(rounded.rbegin(), rounded.rend());
    return rounded;
  }

  [[nodiscard]] double total_size() const {
    double sum = 0;
    for (const Volume& node : nodes()) {
      sum += node.size;
    }
    return sum;
  }

  template <class T>
  [[nodiscard]] std::vector<T> of_objects(const std::vector<T>& of_nodes) const {
    if (!contracted_) {
      return of_nodes;
    }
    std::vector<T> out(groups_.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = of_nodes[groups_[i]];
    }
    return out;
  }

  SparseLevel objects_;
  bool is_given_;
  const NeighborDistances* distances_;
  const SearchOptions& options_;
  PathSizes sizes_;
  const LinkOptions& links_;
  bool tests_for_noise_;
  double dimension_ = 0;  // where neighbours are
  double spread_ = 0;     // of all objects; 0: unknown
  Context context_;
  ShiftTerms terms_;  // of strength 1
  std::vector<ClusterId> groups_;
  std::optional<SparseLevel> contracted_;
  std::vector<std::vector<TreeEdge>> trees_;
  WorkMeter meter_;
  std::string name_;  // in a checkpoint; empty: nothing is kept
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
