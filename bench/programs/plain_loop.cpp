// Plain local search on a dense matrix, O(n^2) per sweep: plain_loop MATRIX.npy K SEED. It uses the
// same start and order as the library's restart 0, so it must end with the same cost.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <fmt/core.h>

#include "core/rng.hpp"
#include "core/stop_check.hpp"
#include "descent/best_move.hpp"
#include "descent/sweep_order.hpp"
#include "problem/dense_problem.hpp"
#include "shiftcut/read.hpp"

namespace {

using namespace shiftcut;

template <class T>
int run(const T* matrix, const DenseProblem& problem, std::size_t clusters, std::uint64_t seed) {
  const std::size_t n = problem.size();
  Rng rng(seed, 0);
  rng.below(19);  // the library first draws the number of clusters, which is used when K is free
  std::vector<ClusterId> labels(n);
  for (ClusterId& label : labels) {
    label = rng.below(static_cast<std::uint32_t>(clusters));
  }
  std::vector<double> size(clusters);
  std::vector<double> degrees(clusters);
  for (ObjectId i = 0; i < n; ++i) {
    size[labels[i]] += 1;
    degrees[labels[i]] += problem.degree(i);
  }

  const Clock::time_point start = Clock::now();
  SweepOrder order(n);
  std::vector<ObjectId> objects(n);
  std::vector<double> affinities(clusters);
  int sweeps = 0;
  std::size_t moves = 1;
  while (moves > 0) {
    moves = 0;
    ++sweeps;
    order.shuffle(rng);
    order.fill(0, n, objects.data());
    for (const ObjectId o : objects) {
      std::fill(affinities.begin(), affinities.end(), 0.0);
      const T* row = matrix + o * n;
      for (std::size_t j = 0; j < n; ++j) {
        affinities[labels[j]] += static_cast<double>(row[j]);
      }
      for (ClusterId k = 0; k < clusters; ++k) {
        affinities[k] = problem.affinity(o, affinities[k], size[k], degrees[k]);
      }
      const ClusterId own = labels[o];
      affinities[own] -= problem.self(o);
      const ClusterId to = best_move(affinities, own, problem.tolerance()).to;
      if (to != own) {
        size[own] -= 1;
        size[to] += 1;
        degrees[own] -= problem.degree(o);
        degrees[to] += problem.degree(o);
        labels[o] = to;
        ++moves;
      }
    }
  }
  const double seconds = seconds_since(start);
  ThreadTeam team(1);
  std::puts(fmt::format("{{\"seconds\": {}, \"sweeps\": {}, \"cost\": {}}}", seconds, sweeps,
                        problem.cost(labels, team))
                .c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: plain_loop MATRIX.npy K SEED\n", stderr);
    return 1;
  }
  ReadOptions options;
  options.shape = ShapeChoice::similarity;
  const Input input = read_input(argv[1], options);
  const auto& matrix = std::get<DenseArray>(input.values);
  ThreadTeam team(1);
  const DenseProblem problem = DenseProblem::similarities(matrix, ShiftOptions{}, team);
  const std::size_t clusters = std::strtoul(argv[2], nullptr, 10);
  const std::uint64_t seed = std::strtoull(argv[3], nullptr, 10);
  return matrix.is_float32() ? run(matrix.f32(), problem, clusters, seed)
                             : run(matrix.f64(), problem, clusters, seed);
}
