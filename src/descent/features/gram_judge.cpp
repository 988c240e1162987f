#include "descent/features/gram_judge.hpp"

namespace shiftcut {

namespace {

constexpr double kRounding = 0x1p-24;   // unit roundoff of float32
constexpr double kSelfRounding = 8e-6;  // bounds the error of approximate_self(), by |x|^2

// Error bound of a float32 product of rows of this length, by |x| |s|.
double error_of_product(std::size_t length) { return product_roundings(length) * kRounding; }

}  // namespace

GramJudge::GramJudge(const GramProblem& problem, const ClusterVectors& clusters, int threads)
    : problem_(problem), clusters_(clusters), scratch_(static_cast<std::size_t>(threads)) {}

void GramJudge::begin_batch() {
  const std::vector<ClusterId>& candidates = clusters_.candidates();
  index_of_.assign(clusters_.count(), 0);
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    index_of_[candidates[c]] = static_cast<ClusterId>(c);
  }
}

void GramJudge::judge(std::span<const ObjectId> objects, std::span<const ClusterId> labels,
                      int thread, ClusterId* targets, float* slacks) {
  Scratch& scratch = scratch_[static_cast<std::size_t>(thread)];
  const PackedColumns<float>& columns = clusters_.packed();
  const std::vector<ClusterId>& candidates = clusters_.candidates();
  const std::size_t width = columns.width();
  scratch.rows.clear();
  for (const ObjectId object : objects) {
    scratch.rows.push_back(problem_.sketch(object));
  }
  scratch.products.resize(scratch.rows.size() * width);
  tile_products(scratch.rows.data(), scratch.rows.size(), columns, scratch.products.data());

  const double unit = problem_.sketch_scale() * clusters_.largest_norm();
  const double per_unit = unit > 0 ? 1 / unit : 0;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    scratch.products[i * width + index_of_[labels[objects[i]]]] -=
        static_cast<float>(problem_.approximate_self(objects[i]) * per_unit);
  }
  top_two(scratch.products.data(), scratch.rows.size(), width, candidates.size(), scratch.top);

  // For the difference of two products.
  const double of_products = 2 * error_of_product(problem_.length()) * clusters_.largest_norm();
  const double tolerance = problem_.tolerance();
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const ObjectId object = objects[i];
    const ClusterId target = candidates[scratch.top.index[i]];
    const auto norm = static_cast<double>(problem_.norm(object));
    targets[i] = target;
    if (norm == 0) {  // no affinity to anything: it stays
      targets[i] = labels[object];
      slacks[object] = kInfiniteSlack;
    } else if (problem_.pairs().touch(object) || clusters_.leaves_another_empty(target)) {
      // Depends on where its partners are, or on which clusters are empty, when its turn comes.
      slacks[object] = kUnknownSlack;
    } else {
      const double gap = static_cast<double>(scratch.top.first[i] - scratch.top.second[i]) * unit;
      slacks[object] = round_down((gap - tolerance) / norm - of_products - kSelfRounding * norm);
    }
  }
}

}  // namespace shiftcut
