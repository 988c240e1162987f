// From new rows to clusters: see model.hpp.
#include <algorithm>
#include <cmath>

#include "core/message.hpp"
#include "core/thread_team.hpp"
#include "run/predict/affinity.hpp"
#include "run/predict/strength.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

namespace {

[[noreturn]] void refuse_value(std::size_t row, double value) {
  refuse("bad_input", "", "new rows: found {} in row {}; allowed: finite numbers", value, row);
}

void check(const DenseArray& rows) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < rows.columns(); ++j) {
      if (!std::isfinite(rows.at(i, j))) {
        refuse_value(i, rows.at(i, j));
      }
    }
  }
}

void check(const SparseMatrix& rows) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    for (auto e = static_cast<std::size_t>(rows.offsets[i]);
         e < static_cast<std::size_t>(rows.offsets[i + 1]); ++e) {
      if (rows.columns[e] >= rows.columns_count) {
        refuse("bad_input", "", "new rows: found column {}; allowed: below {}", rows.columns[e],
               rows.columns_count);
      }
      if (!std::isfinite(rows.values[e])) {
        refuse_value(i, rows.values[e]);
      }
    }
  }
}

DenseArray as_dense(const SparseMatrix& rows) {
  std::vector<double> values(rows.rows * rows.columns_count, 0.0);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    for (auto e = static_cast<std::size_t>(rows.offsets[i]);
         e < static_cast<std::size_t>(rows.offsets[i + 1]); ++e) {
      values[i * rows.columns_count + rows.columns[e]] = rows.values[e];
    }
  }
  return DenseArray::own(std::move(values), rows.rows, rows.columns_count);
}

SparseMatrix as_sparse(const DenseArray& rows) {
  SparseMatrix out;
  out.rows = rows.rows();
  out.columns_count = rows.columns();
  out.offsets.push_back(0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < rows.columns(); ++j) {
      if (const double value = rows.at(i, j); value != 0) {
        out.columns.push_back(static_cast<std::uint32_t>(j));
        out.values.push_back(value);
      }
    }
    out.offsets.push_back(static_cast<std::int64_t>(out.values.size()));
  }
  return out;
}

// Sparse where the training rows were, else dense; `room` holds what had to be converted.
const Rows& fitting(const Rows& rows, const Model& model, Rows& room) {
  std::visit([](const auto& values) { check(values); }, rows);
  const auto* dense = std::get_if<DenseArray>(&rows);
  const std::size_t columns =
      dense != nullptr ? dense->columns() : std::get<SparseMatrix>(rows).columns_count;
  if (columns != model.columns) {
    refuse("bad_input", "", "new rows: found {} columns; allowed: {}, {}", columns, model.columns,
           model.shape == Shape::features ? "as in training" : "one for each training object");
  }
  if (model.is_sparse == (dense == nullptr)) {
    return rows;  // NOLINT(bugprone-return-const-ref-from-parameter)
  }
  if (dense != nullptr) {
    room = as_sparse(*dense);
  } else {
    room = as_dense(std::get<SparseMatrix>(rows));
  }
  return room;
}

}  // namespace

SimilarityOptions as_used(SimilarityOptions options, const Result& result) {
  if (options.kind == Similarity::automatic) {
    options.kind = from_word<Similarity>(result.similarity).value_or(Similarity::automatic);
  }
  if (options.metric == Metric::automatic) {
    options.metric = from_word<Metric>(result.metric).value_or(Metric::automatic);
  }
  if (options.scale == Scale::automatic) {
    options.scale = from_word<Scale>(result.scale).value_or(Scale::automatic);
  }
  return options;
}

Members::Members(const Model& model) : weights(model.weights), sizes(model.result.sizes.size()) {
  const std::vector<std::int32_t>& of_rows = model.result.labels;
  if (model.node_of.empty()) {
    labels = of_rows;
  }
  for (std::size_t row = 0; row < model.node_of.size(); ++row) {
    const std::uint32_t node = model.node_of[row];
    if (node != kNobody) {
      labels.resize(std::max<std::size_t>(labels.size(), node + std::size_t{1}));
      labels[node] = of_rows[row];
    }
  }
  for (std::size_t node = 0; node < labels.size(); ++node) {
    sizes[static_cast<std::size_t>(labels[node])] += weight(node);
    all += weight(node);
  }
}

double constant_shift(const Result& result) {
  return result.shift_kind == "constant" || result.shift_kind == "linkage"
             ? result.shift_strength * result.shift_constant.value_or(0)
             : 0;
}

MeanShift::MeanShift(const Result& result, const Members& members, std::span<const double> means)
    : sizes_(members.sizes),
      is_adaptive_(result.shift_kind == "adaptive"),
      is_degree_(result.shift_kind == "degree"),
      strength_(result.shift_strength),
      constant_(constant_shift(result)),
      in_cluster_(result.sizes.size(), 0.0) {
  double sum = 0;
  for (std::size_t i = 0; i < means.size(); ++i) {
    in_cluster_[static_cast<std::size_t>(members.labels[i])] += members.weight(i) * means[i];
    sum += members.weight(i) * means[i];
  }
  mean_ = means.empty() ? 0 : sum / members.all;
}

std::unique_ptr<Affinity> affinity_of(const Model& model, ThreadTeam& team) {
  if (model.result.similarity == "neighbors") {
    return neighbor_affinity(model, team);
  }
  const bool is_of_pairs = model.shape != Shape::features || model.result.similarity == "rbf" ||
                           model.result.distance == "euclidean";
  return is_of_pairs ? pair_affinity(model, team) : product_affinity(model);
}

class Predictor::Prepared {
 public:
  Prepared(std::shared_ptr<const Model> given, int threads, const Control& control)
      : model(std::move(given)) {
    ThreadTeam team(threads);
    StopCheck stop(control, Clock::now(), 0);
    const StopScope scope(team, stop);
    affinity = affinity_of(*model, team);
  }

  std::shared_ptr<const Model> model;
  std::unique_ptr<Affinity> affinity;
};

Predictor::Predictor(std::shared_ptr<const Model> model, int threads, const Control& control)
    : prepared_(std::make_unique<Prepared>(std::move(model), threads, control)) {}

Predictor::~Predictor() = default;
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(Predictor&&) noexcept = default;

const Model& Predictor::model() const { return *prepared_->model; }

std::vector<double> Predictor::affinities(const Rows& rows, int threads,
                                          const Control& control) const {
  Rows room;
  const Rows& checked = fitting(rows, model(), room);
  ThreadTeam team(threads);
  StopCheck stop(control, Clock::now(), 0);
  const StopScope scope(team, stop);
  const std::size_t clusters = model().result.sizes.size();
  std::vector<double> out(row_count(checked) * clusters);
  prepared_->affinity->each(checked, team, control, [&](std::size_t i, const SeenRow& row) {
    for (const ClusterTie& tie : row.ties) {
      out[i * clusters + static_cast<std::size_t>(tie.cluster)] = tie.affinity;
    }
  });
  return out;
}

std::vector<std::int32_t> Predictor::predict(const Rows& rows, int threads,
                                             const Control& control) const {
  const std::vector<double> all = affinities(rows, threads, control);
  const std::size_t clusters = model().result.sizes.size();
  std::vector<std::int32_t> labels(all.size() / clusters);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = all.begin() + static_cast<std::ptrdiff_t>(i * clusters);
    labels[i] = static_cast<std::int32_t>(
        std::max_element(row, row + static_cast<std::ptrdiff_t>(clusters)) - row);
  }
  return labels;
}

Prediction Predictor::judge(const Rows& rows, int threads, const Control& control) const {
  Rows room;
  const Rows& checked = fitting(rows, model(), room);
  ThreadTeam team(threads);
  StopCheck stop(control, Clock::now(), 0);
  const StopScope scope(team, stop);
  const std::size_t n = row_count(checked);
  Prediction out;
  out.labels.resize(n);
  std::vector<Judge::Verdict> verdicts(n);
  const Judge judge(model());
  prepared_->affinity->each(checked, team, control, [&](std::size_t i, const SeenRow& row) {
    out.labels[i] = std::ranges::max_element(row.ties, {}, &ClusterTie::affinity)->cluster;
    SeenRow as_new = row;
    as_new.self = 0;
    verdicts[i] = judge.of(standing_of(as_new, out.labels[i]));
  });
  for (const Judge::Verdict& verdict : verdicts) {
    append(out.strengths, verdict);
  }
  return out;
}

void leave_out_outliers(Prediction& prediction) {
  for (std::size_t i = 0; i < prediction.labels.size(); ++i) {
    if (prediction.strengths.outlier[i] > kOutlierLevel) {
      prediction.labels[i] = -1;
    }
  }
}

}  // namespace shiftcut
