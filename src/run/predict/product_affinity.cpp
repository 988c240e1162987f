// Similarities that are products of rows: the sums of each cluster's rows are all that is kept.
//
// linear: S_oj = 2 y_o.y_j - w (q_o + q_j) + L, with y the scaled and centred rows and q = |y|^2.
//   Under the adaptive shift w = 1 - strength and L = w M, else w = 1 and L = M less the shift, M
//   the largest squared distance. L follows from the cost, which is minus the sum of S.
// cosine: x_oj = u_o.u_j, u the scaled rows at unit length (a zero row stays zero).
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/kernels/elementary.hpp"
#include "core/kernels/kernels.hpp"
#include "core/message.hpp"
#include "run/predict/affinity.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

constexpr double kLeastSquared = 1e-300;  // squared distance

// One row y: scaled numbers, or the entries of a sparse row, times `factor`.
class ProductRow {
 public:
  explicit ProductRow(const Model& model) : scaling_(model.result.scaling), d_(model.columns) {}

  void read(const Rows& rows, std::size_t i) {
    factor_ = 1;
    if (const auto* dense = std::get_if<DenseArray>(&rows)) {
      dense_.resize(d_);
      if (dense->is_float32()) {
        affine(dense_.data(), dense->f32_row(i), scaling_.offset.data(), scaling_.factor.data(),
               d_);
      } else {
        affine(dense_.data(), dense->f64_row(i), scaling_.offset.data(), scaling_.factor.data(),
               d_);
      }
      return;
    }
    const auto& sparse = std::get<SparseMatrix>(rows);
    const auto begin = static_cast<std::size_t>(sparse.offsets[i]);
    const auto count = static_cast<std::size_t>(sparse.offsets[i + 1]) - begin;
    columns_ = std::span(sparse.columns).subspan(begin, count);
    values_ = std::span(sparse.values).subspan(begin, count);
  }

  void make_unit() {
    const double length = std::sqrt(squared_length());
    factor_ = length > 0 ? 1 / length : 0.0;
  }

  [[nodiscard]] double squared_length() const {
    return dense_.empty() ? dot(values_.data(), values_.data(), values_.size())
                          : dot(dense_.data(), dense_.data(), d_);
  }

  [[nodiscard]] double times(const double* other) const {
    if (!dense_.empty()) {
      return factor_ * dot(dense_.data(), other, d_);
    }
    double sum = 0;
    for (std::size_t e = 0; e < values_.size(); ++e) {
      sum += values_[e] * other[columns_[e]];
    }
    return factor_ * sum;
  }

  void add_to(double* sums, double times) const {
    if (!dense_.empty()) {
      add_scaled(sums, times * factor_, dense_.data(), d_);
    }
    for (std::size_t e = 0; e < values_.size(); ++e) {
      sums[columns_[e]] += times * factor_ * values_[e];
    }
  }

  /// |y - centre|^2
  [[nodiscard]] double from_centre(const std::vector<double>& centre) const {
    if (!dense_.empty()) {
      return squared_distance(dense_.data(), centre.data(), d_);
    }
    return squared_length() - 2 * times(centre.data()) + dot(centre.data(), centre.data(), d_);
  }

 private:
  const FeatureScaling& scaling_;
  std::size_t d_;
  double factor_ = 1;
  std::vector<double> dense_;  // else the entries
  std::span<const std::uint32_t> columns_;
  std::span<const double> values_;
};

bool is_linear(const Model& model) { return model.result.similarity == "linear"; }

bool is_adaptive(const Result& result) { return result.shift_kind == "adaptive"; }

// w
double length_weight(const Result& result) {
  return is_adaptive(result) ? 1 - result.shift_strength : 1.0;
}

// L, from what the clusters earn with L = 0.
double level_of(const Model& model, const Members& members, const ClusterSums& kept) {
  const Result& result = model.result;
  const double weight = length_weight(result);
  double earned = 0;
  double pairs = 0;
  for (std::size_t k = 0; k < result.sizes.size(); ++k) {
    const double* sum = &kept.sums[k * model.columns];
    const double size = members.sizes[k];
    earned += 2 * dot(sum, sum, model.columns) - 2 * weight * size * kept.lengths[k];
    pairs += size * size;
  }
  const double cost = result.cost - (result.links ? result.links->cost : 0.0);
  return (-cost - earned) / pairs;
}

// A worker's.
struct Room {
  ProductRow row;
  std::vector<ClusterTie> ties;
};

class LinearAffinity final : public Affinity {
 public:
  explicit LinearAffinity(const Model& model)
      : model_(model), members_(model), weight_(length_weight(model.result)) {
    const ClusterSums& kept = model.sums;
    if (weight_ != 0 && !std::isfinite(kept.level)) {
      refuse("not_applicable", "max_seconds",
             "{max_seconds}: found a run that was stopped before its cost was known, which new "
             "rows are judged by; allowed: more time");
    }
    for (std::size_t k = 0; k < model.result.sizes.size(); ++k) {
      const double* sum = &kept.sums[k * model.columns];
      of_centre_.push_back(dot(sum, kept.centre.data(), model.columns));
      lengths_.push_back(dot(sum, sum, model.columns) / members_.sizes[k] / members_.sizes[k]);
    }
  }

  void each(const Rows& rows, ThreadTeam& team, const Control& /*control*/,
            const RowVisit& visit) const override {
    const ClusterSums& kept = model_.sums;
    const std::size_t clusters = of_centre_.size();
    for_each_row(
        row_count(rows), team, [&] { return Room{ProductRow(model_), {}}; },
        [&](std::size_t i, Room& room) {
          room.row.read(rows, i);
          const double squared = room.row.from_centre(kept.centre);
          room.ties.resize(clusters);
          double nearest = std::numeric_limits<double>::infinity();
          for (std::size_t k = 0; k < clusters; ++k) {
            const double product = room.row.times(&kept.sums[k * model_.columns]) - of_centre_[k];
            const double size = members_.sizes[k];
            double sum = 2 * product;
            if (weight_ != 0) {
              sum += kept.level * size - weight_ * (squared * size + kept.lengths[k]);
            }
            room.ties[k] = {static_cast<std::int32_t>(k), sum};
            nearest = std::min(nearest, squared - 2 * product / size + lengths_[k]);
          }
          const double self =
              2 * squared + (weight_ != 0 ? kept.level - 2 * weight_ * squared : 0.0);
          visit(i, {room.ties, self, 0, portable_log(std::max(nearest, kLeastSquared)) / 2});
        });
  }

 private:
  const Model& model_;
  Members members_;
  double weight_;
  std::vector<double> of_centre_;  // sums . centre
  std::vector<double> lengths_;    // squared, of the clusters' mean rows
};

class CosineAffinity final : public Affinity {
 public:
  explicit CosineAffinity(const Model& model)
      : model_(model),
        members_(model),
        squared_centre_(dot(model.sums.centre.data(), model.sums.centre.data(), model.columns)) {
    const Result& result = model.result;
    const ClusterSums& kept = model.sums;
    for (std::size_t k = 0; k < result.sizes.size(); ++k) {
      const double size = members_.sizes[k];
      const double* sum = &kept.sums[k * model.columns];
      const double of_centre = dot(sum, kept.centre.data(), model.columns);
      lengths_.push_back(std::sqrt(dot(sum, sum, model.columns)));
      shift_.push_back(is_adaptive(result) ? of_centre - size * squared_centre_
                                           : size * result.shift_constant.value_or(0));
    }
  }

  void each(const Rows& rows, ThreadTeam& team, const Control& /*control*/,
            const RowVisit& visit) const override {
    const Result& result = model_.result;
    const std::size_t clusters = shift_.size();
    for_each_row(
        row_count(rows), team, [&] { return Room{ProductRow(model_), {}}; },
        [&](std::size_t i, Room& room) {
          room.row.read(rows, i);
          const bool is_zero = !(room.row.squared_length() > 0);
          room.row.make_unit();
          const double mean = is_adaptive(result) ? room.row.times(model_.sums.centre.data()) : 0;
          room.ties.resize(clusters);
          double cosine = -1;
          for (std::size_t k = 0; k < clusters; ++k) {
            const double size = members_.sizes[k];
            const double product = room.row.times(&model_.sums.sums[k * model_.columns]);
            room.ties[k] = {static_cast<std::int32_t>(k),
                            product - result.shift_strength * (mean * size + shift_[k])};
            cosine = std::max(cosine, lengths_[k] > 0 ? product / lengths_[k] : 0.0);
          }
          const double of_self =
              is_adaptive(result) ? 2 * mean - squared_centre_ : result.shift_constant.value_or(0);
          visit(i, {room.ties, (is_zero ? 0.0 : 1.0) - result.shift_strength * of_self, 0,
                    1 - cosine});
        });
  }

 private:
  const Model& model_;
  Members members_;
  double squared_centre_;
  std::vector<double> lengths_;  // of the clusters' sums
  std::vector<double> shift_;    // of each cluster, without strength and the new row's mean
};

}  // namespace

ClusterSums product_sums(const Model& model, const Rows& nodes, ThreadTeam& team) {
  const Result& result = model.result;
  const Members members(model);
  const std::size_t n = members.size();
  const std::size_t d = model.columns;
  const std::size_t clusters = result.sizes.size();
  ClusterSums kept;
  kept.sums = sum_over_row_chunks(
      n, d, clusters * d, team, [&](std::size_t begin, std::size_t end, double* sums) {
        ProductRow row(model);
        for (std::size_t i = begin; i < end; ++i) {
          row.read(nodes, i);
          if (!is_linear(model)) {
            row.make_unit();
          }
          row.add_to(sums + static_cast<std::size_t>(members.labels[i]) * d, members.weight(i));
        }
      });
  kept.centre.assign(d, 0.0);
  for (std::size_t k = 0; k < clusters; ++k) {
    add_scaled(kept.centre.data(), 1 / members.all, &kept.sums[k * d], d);
  }
  if (!is_linear(model)) {
    return kept;
  }
  for (std::size_t k = 0; k < clusters; ++k) {
    add_scaled(&kept.sums[k * d], -members.sizes[k], kept.centre.data(), d);
  }
  kept.lengths.assign(clusters, 0.0);
  if (length_weight(result) != 0) {
    kept.lengths = sum_over_row_chunks(
        n, d, clusters, team, [&](std::size_t begin, std::size_t end, double* sums) {
          ProductRow row(model);
          for (std::size_t i = begin; i < end; ++i) {
            row.read(nodes, i);
            sums[members.labels[i]] += members.weight(i) * row.from_centre(kept.centre);
          }
        });
    kept.level = level_of(model, members, kept);
  }
  return kept;
}

std::unique_ptr<Affinity> product_affinity(const Model& model) {
  if (is_linear(model)) {
    return std::make_unique<LinearAffinity>(model);
  }
  return std::make_unique<CosineAffinity>(model);
}

}  // namespace shiftcut
