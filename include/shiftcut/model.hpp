// A grouping that takes in new rows: what a run found, and what is needed to assign rows that were
// not there.
//
// A new object o joins the cluster of largest affinity, the sum of S_oj over the members j, where
// S_oj = x_oj - strength * alpha_oj. Under the adaptive shift alpha_oj = m_o + m_j - m: m_o is the
// mean of the new object's similarities to the training objects, m_j and m are those of the run, so
// that new objects change nothing of the grouping. In a neighbour graph a new row is joined to its
// nearest training rows; a row equal to a training row has that row's edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/encoding.hpp"
#include "shiftcut/neighbors.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/read.hpp"
#include "shiftcut/result.hpp"
#include "shiftcut/strength.hpp"

namespace shiftcut {

using Rows = std::variant<DenseArray, SparseMatrix>;

/// Under linear and cosine similarities the sums over each cluster's rows are all that is needed.
struct ClusterSums {
  std::vector<double> sums;     // clusters x columns
  std::vector<double> centre;   // the mean row
  std::vector<double> lengths;  // linear: the sum of squared lengths in each cluster
  double level = 0;             // linear: what every pair earns on top; NaN if not known
};

/// Where similarities to all training objects are computed or given.
struct PairMeans {
  std::vector<double> means;   // of each node's similarities
  std::vector<double> widths;  // under rbf: each node's own
  double largest = 0;          // of distances: x = largest - distance
};

struct Model {
  Options options;  // of the run, without a shift matrix
  Result result;
  Shape shape = Shape::features;
  bool is_sparse = false;   // the training rows were
  std::size_t columns = 0;  // of a new row; for a matrix or graph: the number of training objects
  std::vector<std::string> ids;                    // of the nodes of a graph; may be empty
  std::vector<std::string> column_names;           // of encoded features; may be empty
  std::shared_ptr<const TableEncoding> encoding;   // of a table; may be null
  std::shared_ptr<const NeighborTable> neighbors;  // of features under neighbors; else null
  /// The distinct training rows, of features, are the nodes of the model: the node of each row,
  /// kNobody for rows of weight 0 that no other equals; empty: every row is a node, in its place.
  std::vector<std::uint32_t> node_of;
  std::vector<double> weights;  // of the nodes; empty: 1 each
  std::optional<Rows> rows;     // of the nodes, where new rows need them
  ClusterSums sums;
  PairMeans pairs;
  std::vector<double>
      reach;  // of each node under neighbors: the distance to the last; may be empty
  MarginScale scale;
  Strengths strengths;  // of the training objects
};

/// New rows in their clusters.
struct Prediction {
  std::vector<std::int32_t> labels;
  Strengths strengths;
};

/// What reading and running leave for a model; either may be null.
struct Kept {
  std::shared_ptr<const NeighborTable> neighbors;  // of run(); null: they are searched for again
  std::shared_ptr<const TableEncoding> encoding;   // of read_training()
};

/// Keeps of run(input, options) = result what new rows need. The rows are shared with `input`, not
/// copied. O(n^2 d) for similarities that need an n x n matrix. Throws std::invalid_argument for a
/// shift matrix, which says nothing of new objects.
Model make_model(const Input& input, const Options& options, const Result& result, Kept kept = {},
                 const Control& control = {});

/// Assigns new rows to the clusters of a model. What follows from the model alone is computed once.
class Predictor {
 public:
  /// `threads` as in SearchOptions. Throws Interrupted if asked to stop.
  explicit Predictor(std::shared_ptr<const Model> model, int threads = 0,
                     const Control& control = {});
  ~Predictor();
  Predictor(Predictor&&) noexcept;
  Predictor& operator=(Predictor&&) noexcept;
  Predictor(const Predictor&) = delete;
  Predictor& operator=(const Predictor&) = delete;

  /// Of each row to each cluster. Rows have the model's columns, unscaled: features; for a matrix
  /// or graph, the similarity (or distance) of the new object to each training object. The same for
  /// any number of threads. Throws std::invalid_argument for rows that do not fit the model.
  [[nodiscard]] std::vector<double> affinities(const Rows& rows, int threads = 0,
                                               const Control& control = {}) const;

  /// The cluster of largest affinity, the first of equals.
  [[nodiscard]] std::vector<std::int32_t> predict(const Rows& rows, int threads = 0,
                                                  const Control& control = {}) const;

  /// The same, and how sure that is. A row far from all training rows gets a low strength and an
  /// outlier score above kOutlierLevel.
  [[nodiscard]] Prediction judge(const Rows& rows, int threads = 0,
                                 const Control& control = {}) const;

  [[nodiscard]] const Model& model() const;

 private:
  class Prepared;
  std::unique_ptr<Prepared> prepared_;
};

/// Outliers get the label -1.
void leave_out_outliers(Prediction& prediction);

/// Reads new rows for a model: tables with its columns, encoded as in training (see read_like());
/// for a matrix or graph one row per new object, or an edge list of new nodes to nodes of the
/// model. Throws what read_input() does.
Input read_new_rows(const std::string& path, const ReadOptions& options, const Model& model,
                    const Control& control = {});

/// The model as the bytes of a file.
std::string model_bytes(const Model& model);

/// Reads such bytes; `name` stands for them in messages. Throws std::invalid_argument where they
/// are no model, of another version, incomplete or altered.
Model model_from_bytes(std::string_view bytes, const std::string& name);

/// Reads a file; throws std::runtime_error if it can't be read, and as model_from_bytes().
Model read_model(const std::string& path, const Control& control = {});

}  // namespace shiftcut
