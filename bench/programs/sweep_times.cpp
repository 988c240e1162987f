// Times one restart of local search over features the way k-means iterations are timed: sweep_times
// DATA.npy K THREADS. One-time work (initial labels and sums, the first sweep, the last pass over
// the data) is excluded from `seconds_each`, as it is for the peers.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <fmt/core.h>

#include "core/stop_check.hpp"
#include "shiftcut/read.hpp"
#include "shiftcut/run.hpp"

int main(int count, char** arguments) {
  using namespace shiftcut;
  if (count != 4) {
    std::fputs("usage: sweep_times DATA.npy K THREADS\n", stderr);
    return 1;
  }
  Options options;
  options.similarity.kind = Similarity::linear;
  options.similarity.scale = Scale::none;
  options.search.method = Method::local_search;
  options.search.clusters = static_cast<std::size_t>(std::atoi(arguments[2]));
  options.search.restarts = 1;
  options.search.threads = std::atoi(arguments[3]);
  std::vector<Clock::time_point> ends;
  Control control;
  control.progress = [&](const Progress& progress) {
    if (progress.sweep > 0) {
      ends.push_back(Clock::now());
    }
  };
  const Result result = run(read_input(arguments[1], ReadOptions{}), options, control);
  const std::chrono::duration<double> later = ends.back() - ends.front();
  const auto sweeps = static_cast<double>(ends.size());
  std::puts(fmt::format(
                "{{\"seconds\": {}, \"sweeps\": {}, \"seconds_each\": {}, \"clusters_found\": {}, "
                "\"cost\": {}}}",
                result.restarts.front().seconds, ends.size(),
                ends.size() > 1 ? later.count() / (sweeps - 1) : result.restarts.front().seconds,
                result.clusters_found, result.cost)
                .c_str());
  return 0;
}
