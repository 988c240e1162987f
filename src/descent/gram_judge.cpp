#include "descent/gram_judge.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace shiftcut {

namespace {

constexpr std::size_t kLongRow = 8 * Projection::kCount;   // coordinates are little beside it
constexpr std::size_t kFewClusters = kPanel - kPanel / 4;  // leaves directions for their ways
constexpr double kRounding = 0x1p-24;

// How far a product of rows of this length in float32 may be off, by |x| |s|.
double error_of_product(std::size_t length) { return product_roundings(length) * kRounding; }

// The same for the coordinates of a row taken together: each has the error of a product.
double error_of_coordinates(std::size_t length) {
  return std::sqrt(static_cast<double>(Projection::kCount)) * error_of_product(length);
}

}  // namespace

GramJudge::GramJudge(const GramProblem& problem, const ClusterVectors& clusters, int threads)
    : problem_(problem),
      clusters_(clusters),
      scratch_(static_cast<std::size_t>(threads)),
      projection_(problem.size(), problem.length()) {}

void GramJudge::begin_batch() {
  const std::vector<ClusterId>& candidates = clusters_.candidates();
  place_of_.assign(clusters_.count(), 0);
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    place_of_[candidates[c]] = static_cast<ClusterId>(c);
  }
  by_coordinates_ = projection_.is_set() && candidates.size() <= kFewClusters;
  if (!by_coordinates_) {
    return;
  }
  const double factor = clusters_.largest() > 0 ? 1 / clusters_.largest() : 0;
  Reach rests;
  viewed_ = candidates;
  views_.resize(candidates.size());
  columns_.resize(Projection::kCount, candidates.size());
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    View& view = views_[c];
    view.rest = projection_.project(clusters_.sum(candidates[c]), view.now.data());
    view.step.fill(0);
    rests.include(static_cast<ClusterId>(c), view.rest);
    columns_.set(c, view.now.data(), factor);
  }
  rests_ = rests.sum();
  walked_ = 0;
}

void GramJudge::judge(std::span<const ObjectId> objects, std::span<const ClusterId> labels,
                      int thread, ClusterId* targets, float* slacks) {
  Scratch& scratch = scratch_[static_cast<std::size_t>(thread)];
  const Call call{objects, labels, targets, slacks};
  scratch.open.resize(objects.size());
  std::iota(scratch.open.begin(), scratch.open.end(), std::size_t{0});
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
    if (!projection_.knows(object)) {
      scratch.unknown.push_back(object);
      scratch.rows.push_back(problem_.sketch(object));
    }
  }
  scratch.products.resize(scratch.rows.size() * Projection::kCount);
  tile_products(scratch.rows.data(), scratch.rows.size(), projection_.directions(),
                scratch.products.data());
  const double error = error_of_coordinates(problem_.length());
  for (std::size_t i = 0; i < scratch.unknown.size(); ++i) {
    const ObjectId object = scratch.unknown[i];
    const double norm = static_cast<double>(problem_.norm(object)) / problem_.sketch_scale();
    projection_.set_coordinates(object, &scratch.products[i * Projection::kCount], norm, error);
  }
}

// Leaves those in doubt open.
void GramJudge::judge_by_coordinates(const Call& call, Scratch& scratch) const {
  scratch.rows.clear();
  for (const ObjectId object : call.objects) {
    scratch.rows.push_back(projection_.coordinates(object));
  }
  const double error =
      error_of_coordinates(problem_.length()) + error_of_product(Projection::kCount);
  decide(call, columns_, {error, rests_}, scratch);
  std::erase_if(scratch.open, [&](std::size_t i) { return call.slacks[call.objects[i]] > 0; });
}

void GramJudge::judge_in_full(const Call& call, Scratch& scratch) {
  scratch.rows.clear();
  for (const std::size_t i : scratch.open) {
    scratch.rows.push_back(problem_.sketch(call.objects[i]));
  }
  scratch.in_full += scratch.open.size();
  decide(call, clusters_.packed(), {error_of_product(problem_.length()), 0}, scratch);
}

// Best clusters and slacks of the open objects, from the products of `rows` with the columns.
void GramJudge::decide(const Call& call, const PackedColumns<float>& columns, Error error,
                       Scratch& scratch) const {
  const std::vector<ClusterId>& candidates = clusters_.candidates();
  const std::size_t width = columns.width();
  scratch.products.resize(scratch.rows.size() * width);
  tile_products(scratch.rows.data(), scratch.rows.size(), columns, scratch.products.data());

  const double unit = problem_.sketch_scale() * clusters_.largest();
  const double per_unit = unit > 0 ? 1 / unit : 0;
  for (std::size_t p = 0; p < scratch.open.size(); ++p) {
    const ObjectId object = call.objects[scratch.open[p]];
    scratch.products[p * width + place_of_[call.labels[object]]] -=
        static_cast<float>(problem_.approximate_self(object) * per_unit);
  }
  top_two(scratch.products.data(), scratch.rows.size(), width, candidates.size(), scratch.top);

  // Of the difference of two products.
  const double of_products = 2 * error.of_product * clusters_.largest();
  const double tolerance = problem_.tolerance();
  for (std::size_t p = 0; p < scratch.open.size(); ++p) {
    const std::size_t place = scratch.open[p];
    const ObjectId object = call.objects[place];
    const ClusterId target = candidates[scratch.top.index[p]];
    const auto norm = static_cast<double>(problem_.norm(object));
    call.targets[place] = target;
    if (norm == 0) {  // no affinity to anything: it stays where it is
      call.targets[place] = call.labels[object];
      call.slacks[object] = kEndlessSlack;
    } else if (problem_.pairs().touch(object) || clusters_.leaves_another_empty(target)) {
      // Where its partners are counts when its turn comes, or which clusters are empty.
      call.slacks[object] = kUnknownSlack;
    } else {
      const double gap = static_cast<double>(scratch.top.first[p] - scratch.top.second[p]) * unit;
      const double of_rest =
          error.of_rests > 0 ? error.of_rests * static_cast<double>(projection_.rest(object)) : 0;
      const double of_self = 8e-6 * norm;
      call.slacks[object] = round_down((gap - tolerance) / norm - of_products - of_rest - of_self);
    }
  }
}

bool GramJudge::judge_now(ObjectId object, ClusterId own, ClusterId& target, double& slack) const {
  const auto norm = static_cast<double>(problem_.norm(object));
  if (!by_coordinates_ || !projection_.knows(object) || norm == 0 ||
      problem_.pairs().touch(object)) {
    return false;
  }
  std::array<double, Projection::kCount> u;
  widen(u.data(), projection_.coordinates(object), problem_.sketch_scale(), u.size());
  double first = -std::numeric_limits<double>::infinity();
  double second = first;
  Reach rests;
  for (std::size_t c = 0; c < views_.size(); ++c) {
    const ClusterId k = viewed_[c];
    const double self = k == own ? problem_.approximate_self(object) : 0;
    const double affinity = dot(u.data(), views_[c].now.data(), u.size()) - self;
    if (affinity > first) {
      target = k;
    }
    second = std::max(second, std::min(first, affinity));
    first = std::max(first, affinity);
    rests.include(k, views_[c].rest + rest_of_way(c));
  }
  // Those who moved have coordinates with errors, too.
  const double of_products =
      2 * error_of_coordinates(problem_.length()) * (clusters_.largest() + 2 * walked_);
  const double of_rest = rests.sum() * static_cast<double>(projection_.rest(object));
  slack = (first - second - problem_.tolerance()) / norm - of_products - of_rest - 8e-6 * norm;
  return slack > 0 && !clusters_.leaves_another_empty(target);
}

// At least what its coordinates do not tell of the way a candidate went since the batch began.
double GramJudge::rest_of_way(std::size_t candidate) const {
  const std::array<double, Projection::kCount>& step = views_[candidate].step;
  const double off = error_of_coordinates(problem_.length()) * walked_;
  const double held = std::max(0.0, std::sqrt(dot(step.data(), step.data(), step.size())) - off);
  const double way = clusters_.way(viewed_[candidate]);
  return std::sqrt(std::max(0.0, way * way - held * held));
}

void GramJudge::move_coordinates(ObjectId object, ClusterId from, ClusterId to) {
  // Coordinates are of x; what is added to a vector is z.
  if (problem_.has_extra() || !projection_.knows(object) || clusters_.candidates() != viewed_) {
    by_coordinates_ = false;  // until the next batch
    return;
  }
  const float* u = projection_.coordinates(object);
  const double scale = problem_.sketch_scale();
  View& left = views_[place_of_[from]];
  View& entered = views_[place_of_[to]];
  move_between(left.now.data(), entered.now.data(), scale, u, Projection::kCount);
  move_between(left.step.data(), entered.step.data(), scale, u, Projection::kCount);
  walked_ += static_cast<double>(problem_.norm(object));
}

// Directions cost a sample of the rows, and coordinates a look at each: they are turned once that
// much, twice over, went into rows judged in full.
void GramJudge::end_sweep(ThreadTeam& team) {
  for (Scratch& scratch : scratch_) {
    in_full_ += std::exchange(scratch.in_full, 0);
  }
  const std::vector<ClusterId>& candidates = clusters_.candidates();
  if (problem_.length() < kLongRow || candidates.size() > kFewClusters ||
      in_full_ < 2 * problem_.size()) {
    return;
  }
  std::vector<const double*> vectors;
  for (const ClusterId k : candidates) {
    vectors.push_back(clusters_.sum(k));
  }
  projection_.turn_to(vectors, [&](ObjectId i) { return problem_.sketch(i); }, team);
  in_full_ = 0;
}

}  // namespace shiftcut
