#include "descent/gram_judge.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "descent/tuning.hpp"

namespace shiftcut {

namespace {

using namespace descent_tuning;

constexpr double kRounding = 0x1p-24;   // unit roundoff of float32
constexpr double kSelfRounding = 8e-6;  // bounds the error of approximate_self(), by |x|^2

// Error bound of a float32 product of rows of this length, by |x| |s|.
double error_of_product(std::size_t length) { return product_roundings(length) * kRounding; }

// The same for the vector of a row's coordinates, each of which has the error of a product.
double error_of_coordinates(std::size_t length) {
  return std::sqrt(static_cast<double>(kDimensions)) * error_of_product(length);
}

}  // namespace

GramJudge::GramJudge(const GramProblem& problem, const ClusterVectors& clusters, int threads)
    : problem_(problem),
      clusters_(clusters),
      scratch_(static_cast<std::size_t>(threads)),
      projection_(problem.size(), problem.length()) {}

void GramJudge::begin_batch() {
  const std::vector<ClusterId>& candidates = clusters_.candidates();
  index_of_.assign(clusters_.count(), 0);
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    index_of_[candidates[c]] = static_cast<ClusterId>(c);
  }
  by_coordinates_ = projection_.is_set() && candidates.size() <= kFewClusters;
  if (!by_coordinates_) {
    return;
  }
  const double factor = clusters_.largest_norm() > 0 ? 1 / clusters_.largest_norm() : 0;
  TopDrifts residuals;
  batch_candidates_ = candidates;
  projected_.resize(candidates.size());
  columns_.resize(kDimensions, candidates.size());
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    Projected& vector = projected_[c];
    vector.residual = projection_.project(clusters_.sum(candidates[c]), vector.now.data());
    vector.drift.fill(0);
    residuals.include(static_cast<ClusterId>(c), vector.residual);
    columns_.set(c, vector.now.data(), factor);
  }
  residual_sum_ = residuals.sum();
  moved_norms_ = 0;
}

void GramJudge::judge(std::span<const ObjectId> objects, std::span<const ClusterId> labels,
                      int thread, ClusterId* targets, float* slacks) {
  Scratch& scratch = scratch_[static_cast<std::size_t>(thread)];
  const Call call{objects, labels, targets, slacks};
  scratch.undecided.resize(objects.size());
  std::iota(scratch.undecided.begin(), scratch.undecided.end(), std::size_t{0});
  if (by_coordinates_) {
    find_coordinates(call, scratch);
    judge_by_coordinates(call, scratch);
  }
  judge_in_full(call, scratch);
}

void GramJudge::find_coordinates(const Call& call, Scratch& scratch) {
  scratch.unknown.clear();
  scratch.rows.clear();
  for (const ObjectId object : call.objects) {
    if (!projection_.has_coordinates(object)) {
      scratch.unknown.push_back(object);
      scratch.rows.push_back(problem_.sketch(object));
    }
  }
  scratch.products.resize(scratch.rows.size() * kDimensions);
  tile_products(scratch.rows.data(), scratch.rows.size(), projection_.directions(),
                scratch.products.data());
  const double error = error_of_coordinates(problem_.length());
  for (std::size_t i = 0; i < scratch.unknown.size(); ++i) {
    const ObjectId object = scratch.unknown[i];
    const double norm = static_cast<double>(problem_.norm(object)) / problem_.sketch_scale();
    projection_.set_coordinates(object, &scratch.products[i * kDimensions], norm, error);
  }
}

// Leaves objects that the coordinates do not decide among the undecided.
void GramJudge::judge_by_coordinates(const Call& call, Scratch& scratch) const {
  scratch.rows.clear();
  for (const ObjectId object : call.objects) {
    scratch.rows.push_back(projection_.coordinates(object));
  }
  const double error = error_of_coordinates(problem_.length()) + error_of_product(kDimensions);
  decide(call, columns_, {error, residual_sum_}, scratch);
  std::erase_if(scratch.undecided, [&](std::size_t i) { return call.slacks[call.objects[i]] > 0; });
}

void GramJudge::judge_in_full(const Call& call, Scratch& scratch) {
  scratch.rows.clear();
  for (const std::size_t i : scratch.undecided) {
    scratch.rows.push_back(problem_.sketch(call.objects[i]));
  }
  scratch.judged_in_full += scratch.undecided.size();
  decide(call, clusters_.packed(), {error_of_product(problem_.length()), 0}, scratch);
}

// Best clusters and slacks of the undecided objects, from the products of scratch.rows with the
// columns.
void GramJudge::decide(const Call& call, const PackedColumns<float>& columns, Error error,
                       Scratch& scratch) const {
  const std::vector<ClusterId>& candidates = clusters_.candidates();
  const std::size_t width = columns.width();
  scratch.products.resize(scratch.rows.size() * width);
  tile_products(scratch.rows.data(), scratch.rows.size(), columns, scratch.products.data());

  const double unit = problem_.sketch_scale() * clusters_.largest_norm();
  const double per_unit = unit > 0 ? 1 / unit : 0;
  for (std::size_t p = 0; p < scratch.undecided.size(); ++p) {
    const ObjectId object = call.objects[scratch.undecided[p]];
    scratch.products[p * width + index_of_[call.labels[object]]] -=
        static_cast<float>(problem_.approximate_self(object) * per_unit);
  }
  top_two(scratch.products.data(), scratch.rows.size(), width, candidates.size(), scratch.top);

  // For the difference of two products.
  const double of_products = 2 * error.of_product * clusters_.largest_norm();
  const double tolerance = problem_.tolerance();
  for (std::size_t p = 0; p < scratch.undecided.size(); ++p) {
    const std::size_t place = scratch.undecided[p];
    const ObjectId object = call.objects[place];
    const ClusterId target = candidates[scratch.top.index[p]];
    const auto norm = static_cast<double>(problem_.norm(object));
    call.targets[place] = target;
    if (norm == 0) {  // no affinity to anything: it stays
      call.targets[place] = call.labels[object];
      call.slacks[object] = kInfiniteSlack;
    } else if (problem_.pairs().touch(object) || clusters_.leaves_another_empty(target)) {
      // Depends on where its partners are, or on which clusters are empty, when its turn comes.
      call.slacks[object] = kUnknownSlack;
    } else {
      const double gap = static_cast<double>(scratch.top.first[p] - scratch.top.second[p]) * unit;
      const double of_residual =
          error.of_residuals > 0
              ? error.of_residuals * static_cast<double>(projection_.residual(object))
              : 0;
      const double of_self = kSelfRounding * norm;
      call.slacks[object] =
          round_down((gap - tolerance) / norm - of_products - of_residual - of_self);
    }
  }
}

bool GramJudge::judge_now(ObjectId object, ClusterId own, ClusterId& target, double& slack) const {
  const auto norm = static_cast<double>(problem_.norm(object));
  if (!by_coordinates_ || !projection_.has_coordinates(object) || norm == 0 ||
      problem_.pairs().touch(object)) {
    return false;
  }
  std::array<double, kDimensions> u;
  widen(u.data(), projection_.coordinates(object), problem_.sketch_scale(), u.size());
  double first = -std::numeric_limits<double>::infinity();
  double second = first;
  TopDrifts residuals;
  for (std::size_t c = 0; c < projected_.size(); ++c) {
    const ClusterId k = batch_candidates_[c];
    const double self = k == own ? problem_.approximate_self(object) : 0;
    const double affinity = dot(u.data(), projected_[c].now.data(), u.size()) - self;
    if (affinity > first) {
      target = k;
    }
    second = std::max(second, std::min(first, affinity));
    first = std::max(first, affinity);
    residuals.include(k, projected_[c].residual + residual_drift(c));
  }
  // The coordinates of objects that moved carry errors, too.
  const double of_products =
      2 * error_of_coordinates(problem_.length()) * (clusters_.largest_norm() + 2 * moved_norms_);
  const double of_residual = residuals.sum() * static_cast<double>(projection_.residual(object));
  slack = (first - second - problem_.tolerance()) / norm - of_products - of_residual -
          kSelfRounding * norm;
  return slack > 0 && !clusters_.leaves_another_empty(target);
}

// Bounds the part of a candidate's drift since the batch began that its coordinates do not hold.
double GramJudge::residual_drift(std::size_t candidate) const {
  const std::array<double, kDimensions>& drift = projected_[candidate].drift;
  const double off = error_of_coordinates(problem_.length()) * moved_norms_;
  const double held = std::max(0.0, std::sqrt(dot(drift.data(), drift.data(), drift.size())) - off);
  const double drift_bound = clusters_.drift(batch_candidates_[candidate]);
  return std::sqrt(std::max(0.0, drift_bound * drift_bound - held * held));
}

void GramJudge::move_coordinates(ObjectId object, ClusterId from, ClusterId to) {
  // Coordinates are of x; what is added to a vector is z.
  if (problem_.has_extra() || !projection_.has_coordinates(object) ||
      clusters_.candidates() != batch_candidates_) {
    by_coordinates_ = false;  // until the next batch
    return;
  }
  const float* u = projection_.coordinates(object);
  const double scale = problem_.sketch_scale();
  Projected& left = projected_[index_of_[from]];
  Projected& entered = projected_[index_of_[to]];
  move_between(left.now.data(), entered.now.data(), scale, u, kDimensions);
  move_between(left.drift.data(), entered.drift.data(), scale, u, kDimensions);
  moved_norms_ += static_cast<double>(problem_.norm(object));
}

// A projection costs one product per row and dimension. It is rebuilt once the rows judged in full
// have cost more.
void GramJudge::end_sweep(ThreadTeam& team) {
  for (Scratch& scratch : scratch_) {
    judged_in_full_ += std::exchange(scratch.judged_in_full, 0);
  }
  const std::vector<ClusterId>& candidates = clusters_.candidates();
  if (problem_.length() < kLongRow || candidates.size() > kFewClusters ||
      judged_in_full_ < kRebuildAfterPasses * problem_.size()) {
    return;
  }
  std::vector<const double*> vectors;
  for (const ClusterId k : candidates) {
    vectors.push_back(clusters_.sum(k));
  }
  projection_.rebuild(vectors, [&](ObjectId i) { return problem_.sketch(i); }, team);
  judged_in_full_ = 0;
}

}  // namespace shiftcut
