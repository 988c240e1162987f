#include "methods/agglomerative/lance_williams.hpp"

#include <algorithm>

namespace shiftcut::methods {

namespace {

template <class Rule>
void for_all(const MergingRows& rows, const Rule& rule) {
  double* kept = rows.kept;
  const double* other = rows.other;
  for (std::size_t k = 0; k < rows.count; ++k) {
    kept[k] = rule(kept[k], other[k], k);
  }
}

}  // namespace

void merge_rows(Linkage linkage, const MergingRows& rows) {
  const double i = rows.kept_size;
  const double j = rows.other_size;
  const double* sizes = rows.sizes;
  switch (linkage) {
    case Linkage::single:
      for_all(rows, [](double a, double b, std::size_t) { return std::min(a, b); });
      break;
    case Linkage::complete:
      for_all(rows, [](double a, double b, std::size_t) { return std::max(a, b); });
      break;
    case Linkage::average:
      for_all(rows, [=](double a, double b, std::size_t) { return (i * a + j * b) / (i + j); });
      break;
    case Linkage::ward:
      for_all(rows, [=, d = rows.distance](double a, double b, std::size_t k) {
        const double size = sizes[k];
        return ((i + size) * a + (j + size) * b - size * d) / (i + j + size);
      });
      break;
  }
}

}  // namespace shiftcut::methods
