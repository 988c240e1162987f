// From a file (or standard input) to an Input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/feedback.hpp"
#include "shiftcut/options.hpp"

namespace shiftcut {

enum class Format { automatic, csv, tsv, npy, mtx, edges };
enum class ShapeChoice { automatic, features, similarity, distance, graph };

/// How to read a file. Every option that names columns is for tables (CSV, TSV) only.
struct ReadOptions {
  Format format = Format::automatic;           // by the name's ending, ".gz" after it allowed
  ShapeChoice shape = ShapeChoice::automatic;  // table, NPY: features; MTX array: similarity;
                                               // MTX coordinate, edges: graph
  std::string label_column;                    // held out as the truth
  std::string group_column;                    // of features: held out as Input::groups
  std::vector<std::string> drop;               // ignored
  std::vector<std::string> categorical;        // numbers that are codes: one-hot encoded
  bool header = true;                          // the table's first line names its columns
  char delimiter = '\0';                       // between cells; 0: by the format, and by the first
                                               // lines where a CSV has none with commas
};

/// Reads `path` ("-": standard input, which needs a format). Throws std::invalid_argument for a
/// malformed file or an option that does not fit it, with one line that names the file, the line
/// and column, what was found and what is allowed; std::runtime_error if the file can't be read.
Input read_input(const std::string& path, const ReadOptions& options = {},
                 const Control& control = {});

/// Some rows of a table as they stand in its file.
struct TableCells {
  std::vector<std::string> names;              // of the columns
  std::vector<std::vector<std::string>> rows;  // in the order asked for
};

/// Reads the cells of these rows (numbers of objects) of a CSV or TSV file again, all columns but
/// the label column, text and gaps as written. One pass, no further than needed. Throws what
/// read_input() does, also where the file is no table or has no such row.
TableCells read_cells(const std::string& path, const ReadOptions& options,
                      std::span<const std::size_t> rows, const Control& control = {});

/// What `shiftcut info` tells: a few readable lines on the file as read_input() reads it.
std::string describe(const Input& input, Naming naming = plain_name);

/// A column of labels. `ids` is empty where the file names none.
struct LabelFile {
  std::vector<std::string> ids;
  std::vector<std::string> labels;
  std::vector<Message> notes;  // on what reading did, as in Input
};

/// Pairs of objects as a file names them.
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

/// Reads pairs: two ids (of a graph) or row numbers from 0 a line, and perhaps a weight, separated
/// by commas, tabs or blanks, in quotes by the rules of CSV. The objects of `input` decide whether
/// a first line `a b` is a header and a line that begins with # a comment: only if it is no pair of
/// theirs, and then with a note.
PairFile read_pairs(const std::string& path, const Input& input);

/// Answers on pairs of objects as a file names them.
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

/// Reads answers, as answers_csv() writes them: a CSV of two ids (or row numbers from 0) and same,
/// different or unsure a line, under a header a,b,answer, which may be missing.
AnswerFile read_answers(const std::string& path);

/// The answers with the numbers of their objects, in the file's order; an answer that comes again
/// counts once. Throws std::invalid_argument, naming file and line, for an unknown id, an object
/// with itself, and a pair with two different answers.
std::vector<Answer> answers_from(const AnswerFile& file, const Input& input);

/// The pairs as numbers of objects; answers are pairs that are certain, but for the unsure ones.
/// Throws std::invalid_argument, naming file and line, for an unknown id, an object with itself,
/// and a pair that comes twice and disagrees.
LinkOptions links_from(const PairFile& must_link, const PairFile& cannot_link, const Input& input,
                       const AnswerFile& answers = {});

/// The group of each object, -1 for none.
struct GroupFile {
  std::vector<std::int32_t> groups;
  std::vector<Message> notes;  // on what reading did, as in Input
};

/// Reads a group for each object, for LinkOptions::one_per_cluster: a CSV or TSV of ids (or row
/// numbers from 0) and values, perhaps under a header `id,...` (unless an object is called `id`);
/// equal values are one group, -1 stands for an empty one. Throws std::invalid_argument, naming
/// file and line, for an id that is unknown or comes twice, and for objects without a line.
GroupFile read_groups(const std::string& path, const Input& input);

/// Reads labels: a CSV with a column `label` (and perhaps `id`), or one label a line. `delimiter`
/// as in ReadOptions. A file of one column may begin with `label` as its header, which is noted,
/// but not if a label is called so too: that throws std::invalid_argument.
LabelFile read_labels(const std::string& path, char delimiter = '\0');

}  // namespace shiftcut
