// Measures time and recall of the neighbour search alone:
//   neighbors X.npy K THREADS [automatic|all_pairs|by_cells [SQUARED IDS]]
// Prints JSON: seconds, processor time of all threads together (which depends little on other
// processes on the machine), and the recall on a sample of rows, checked by brute force. Writes the
// squared distances (float64) and the neighbours (uint32), K per row, to files.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "core/kernels/kernels.hpp"
#include "neighbors/nearest_neighbors.hpp"
#include "shiftcut/shiftcut.hpp"

namespace {

using namespace shiftcut;

constexpr std::size_t kChecked = 500;

// The fraction of the neighbours found that are no farther than the k-th nearest.
double recall(const FeatureRows& rows, const NeighborLists& lists, ThreadTeam& team) {
  const std::size_t n = rows.size();
  const std::size_t d = rows.length();
  const std::size_t checked = std::min(n, kChecked);
  std::vector<double> share(checked);
  team.for_each(checked, [&](std::size_t c, int) {
    const std::size_t i = c * n / checked;
    std::vector<double> row(2 * d);
    std::vector<double> all;
    rows.row(i, row.data());
    for (std::size_t j = 0; j < n; ++j) {
      if (j != i) {
        rows.row(j, row.data() + d);
        all.push_back(squared_distance(row.data(), row.data() + d, d));
      }
    }
    const auto last = all.begin() + static_cast<std::ptrdiff_t>(lists.k - 1);
    std::nth_element(all.begin(), last, all.end());
    const auto own = lists.squared.begin() + static_cast<std::ptrdiff_t>(i * lists.k);
    const auto hits = std::count_if(own, own + static_cast<std::ptrdiff_t>(lists.k),
                                    [&](double found) { return found <= *last; });
    share[c] = static_cast<double>(hits) / static_cast<double>(lists.k);
  });
  double sum = 0;
  for (const double value : share) {
    sum += value;
  }
  return sum / static_cast<double>(checked);
}

template <class T>
void write_raw(const char* path, const std::vector<T>& values) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(T)));
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4 || count == 6) {
    std::fputs("usage: neighbors X.npy K THREADS [automatic|all_pairs|by_cells [SQUARED IDS]]\n",
               stderr);
    return 1;
  }
  const std::string how = count > 4 ? arguments[4] : "";
  const Input input = read_input(arguments[1], ReadOptions{});
  const auto& data = std::get<DenseArray>(input.values);
  ThreadTeam team(std::atoi(arguments[3]));
  const FeatureRows rows =
      FeatureRows::scaled(data, scaling_of(data, Scale::none, input.name, team));
  const std::clock_t start_clock = std::clock();
  const auto start = std::chrono::steady_clock::now();
  const NeighborLists lists =
      nearest_neighbors(rows, static_cast<std::size_t>(std::atoi(arguments[2])), team, Control{},
                        how == "all_pairs"  ? NeighborSearch::all_pairs
                        : how == "by_cells" ? NeighborSearch::by_cells
                                            : NeighborSearch::automatic);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double processor_seconds = static_cast<double>(std::clock() - start_clock) / CLOCKS_PER_SEC;
  if (count > 6) {
    write_raw(arguments[5], lists.squared);
    write_raw(arguments[6], lists.ids);
  }
  std::puts(fmt::format("{{\"seconds\": {}, \"processor_seconds\": {}, \"recall\": {}}}", seconds,
                        processor_seconds, recall(rows, lists, team))
                .c_str());
  return 0;
}
