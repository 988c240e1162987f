// On the simplex x^T (A - alpha I) x = x^T (A + alpha (e e^T - I)) x - alpha: the dynamics runs on
// similarities raised off the diagonal. A cluster whose largest eigenvalue is below alpha stays
// whole: the maximum is unique and contains every member, because f is negative and an excluded
// object would have a payoff of 0 or more.
#include "shiftcut/methods/dominant_sets.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/message.hpp"
#include "core/work_meter.hpp"
#include "methods/dominant_sets/dominant_set.hpp"
#include "methods/dominant_sets/tuning.hpp"
#include "methods/operations.hpp"

namespace shiftcut::methods {

namespace {

constexpr const char* kHierarchy = "dominant set hierarchy";

struct BoundedCluster {
  std::vector<std::uint32_t> objects;  // ascending
  // Not below its largest eigenvalue: for alpha above it the cluster stays whole.
  double bound = std::numeric_limits<double>::infinity();
};

void check(const DominantSetHierarchyOptions& options) {
  check_options(options.search, kHierarchy);
  if (!(options.factor > 0 && options.factor < 1)) {
    refuse("out_of_range", "", "{}: found the factor {}; allowed: above 0, below 1", kHierarchy,
           options.factor);
  }
  if (options.levels < 2) {
    refuse("out_of_range", "", "{}: found {} levels; allowed: 2 or more", kHierarchy,
           options.levels);
  }
}

// The parts of a cluster at the level's alpha.
std::vector<BoundedCluster> divide(const SimilarityPart& whole, const BoundedCluster& cluster,
                                   const DynamicsOptions& options, const Workers& workers,
                                   DominantSetLevel& level) {
  const double alpha = level.alpha;
  SimilarityPart rest = whole.kept(cluster.objects);
  std::vector<BoundedCluster> parts;
  while (rest.size() > 0) {
    std::vector<std::uint32_t> positions(rest.size());
    std::iota(positions.begin(), positions.end(), 0U);
    const double bound = eigenvalue_bound(rest, alpha, workers);
    if (rest.size() > 1 && bound > alpha) {
      if (auto found = find_dominant_set(rest, {alpha, -alpha}, options, workers)) {
        positions = std::move(found->positions);
        level.steps += found->steps;
        level.converged = level.converged && found->converged;
      }
    } else if (alpha <= 0) {
      positions.resize(1);  // no positive similarity: each object is alone
    }
    BoundedCluster part;
    for (const std::uint32_t position : positions) {
      part.objects.push_back(rest.object(position));
    }
    if (positions.size() == rest.size()) {
      part.bound = bound;
    }
    parts.push_back(std::move(part));
    rest = rest.without(positions);
  }
  return parts;
}

void label(const std::vector<BoundedCluster>& clusters, std::size_t n, DominantSetLevel& level) {
  level.clusters = clusters.size();
  level.labels.resize(n);
  for (std::size_t k = 0; k < clusters.size(); ++k) {
    for (const std::uint32_t object : clusters[k].objects) {
      level.labels[object] = static_cast<std::int32_t>(k);
    }
  }
  number_by_first_object(level.labels);
}

}  // namespace

double eigenvalue_bound(const SimilarityPart& part, std::optional<double> level,
                        const Workers& workers) {
  const std::size_t m = part.size();
  std::vector<double> x(m, 1.0);
  std::vector<double> image(m);
  double bound = std::numeric_limits<double>::infinity();
  for (int product = 0; product < kEigenvalueProducts; ++product) {
    stop_if_asked(workers.control);
    part.multiply(x, image, workers.team);
    double above = 0;
    double products = 0;
    double squares = 0;
    for (std::size_t i = 0; i < m; ++i) {
      above = std::max(above, image[i] / x[i]);
      products += x[i] * image[i];
      squares += x[i] * x[i];
    }
    const double below = products / squares;
    bound = std::min(bound, above);
    const bool is_decided = level && (bound <= *level || below > *level);
    if (is_decided || bound - below <= kEigenvalueAccuracy * bound) {
      break;
    }
    // Keeping some of x keeps entries above 0, and x from oscillating on bipartite graphs.
    double largest = 0;
    for (std::size_t i = 0; i < m; ++i) {
      x[i] = image[i] + below / 2 * x[i];
      largest = std::max(largest, x[i]);
    }
    for (double& entry : x) {
      entry = std::max(entry / largest, std::numeric_limits<double>::min());
    }
  }
  return bound;
}

std::vector<DominantSetLevel> dominant_set_hierarchy(const Similarities& similarities,
                                                     const DominantSetHierarchyOptions& options,
                                                     const Control& control) {
  check_similarities(similarities, kHierarchy);
  check_not_negative(similarities, kHierarchy);
  check(options);
  ThreadTeam team(options.threads);
  const Workers workers{team, control};
  WorkMeter meter(control, kHierarchy, options.levels);
  const SimilarityPart whole(similarities);
  const std::size_t n = whole.size();

  std::vector<BoundedCluster> clusters(1);
  clusters[0].objects.resize(n);
  std::iota(clusters[0].objects.begin(), clusters[0].objects.end(), 0U);
  std::vector<DominantSetLevel> levels(1);
  levels[0].alpha = eigenvalue_bound(whole, {}, workers);
  label(clusters, n, levels[0]);
  while (levels.size() < options.levels &&
         (options.enough == 0 || levels.back().clusters < options.enough) &&
         (levels.size() == 1 || levels.back().alpha > 0)) {
    const bool last = levels.size() + 1 == options.levels;
    DominantSetLevel level;
    level.alpha = last ? 0 : levels.back().alpha * options.factor;
    std::vector<BoundedCluster> finer;
    for (BoundedCluster& cluster : clusters) {
      if (cluster.objects.size() == 1 || cluster.bound <= level.alpha) {
        finer.push_back(std::move(cluster));
        continue;
      }
      for (BoundedCluster& part : divide(whole, cluster, options.search, workers, level)) {
        finer.push_back(std::move(part));
      }
    }
    clusters = std::move(finer);
    label(clusters, n, level);
    levels.push_back(std::move(level));
    meter.add();
  }
  return levels;
}

}  // namespace shiftcut::methods
