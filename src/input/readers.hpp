// The readers: each turns the bytes of one kind of file into data. read_input() and its siblings
// (include/shiftcut/read.hpp) open the file and select the reader.
//
//   bytes/   bytes, lines, words, numbers: what all readers share
//   table/   CSV and TSV: records of cells, kinds of columns, one-hot encoding
//   matrix/  NumPy and Matrix Market arrays, and the checks on dense matrices
//   graph/   edge lists, and sparse rows out of entries in any order
//   pairs/   files about the objects of an Input: pairs, answers, labels, groups
//
// All of them stream: besides the numbers, memory holds a chunk of the text. All throw
// std::invalid_argument with one line that names the file, the line, what was found and what is
// allowed.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/bytes/byte_source.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// A CSV or TSV table: features, or a matrix whose header names the objects.
Input read_table(ByteSource& source, const ReadOptions& options, char delimiter);

/// The text of some rows of a table, in any order, a row possibly twice: see read_cells().
TableCells read_table_cells(ByteSource& source, const ReadOptions& options, char delimiter,
                            std::span<const std::size_t> rows);

/// The rows of a table that hold a text: see find_cells().
std::vector<FoundCell> find_table_cells(ByteSource& source, const ReadOptions& options,
                                        char delimiter, std::string_view text, std::size_t most);

/// Throws InvalidArgument, which names {memory_limit}, unless the file is a NumPy array of features
/// that can be read again and again, in blocks; and as read_input() for options that do not apply.
void require_npy(const std::string& path, const ReadOptions& options, const Control& control);

/// A NumPy array. Everything is read into memory: the file may change or vanish afterwards. Float32
/// and integers of one or two bytes, which float32 represents exactly, become float32, all others
/// float64; column order becomes row order. Throws std::runtime_error where it does not fit.
Input read_npy(ByteSource& source, const ReadOptions& options);

/// A Matrix Market file: a list of entries is a graph, an array a dense matrix.
Input read_mtx(ByteSource& source, const ReadOptions& options);

/// The threads for a file: as many as asked for, else one if it is small.
int reading_threads(const ReadOptions& options, const ByteSource& source);

/// A sparse matrix, as scipy.sparse.save_npz writes it: a graph, or rows of features.
Input read_npz(ByteSource& source, const ReadOptions& options);

/// A METIS graph: for each node a line of its neighbours.
Input read_metis(ByteSource& source, const ReadOptions& options);

/// An edge list: a line `u v [w]` for each edge. Fields are separated by blanks or one comma, ids
/// are any text that does not begin with # or %, the weight is 1 unless given; lines that begin
/// with # or % are comments. A first line whose third field is a word is a header. Each line adds
/// its weight to both directions (a self loop once). Objects are numbered in order of first
/// appearance. Lines that may have been meant otherwise are noted.
Input read_edge_list(ByteSource& source, const ReadOptions& options);

/// Lines of two ids and an optional weight, separated by commas, tabs or blanks; a quoted cell
/// follows the rules of CSV. Blank lines are skipped. So are, with a note, a first line `a b`
/// unless both are objects, and lines that begin with # unless their first cell is an object's id;
/// a first line a,b,weight cannot be a pair.
PairFile read_pair_source(ByteSource& source, const Input& input);

/// Lines a,b,answer with answer one of same, different and unsure; blank lines, and a first line
/// that reads exactly `a,b,answer`, are skipped.
AnswerFile read_answer_source(ByteSource& source);

/// A table with a column `label` (and optionally `id`), or one label per line. `delimiter` 0: the
/// one that yields a column `label` in the header.
LabelFile read_label_source(ByteSource& source, char delimiter);

}  // namespace shiftcut
