#include "methods/spectral/components.hpp"

#include "methods/rows.hpp"

namespace shiftcut::methods {

Components components(const Similarities& similarities) {
  const std::size_t n = objects(similarities);
  Components found;
  found.of.assign(n, n);
  std::vector<std::size_t> waiting;
  std::size_t seen = 0;
  for (std::size_t first = 0; first < n; ++first) {
    if (found.of[first] != n) {
      continue;
    }
    found.of[first] = found.count;
    waiting.push_back(first);
    ++seen;
    while (!waiting.empty() && seen < n) {  // a dense matrix is seldom read to its end
      const std::size_t i = waiting.back();
      waiting.pop_back();
      for_row(similarities, i, [&](std::size_t j, double value) {
        if (value > 0 && found.of[j] == n) {
          found.of[j] = found.count;
          waiting.push_back(j);
          ++seen;
        }
      });
    }
    ++found.count;
  }
  return found;
}

}  // namespace shiftcut::methods
