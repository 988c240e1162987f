// From a file (or standard input) to an Input.
#pragma once

#include <string>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut {

enum class Format { automatic, csv, tsv, npy, mtx, edges };
enum class ShapeChoice { automatic, features, similarity, distance, graph };

/// How to read a file. Every option that names columns is for tables (CSV, TSV) only.
struct ReadOptions {
  Format format = Format::automatic;           // by the name's ending, ".gz" after it allowed
  ShapeChoice shape = ShapeChoice::automatic;  // table, NPY: features; MTX array: similarity;
                                               // MTX coordinate, edges: graph
  std::string label_column;                    // held out as the truth
  std::vector<std::string> drop;               // ignored
  std::vector<std::string> categorical;        // numbers that are codes: one-hot encoded
  bool header = true;                          // the table's first line names its columns
};

/// Reads `path` ("-": standard input, which needs a format). Throws std::invalid_argument for a
/// malformed file or an option that does not fit it, with one line that names the file, the line
/// and column, what was found and what is allowed; std::runtime_error if the file can't be read.
Input read_input(const std::string& path, const ReadOptions& options = {},
                 const Control& control = {});

/// What `shiftcut info` tells: a few readable lines on the file as read_input() reads it.
std::string describe(const Input& input);

/// A column of labels. `ids` is empty where the file names none.
struct LabelFile {
  std::vector<std::string> ids;
  std::vector<std::string> labels;
};

/// Reads labels: a CSV with a column `label` (and perhaps `id`), or one label a line.
LabelFile read_labels(const std::string& path);

}  // namespace shiftcut
