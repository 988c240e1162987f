#include "descent/projection.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/rng.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

constexpr double kNothingNew = 1e-5;  // what is left of a vector that the directions hold already
constexpr std::size_t kSample = 256;  // rows that tell the leading directions
constexpr int kPowerSteps = 2;

// Gram-Schmidt, twice over: once leaves directions that are not quite at right angles.
std::vector<double> at_right_angles(std::span<const double* const> vectors, std::size_t length,
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
    if (after < kNothingNew) {
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

// Fewer than there are columns are followed by zeros.
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

// Subspace iteration on a sample: each step multiplies by the rows' own products.
void Projection::find_leading(const RowOf& row, ThreadTeam& team) {
  const std::size_t rows = std::min(rows_, kSample);
  Rng rng(0);
  leading_.resize(kCount * length_);
  for (double& value : leading_) {
    value = rng.uniform() - 0.5;
  }
  for (int step = 0; step < kPowerSteps; ++step) {
    pack(at_right_angles(pointers(leading_, length_), length_, kCount), packed_);
    const auto add = [&](std::size_t begin, std::size_t end, double* sums) {
      std::vector<const float*> sampled;
      for (std::size_t i = begin; i < end; ++i) {
        sampled.push_back(row(static_cast<ObjectId>(i * rows_ / rows)));
      }
      std::vector<float> products(sampled.size() * kCount);
      tile_products(sampled.data(), sampled.size(), packed_, products.data());
      for (std::size_t i = 0; i < sampled.size(); ++i) {
        for (std::size_t j = 0; j < kCount; ++j) {
          add_scaled(sums + j * length_, static_cast<double>(products[i * kCount + j]), sampled[i],
                     length_);
        }
      }
    };
    leading_ = sum_over_row_chunks(rows, length_, kCount * length_, team, add);
  }
}

void Projection::turn_to(std::span<const double* const> vectors, const RowOf& row,
                         ThreadTeam& team) {
  if (turn_ == 0) {
    packed_.resize(length_, kCount);
    find_leading(row, team);
    coordinates_.allocate(rows_ * kCount);
    rest_.resize(rows_);
    turn_of_.assign(rows_, 0);
  }
  ++turn_;
  std::vector<const double*> all(vectors.begin(), vectors.end());
  const std::vector<const double*> leading = pointers(leading_, length_);
  all.insert(all.end(), leading.begin(), leading.end());
  directions_ = at_right_angles(all, length_, kCount);
  pack(directions_, packed_);
}

void Projection::set_coordinates(ObjectId row, const float* values, double norm, double error) {
  std::copy_n(values, kCount, coordinates_.data() + row * kCount);
  double held = 0;
  for (std::size_t j = 0; j < kCount; ++j) {
    held += static_cast<double>(values[j]) * static_cast<double>(values[j]);
  }
  // A sum of squares is off by no more than twice what its terms are, taken together.
  const double left = std::max(0.0, 1 - held / (norm * norm)) + 3 * error;
  rest_[row] = norm > 0 ? static_cast<float>(1.000001 * std::sqrt(left)) : 0.0F;
  turn_of_[row] = turn_;
}

double Projection::project(const double* s, double* out) const {
  std::fill_n(out, kCount, 0.0);
  const double squared = dot(s, s, length_);
  double held = 0;
  for (std::size_t j = 0; j * length_ < directions_.size(); ++j) {
    out[j] = dot(&directions_[j * length_], s, length_);
    held += out[j] * out[j];
  }
  return std::sqrt(std::max(0.0, squared - held) + 1e-12 * squared);
}

}  // namespace shiftcut
