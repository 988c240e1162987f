// From a file (or standard input) to an Input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/feedback.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

enum class Format { automatic, csv, tsv, npy, mtx, edges, npz, metis, parquet, arrow };
enum class ShapeChoice { automatic, features, similarity, distance, graph };

/// How to read a file. Options that name columns apply to tables (CSV, TSV, Parquet, Arrow) only.
struct ReadOptions {
  Format format = Format::automatic;           // by the file name, which may end in .gz
  ShapeChoice shape = ShapeChoice::automatic;  // table, NPY: features; MTX array: similarity;
                                               // MTX coordinate, edges: graph
  std::string label_column;                    // known classes, not a feature
  std::string group_column;                    // becomes Input::groups, not a feature
  std::string weight_column;                   // becomes Input::weights, not a feature
  std::vector<std::string> drop;               // ignored
  std::vector<std::string> categorical;        // numbers that are codes: one-hot encoded
  bool header = true;                          // the table's first line names its columns
  char delimiter = '\0';                       // between cells; 0: by the format, and by the first
                                               // lines where a CSV has none with commas
  int threads = 0;  // of readers of large graphs; 0: all cores; never changes what is read
};

/// Reads `path` ("-": standard input, which needs a format). Throws std::invalid_argument for a
/// malformed file or an option that does not fit it, with one line that names the file, the line
/// and column, what was found and what is allowed; std::runtime_error if the file can't be read.
/// Parquet, Arrow and Feather files are read through a Python that has pyarrow: `python3`, or what
/// the environment variable SHIFTCUT_PYTHON names.
Input read_input(const std::string& path, const ReadOptions& options = {},
                 const Control& control = {});

/// Some rows of a table, as text.
struct TableCells {
  std::vector<std::string> names;              // of the columns
  std::vector<std::vector<std::string>> rows;  // in the order requested
};

/// Reads some rows (given by the numbers of their objects) of a table once more, all
/// columns but the label column, text and missing cells as written. Stops after the last of them.
/// Throws as read_input() does, also if the file is not a table or has no such row.
TableCells read_cells(const std::string& path, const ReadOptions& options,
                      std::span<const std::size_t> rows, const Control& control = {});

/// A cell that find_cells() found.
struct FoundCell {
  std::size_t row = 0;  // the number of its object
  std::string column;
  std::string text;
};

/// The first `most` rows of a table with a cell that holds the text, letters A to Z in either case,
/// and the first such cell of each; for a text `column=value` of a column there is, those where it
/// has this value. Reads the file as read_cells() does, and throws what that does.
std::vector<FoundCell> find_cells(const std::string& path, const ReadOptions& options,
                                  std::string_view text, std::size_t most,
                                  const Control& control = {});

/// A few readable lines about the input, as `shiftcut info` shows them.
std::string describe(const Input& input, Naming naming = plain_name);

/// A column of labels. `ids` is empty if the file has none.
struct LabelFile {
  std::vector<std::string> ids;
  std::vector<std::string> labels;
  std::vector<Message> notes;  // on what reading did, as in Input
};

/// Pairs of objects, as a file names them.
struct PairFile {
  struct Line {
    std::string a;
    std::string b;
    double weight = ObjectPair::kCertain;
    std::uint64_t number = 0;
  };
  std::string name;
  std::vector<Line> lines;
  std::vector<Message> notes;  // on what reading did, as in Input
};

/// Reads pairs: on each line two ids (of a graph) or row numbers from 0 and an optional weight,
/// separated by commas, tabs or blanks, quoted as in CSV. A first line `a b` is a header, and a
/// line that begins with # a comment, only if it is not a pair of objects of `input`; both are
/// noted.
PairFile read_pairs(const std::string& path, const Input& input);

/// Answers about pairs of objects, as a file names them.
struct AnswerFile {
  struct Line {
    std::string a;
    std::string b;
    Answer::Says says = Answer::Says::unsure;
    std::uint64_t number = 0;
  };
  std::string name;
  std::vector<Line> lines;
  std::vector<Message> notes;  // on what reading did, as in Input
};

/// Reads answers as answers_csv() writes them: a CSV with two ids (or row numbers from 0) and same,
/// different or unsure on each line. The header a,b,answer may be missing.
AnswerFile read_answers(const std::string& path);

/// The answers with the numbers of their objects, in the order of the file. A pair
/// may come again, but not as the same and as different. Throws std::invalid_argument, naming file
/// and line, for an unknown id, an object with itself, and a pair with two different answers.
std::vector<Answer> answers_from(const AnswerFile& file, const Input& input);

/// The pairs as numbers of objects. Answers count as certain pairs, except for unsure ones.
/// Throws std::invalid_argument, naming file and line, for an unknown id, an object with itself,
/// and a pair that is listed twice with different meanings.
LinkOptions links_from(const PairFile& must_link, const PairFile& cannot_link, const Input& input,
                       const AnswerFile& answers = {});

/// The group of each object, -1 for none.
struct GroupFile {
  std::vector<std::int32_t> groups;
  std::vector<Message> notes;  // on what reading did, as in Input
};

/// Reads a group for each object, for LinkOptions::one_per_cluster: a CSV or TSV of ids (or row
/// numbers from 0) and values, with an optional header `id,...` (unless an object has the id `id`).
/// Objects with equal values form a group; an empty value becomes -1. Throws std::invalid_argument,
/// naming file and line, for an id that is unknown or listed twice, and for objects without a line.
GroupFile read_groups(const std::string& path, const Input& input);

/// Reads labels: a CSV with a column `label` (and optionally `id`), or one label per line.
/// `delimiter` as in ReadOptions. A file of one column may have the header `label`, which is noted;
/// if `label` is also one of the labels, it throws std::invalid_argument.
LabelFile read_labels(const std::string& path, char delimiter = '\0');

}  // namespace shiftcut
