// Sums over a row of |differences| to a power: what the p-Laplacian costs. Several at a time, in
// the widest registers there are.
#pragma once

#include <cstddef>

namespace shiftcut::methods {

/// Of row i, over j: differences d_j = at - v[j].
struct RowSums {
  double powers = 0;  // sum of w_j |d_j|^p
  double slopes = 0;  // sum of w_j |d_j|^(p-1) sign(d_j)
};

/// p > 1. The relative error of a power is about 1e-14.
RowSums row_sums(const double* w, const double* v, double at, double p, std::size_t length);

/// out[j] = w_j max(|d_j|, least)^(p-2); least > 0. Their sum.
double row_curvatures(const double* w, const double* v, double at, double p, double least,
                      float* out, std::size_t length);

/// sum over j of a[j] * x[j].
double dot_float(const float* a, const double* x, std::size_t length);

}  // namespace shiftcut::methods
