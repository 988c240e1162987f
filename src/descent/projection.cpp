#include "descent/projection.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/rng.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

using namespace descent_tuning;

// Gram-Schmidt, applied twice: once leaves directions that are not quite orthogonal. At most `most`
// directions; vectors that depend on earlier ones add none.
std::vector<double> orthonormalized(std::span<const double* const> vectors, std::size_t length,
                                    std::size_t most) {
  std::vector<double> found;
  std::vector<double> left(length);
  for (const double* vector : vectors) {
    const double before = std::sqrt(dot(vector, vector, length));
    if (!(before > 0)) {
      continue;
    }
    std::transform(vector, vector + length, left.begin(), [&](double v) { return v / before; });
    for (int time = 0; time < 2; ++time) {
      for (std::size_t j = 0; j < found.size(); j += length) {
        add_scaled(left.data(), -dot(&found[j], left.data(), length), &found[j], length);
      }
    }
    const double after = std::sqrt(dot(left.data(), left.data(), length));
    if (after < kDependent) {
      continue;
    }
    for (const double v : left) {
      found.push_back(v / after);
    }
    if (found.size() == most * length) {
      break;
    }
  }
  return found;
}

// Packs the directions, padded with columns of zeros.
void pack(const std::vector<double>& directions, PackedColumns<float>& out) {
  const std::vector<double> none(out.length(), 0.0);
  std::vector<const double*> columns(out.count(), none.data());
  for (std::size_t j = 0; j * out.length() < directions.size(); ++j) {
    columns[j] = &directions[j * out.length()];
  }
  out.set_all(columns, 1.0);
}

std::vector<const double*> pointers(const std::vector<double>& vectors, std::size_t length) {
  std::vector<const double*> found;
  for (std::size_t j = 0; j < vectors.size(); j += length) {
    found.push_back(&vectors[j]);
  }
  return found;
}

}  // namespace

// Subspace iteration on a sample: each step multiplies the directions by X^T X.
void Projection::find_principal(const RowOf& row, ThreadTeam& team) {
  const std::size_t rows = std::min(rows_, kSampledRows);
  Rng rng(0);
  principal_.resize(kDimensions * length_);
  for (double& value : principal_) {
    value = rng.uniform() - 0.5;
  }
  for (int step = 0; step < kPowerSteps; ++step) {
    pack(orthonormalized(pointers(principal_, length_), length_, kDimensions), packed_);
    const auto add = [&](std::size_t begin, std::size_t end, double* sums) {
      std::vector<const float*> sampled;
      for (std::size_t i = begin; i < end; ++i) {
        sampled.push_back(row(static_cast<ObjectId>(i * rows_ / rows)));
      }
      std::vector<float> products(sampled.size() * kDimensions);
      tile_products(sampled.data(), sampled.size(), packed_, products.data());
      for (std::size_t i = 0; i < sampled.size(); ++i) {
        for (std::size_t j = 0; j < kDimensions; ++j) {
          add_scaled(sums + j * length_, static_cast<double>(products[i * kDimensions + j]),
                     sampled[i], length_);
        }
      }
    };
    principal_ = sum_over_row_chunks(rows, length_, kDimensions * length_, team, add);
  }
}

void Projection::rebuild(std::span<const double* const> vectors, const RowOf& row,
                         ThreadTeam& team) {
  if (generation_ == 0) {
    packed_.resize(length_, kDimensions);
    find_principal(row, team);
    coordinates_.allocate(rows_ * kDimensions);
    residual_.resize(rows_);
    generation_of_.assign(rows_, 0);
  }
  ++generation_;
  std::vector<const double*> all(vectors.begin(), vectors.end());
  const std::vector<const double*> principal = pointers(principal_, length_);
  all.insert(all.end(), principal.begin(), principal.end());
  directions_ = orthonormalized(all, length_, kDimensions);
  pack(directions_, packed_);
}

void Projection::set_coordinates(ObjectId row, const float* values, double norm, double error) {
  std::copy_n(values, kDimensions, coordinates_.data() + row * kDimensions);
  double held = 0;
  for (std::size_t j = 0; j < kDimensions; ++j) {
    held += static_cast<double>(values[j]) * static_cast<double>(values[j]);
  }
  // A sum of squares has at most twice the relative error of its terms.
  const double left = std::max(0.0, 1 - held / (norm * norm)) + 3 * error;
  residual_[row] = norm > 0 ? static_cast<float>(1.000001 * std::sqrt(left)) : 0.0F;
  generation_of_[row] = generation_;
}

double Projection::project(const double* s, double* out) const {
  std::fill_n(out, kDimensions, 0.0);
  const double squared = dot(s, s, length_);
  double held = 0;
  for (std::size_t j = 0; j * length_ < directions_.size(); ++j) {
    out[j] = dot(&directions_[j * length_], s, length_);
    held += out[j] * out[j];
  }
  return std::sqrt(std::max(0.0, squared - held) + 1e-12 * squared);
}

}  // namespace shiftcut
