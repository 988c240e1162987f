// Times the inner loops alone, in multiplications per second.
#include "core/kernels/kernels.hpp"

#include <benchmark/benchmark.h>

#include <vector>

#include "core/rng.hpp"

namespace {

using shiftcut::PackedColumns;

std::vector<float> random_floats(std::size_t count) {
  shiftcut::Rng rng(1);
  std::vector<float> values(count);
  for (float& value : values) {
    value = static_cast<float>(rng.uniform() - 0.5);
  }
  return values;
}

// Rows of length `d` against `k` clusters, from memory that does not fit into a cache.
void judge_rows(benchmark::State& state) {
  const auto d = static_cast<std::size_t>(state.range(0));
  const auto k = static_cast<std::size_t>(state.range(1));
  const std::size_t n = (std::size_t{1} << 25) / d;
  const std::vector<float> data = random_floats(n * d);
  const std::vector<float> clusters = random_floats(k * d);
  PackedColumns<float> packed;
  packed.resize(d, k);
  for (std::size_t c = 0; c < k; ++c) {
    packed.set(c, &clusters[c * d], 1.0F);
  }
  std::vector<const float*> rows(512);
  std::vector<float> out(rows.size() * packed.width());
  std::size_t next = 0;
  for (auto _ : state) {
    for (auto& row : rows) {
      row = &data[next * d];
      next = next + 1 == n ? 0 : next + 1;
    }
    shiftcut::tile_products(rows.data(), rows.size(), packed, out.data());
    benchmark::DoNotOptimize(out.data());
  }
  const double products =
      static_cast<double>(state.iterations()) * static_cast<double>(rows.size() * d * k);
  state.counters["GFLOP/s"] = benchmark::Counter(2e-9 * products, benchmark::Counter::kIsRate);
}
BENCHMARK(judge_rows)->Args({784, 10})->Args({32, 100})->Args({16, 20});

void dot_of_doubles(benchmark::State& state) {
  const auto d = static_cast<std::size_t>(state.range(0));
  const std::vector<double> a(d, 0.5);
  const std::vector<double> b(d, 0.25);
  for (auto _ : state) {
    benchmark::DoNotOptimize(shiftcut::dot(a.data(), b.data(), d));
  }
}
BENCHMARK(dot_of_doubles)->Arg(16)->Arg(784);

}  // namespace
