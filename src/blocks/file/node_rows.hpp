// The distinct rows of a file ("nodes") in a temporary file, in the order of blocks.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/spill_file.hpp"
#include "shiftcut/blocks.hpp"

namespace shiftcut {

/// Throws Interrupted.
void stop_if_asked(const Control& control);

/// How many rows of this many bytes are held at a time, under a limit on memory: a small part of
/// it. Changes no result.
std::size_t rows_together(std::size_t limit, std::size_t row_bytes);

/// Rows of equal length, one after another.
class RowFile {
 public:
  RowFile() = default;
  RowFile(std::size_t columns, bool is_float32) : columns_(columns), is_float32_(is_float32) {}

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] bool is_float32() const { return is_float32_; }
  [[nodiscard]] std::size_t row_bytes() const {
    return columns_ * (is_float32_ ? sizeof(float) : sizeof(double));
  }

  /// Rows of the same type. Returns the place of the first.
  std::uint64_t append(const DenseArray& rows, std::span<const std::uint32_t> which);

  /// The rows of these stretches, one after another.
  struct Stretch {
    std::uint64_t place = 0;
    std::size_t rows = 0;
  };
  /// After rows of `before`, if there are any.
  [[nodiscard]] DenseArray read(std::span<const Stretch> stretches,
                                const DenseArray* before = nullptr,
                                std::span<const std::uint32_t> which = {}) const;
  /// As float64.
  void read_row(std::uint64_t place, double* out) const;

 private:
  SpillFile file_;
  std::size_t columns_ = 0;
  bool is_float32_ = false;
};

/// What a file holds, without its rows.
struct FileFacts {
  BlockFacts facts;
  std::size_t columns = 0;
  std::size_t row_bytes = 0;
  SimilarityOptions similarity;  // neighbours, under the metric that is chosen for the file
  std::vector<Message> notes;
};

/// Reads the file once, and again where the choice of the similarity needs it.
FileFacts facts_of_file(const std::string& path, const Options& options, std::size_t limit,
                        const Control& control);

struct NodeRows {
  std::size_t rows = 0;   // of the file
  std::size_t count = 0;  // of nodes
  RowFile values;         // of nodes, by number
  bool repeat = false;    // whether a node stands for several rows
  SpillFile counts;       // of rows: uint32 for each node
  SpillFile places;       // pairs of uint32, a row and its node, of all rows
  std::uint64_t fingerprint = 0;

  [[nodiscard]] DenseArray read(std::size_t first, std::size_t last) const;
  /// Node s * count / `wanted` for each s below `wanted`.
  [[nodiscard]] DenseArray sample(std::size_t wanted) const;
  /// The same, not held in memory; refers to this.
  [[nodiscard]] DenseArray fetched_sample(std::size_t wanted) const;
  /// Empty where no row repeats.
  [[nodiscard]] std::vector<double> weights(std::size_t first, std::size_t last) const;
};

NodeRows nodes_of_file(const std::string& path, const FileFacts& facts, std::size_t limit,
                       int threads, const Control& control);

/// The label of each row, and the first row of each of the nodes named.
struct RowLabels {
  std::vector<std::int32_t> labels;
  std::vector<std::size_t> first_rows;
};

RowLabels labels_of_rows(const NodeRows& nodes, std::span<const std::int32_t> of_nodes,
                         std::span<const std::size_t> named);

}  // namespace shiftcut
