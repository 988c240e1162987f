// Whether the parts of a model that was read fit together: a file may have been altered by somebody
// who also set its checksum.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "input/bytes/reject.hpp"
#include "run/predict/model_file.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kMostObjects = std::numeric_limits<std::uint32_t>::max() - 1;
constexpr std::size_t kMostNeighbors = 1000;

bool are_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

class Check {
 public:
  Check(const Model& model, const std::string& name) : model_(model), name_(name) {}

  void all() {
    grouping();
    find_nodes();
    words();
    data();
    options();
    table();
    if (model_.result.similarity == "neighbors") {
      neighbors();
    } else if (model_.result.similarity == "linear" && model_.result.distance != "euclidean") {
      sums(true);
    } else if (model_.result.similarity == "cosine") {
      sums(false);
    } else {
      pairs();
    }
    strengths();
  }

 private:
  void require(bool holds, const char* what) const {
    if (!holds) {
      reject(name_, std::string("found ") + what +
                        " that contradict each other; allowed: a model "
                        "as it was saved");
    }
  }

  [[nodiscard]] std::size_t objects() const { return model_.result.labels.size(); }
  [[nodiscard]] std::size_t clusters() const { return model_.result.sizes.size(); }

  void grouping() const {
    const Result& result = model_.result;
    require(objects() >= 1 && objects() <= kMostObjects && result.objects == objects() &&
                clusters() >= 1 && clusters() <= objects() && result.clusters_found == clusters(),
            "labels and sizes");
    std::vector<std::size_t> sizes(clusters(), 0);
    for (const std::int32_t label : result.labels) {
      require(label >= 0 && static_cast<std::size_t>(label) < clusters(), "labels and sizes");
      ++sizes[static_cast<std::size_t>(label)];
    }
    require(sizes == result.sizes, "labels and sizes");
  }

  // Every node has rows, all in one cluster.
  void find_nodes() {
    if (model_.node_of.empty()) {
      nodes_ = objects();
      require(model_.weights.empty(), "weights and rows");
      return;
    }
    require(model_.shape == Shape::features && model_.node_of.size() == objects(),
            "nodes and objects");
    std::vector<std::int32_t> labels;
    for (std::size_t row = 0; row < objects(); ++row) {
      const std::uint32_t node = model_.node_of[row];
      if (node == kNobody) {
        continue;
      }
      require(node < objects(), "nodes and objects");
      labels.resize(std::max<std::size_t>(labels.size(), node + std::size_t{1}), -1);
      const std::int32_t label = model_.result.labels[row];
      require(labels[node] < 0 || labels[node] == label, "nodes and labels");
      labels[node] = label;
    }
    nodes_ = labels.size();
    require(nodes_ >= 1 && std::ranges::find(labels, -1) == labels.end(), "nodes and objects");
    const auto is_positive = [](double weight) { return weight > 0 && std::isfinite(weight); };
    require(model_.weights.empty() || (model_.weights.size() == nodes_ &&
                                       std::ranges::all_of(model_.weights, is_positive)),
            "weights and nodes");
  }

  void words() const {
    const Result& r = model_.result;
    const auto is_one_of = [](const std::string& word, std::initializer_list<const char*> words) {
      return std::ranges::find(words, word) != words.end();
    };
    const bool is_features = model_.shape == Shape::features;
    require(is_one_of(r.shift_kind, {"adaptive", "degree", "constant", "none", "linkage"}) &&
                std::isfinite(r.shift_strength) && std::isfinite(r.shift_constant.value_or(0)),
            "shifts");
    const bool is_matrix = !model_.is_sparse && model_.shape != Shape::graph;
    require(is_features
                ? is_one_of(r.similarity, {"linear", "cosine", "rbf", "neighbors"})
                : r.similarity == "precomputed" || (is_matrix && r.similarity == "neighbors"),
            "similarities");
    const std::optional<Metric> metric = from_word<Metric>(r.metric);
    require(is_features && r.similarity == "neighbors"
                ? metric && metric != Metric::automatic &&
                      (!model_.is_sparse || metric == Metric::cosine || metric == Metric::jaccard)
                : r.metric.empty(),
            "metrics");
    require(r.similarity == "linear" ? is_one_of(r.distance, {"sqeuclidean", "euclidean"})
                                     : r.distance.empty(),
            "distances");
    require(!model_.is_sparse || !(r.similarity == "rbf" || r.distance == "euclidean" ||
                                   model_.shape == Shape::distance),
            "similarities and rows");
    require(model_.options.similarity.weights != Weights::log_odds ||
                (!is_features && model_.is_sparse),
            "weights and data");
    require(r.shift_kind != "linkage" || model_.options.similarity.weights == Weights::log_odds,
            "shifts and weights");
  }

  void data() const {
    const FeatureScaling& scaling = model_.result.scaling;
    const bool is_features = model_.shape == Shape::features;
    require(model_.columns >= 1 && model_.columns <= kMostObjects &&
                (is_features || model_.columns == objects()),
            "columns and objects");
    const std::size_t scaled = is_features && !model_.is_sparse ? model_.columns : 0;
    require(scaling.offset.size() == scaled && scaling.factor.size() == scaled &&
                are_finite(scaling.offset) && are_finite(scaling.factor),
            "columns and their scaling");
    require(model_.ids.empty() || model_.ids.size() == objects(), "ids and objects");
    require(model_.column_names.empty() || model_.column_names.size() == model_.columns,
            "columns and their names");
    if (!model_.rows) {
      return;
    }
    require(is_features && std::holds_alternative<SparseMatrix>(*model_.rows) == model_.is_sparse,
            "rows and their kind");
    if (model_.is_sparse) {
      sparse_rows(std::get<SparseMatrix>(*model_.rows));
    } else {
      const auto& dense = std::get<DenseArray>(*model_.rows);
      require(dense.rows() == nodes_ && dense.columns() == model_.columns, "rows and objects");
      for (std::size_t i = 0; i < dense.rows(); ++i) {
        for (std::size_t j = 0; j < dense.columns(); ++j) {
          require(std::isfinite(dense.at(i, j)), "rows and numbers");
        }
      }
    }
  }

  void sparse_rows(const SparseMatrix& rows) const {
    require(rows.rows == nodes_ && rows.columns_count == model_.columns &&
                rows.offsets.size() == rows.rows + 1 && rows.offsets.front() == 0 &&
                std::ranges::is_sorted(rows.offsets) &&
                rows.offsets.back() == static_cast<std::int64_t>(rows.columns.size()) &&
                rows.values.size() == rows.columns.size() && are_finite(rows.values),
            "sparse rows");
    for (std::size_t i = 0; i < rows.rows; ++i) {
      for (auto e = rows.offsets[i]; e < rows.offsets[i + 1]; ++e) {
        const auto at = static_cast<std::size_t>(e);
        require(rows.columns[at] < rows.columns_count &&
                    (e == rows.offsets[i] || rows.columns[at - 1] < rows.columns[at]),
                "sparse rows");
      }
    }
  }

  void options() const {
    const Options& o = model_.options;
    require(o.similarity.neighbors <= kMostNeighbors &&
                (!o.similarity.sigma || *o.similarity.sigma > 0),
            "options");
    for (const auto* pairs : {&o.links.must_link, &o.links.cannot_link}) {
      for (const ObjectPair& pair : *pairs) {
        require(pair.a < objects() && pair.b < objects() && pair.weight > 0, "pairs and objects");
      }
    }
    require(o.links.one_per_cluster.empty() || o.links.one_per_cluster.size() == objects(),
            "groups and objects");
    require(!model_.result.learned || model_.result.learned->weights.size() == model_.columns,
            "learned weights and columns");
  }

  void table() const {
    if (model_.encoding == nullptr) {
      return;
    }
    require(model_.shape == Shape::features && !model_.is_sparse, "tables and data");
    std::size_t width = 0;
    for (const ColumnEncoding& column : model_.encoding->columns) {
      width += column.width();
      require(std::isfinite(column.median) && std::ranges::is_sorted(column.categories) &&
                  (column.kind != ColumnEncoding::Kind::text ||
                   column.mode < column.categories.size()) &&
                  column.position < model_.encoding->width,
              "columns of the table");
    }
    require(width == model_.columns, "columns of the table");
  }

  void neighbors() const {
    require(
        model_.rows.has_value() == (model_.shape == Shape::features) && model_.neighbors != nullptr,
        "neighbours and rows");
    const NeighborTable& table = *model_.neighbors;
    const bool has_distances = model_.options.similarity.weights == Weights::gaussian;
    require(table.objects == nodes_ && table.places < nodes_ && table.places <= kMostNeighbors &&
                table.ids.size() == table.objects * table.places &&
                table.squared.size() == (has_distances ? table.ids.size() : 0),
            "neighbours and objects");
    for (std::size_t i = 0; i < table.objects; ++i) {
      bool has_ended = false;
      for (std::size_t e = i * table.places; e < (i + 1) * table.places; ++e) {
        has_ended = has_ended || table.ids[e] == kNobody;
        require(has_ended ? table.ids[e] == kNobody : table.ids[e] < nodes_,
                "neighbours and objects");
        require(has_ended || !has_distances || table.squared[e] >= 0, "neighbours and distances");
      }
    }
  }

  void sums(bool has_lengths) const {
    const ClusterSums& kept = model_.sums;
    require(kept.sums.size() == clusters() * model_.columns &&
                kept.centre.size() == model_.columns &&
                kept.lengths.size() == (has_lengths ? clusters() : 0),
            "sums and clusters");
  }

  void pairs() const {
    const bool is_rbf = model_.result.similarity == "rbf";
    require(
        model_.pairs.means.size() == nodes_ && model_.pairs.widths.size() == (is_rbf ? nodes_ : 0),
        "means and objects");
    require(model_.shape != Shape::features || model_.rows.has_value(), "rows and similarities");
  }

  void strengths() const {
    const MarginScale& scale = model_.scale;
    const Strengths& of = model_.strengths;
    const auto is_cluster = [&](std::int32_t k) {
      return k >= 0 && static_cast<std::size_t>(k) < clusters();
    };
    const auto is_share = [](double value) { return value >= 0 && value <= 1; };
    require(model_.reach.empty() ||
                (model_.neighbors != nullptr && model_.reach.size() == nodes_ &&
                 std::ranges::all_of(model_.reach, [](double r) { return r >= 0; })),
            "neighbours and their distances");
    require(std::isfinite(scale.mean_margin) && scale.unit >= 0 && std::isfinite(scale.unit) &&
                std::isfinite(scale.middle) && scale.fence > scale.middle &&
                scale.own.size() == clusters() && are_finite(scale.own) &&
                scale.rivals.size() == clusters() && std::ranges::all_of(scale.rivals, is_cluster),
            "clusters and margins");
    require(of.strength.size() == objects() && of.outlier.size() == objects() &&
                of.offsets.size() == objects() + 1 && of.offsets.front() == 0 &&
                std::ranges::is_sorted(of.offsets) && of.offsets.back() == of.clusters.size() &&
                of.probabilities.size() == of.clusters.size() &&
                std::ranges::all_of(of.strength, is_share) &&
                std::ranges::all_of(of.outlier, is_share) &&
                std::ranges::all_of(of.probabilities, is_share) &&
                std::ranges::all_of(of.clusters, is_cluster),
            "strengths and objects");
  }

  const Model& model_;
  const std::string& name_;
  std::size_t nodes_ = 0;
};

}  // namespace

void check_model(const Model& model, const std::string& name) { Check(model, name).all(); }

}  // namespace shiftcut
