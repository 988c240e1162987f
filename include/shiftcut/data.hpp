// The data of a run: numbers as a dense array or as sparse rows, and what they mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "shiftcut/message.hpp"
#include "shiftcut/neighbors.hpp"

namespace shiftcut {

/// A row-major matrix of float or double: owned, or borrowed from the caller.
/// Copies share the numbers; nobody writes to them.
class DenseArray {
 public:
  DenseArray() = default;

  /// Takes the numbers over. Throws std::invalid_argument if `values` is not rows x columns long.
  static DenseArray own(std::vector<double> values, std::size_t rows, std::size_t columns);
  static DenseArray own(std::vector<float> values, std::size_t rows, std::size_t columns);

  /// Refers to the caller's numbers; `keep_alive` is held as long as any copy lives.
  static DenseArray borrow(const double* values, std::size_t rows, std::size_t columns,
                           std::shared_ptr<const void> keep_alive = nullptr);
  static DenseArray borrow(const float* values, std::size_t rows, std::size_t columns,
                           std::shared_ptr<const void> keep_alive = nullptr);

  /// Rows that are fetched one at a time, as from a file: `fetch` writes the numbers of a row and
  /// is called from several threads. Only for distinct rows whose neighbours are known
  /// (Input::neighbors), with their scaling.
  using Fetch = std::function<void(std::size_t row, double* out)>;
  static DenseArray fetched(Fetch fetch, std::size_t rows, std::size_t columns);

  /// The rows `order` names, in its order: rows may be left out. The numbers are not copied.
  [[nodiscard]] DenseArray with_rows(std::vector<std::uint32_t> order) const;

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] bool is_float32() const { return f32_ != nullptr; }
  /// The first number; all others follow unless the array is one of with_rows().
  [[nodiscard]] const float* f32() const { return f32_; }
  [[nodiscard]] const double* f64() const { return f64_; }
  [[nodiscard]] const float* f32_row(std::size_t row) const { return f32_ + start(row); }
  [[nodiscard]] const double* f64_row(std::size_t row) const { return f64_ + start(row); }
  [[nodiscard]] bool is_fetched() const { return fetch_ != nullptr; }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const {
    const std::size_t i = start(row) + column;
    return f32_ != nullptr   ? static_cast<double>(f32_[i])
           : f64_ != nullptr ? f64_[i]
                             : fetched_at(row, column);
  }
  /// Writes a row of fetched ones.
  void fetch_row(std::size_t row, double* out) const;

 private:
  [[nodiscard]] std::size_t start(std::size_t row) const {
    return (order_ != nullptr ? order_[row] : row) * columns_;
  }

  [[nodiscard]] double fetched_at(std::size_t row, std::size_t column) const;

  const float* f32_ = nullptr;
  const double* f64_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  const std::uint32_t* order_ = nullptr;  // null: rows as they lie
  std::shared_ptr<const void> keep_alive_;
  std::shared_ptr<const Fetch> fetch_;  // null: the numbers are in memory
};

/// Compressed sparse rows: row i holds columns[offsets[i]] .. columns[offsets[i + 1] - 1], in
/// ascending order, each column at most once. A graph is a square symmetric one: an edge is stored
/// in both rows, a self-loop once.
struct SparseMatrix {
  std::size_t rows = 0;
  std::size_t columns_count = 0;
  std::vector<std::int64_t> offsets;  // rows + 1 of them
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
};

/// One cell of a matrix given as a list.
struct Entry {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  double value = 0;
};

/// Sorts the entries into rows, adding up those that name the same cell. Throws
/// std::invalid_argument for an entry outside.
SparseMatrix sparse_from_entries(std::vector<Entry> entries, std::size_t rows, std::size_t columns);

/// What the numbers mean.
enum class Shape { features, similarity, distance, graph };

/// One data set: n objects as rows of features, an n x n matrix, or a graph of n nodes.
struct Input {
  std::variant<DenseArray, SparseMatrix> values;
  Shape shape = Shape::features;
  std::vector<std::string> ids;           // of the objects; empty: they are 0 .. n-1
  std::vector<std::string> column_names;  // of the features; may be empty
  std::vector<std::int32_t> truth;        // known classes to score against; may be empty
  std::vector<std::string> truth_names;   // class c of `truth` is truth_names[c]
  std::vector<std::int32_t> groups;       // of a column held out, -1 where empty; may be empty
  std::vector<double> weights;            // of rows of features, 0 or more; empty: 1 each
  /// Of the distinct rows of features, in the order of blocks.hpp, if they have been searched for
  /// already; null: run() searches.
  std::shared_ptr<const KnownNeighbors> neighbors;
  std::vector<Message> notes;  // about reading (cells filled in, ...)
  std::string name = "input";  // for messages: the file's path
  bool checked = false;        // by read_input(), so that run() need not check again

  [[nodiscard]] std::size_t objects() const;
};

}  // namespace shiftcut
