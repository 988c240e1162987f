// The options that say how objects are grouped, shared by `cluster`, `explain` and `label`.
#pragma once

#include <string>

#include "commands.hpp"
#include "output/output_file.hpp"
#include "shiftcut/shiftcut.hpp"

struct ClusterArguments {
  ReadArguments read;
  std::string clusters = "auto";
  std::string preset;
  std::string scale;
  std::string min_size;
  std::string max_size;
  std::string similarity;
  std::string metric;
  std::string sigma;
  std::string distance;
  std::string neighbors;
  std::string weights;
  std::string shift;
  std::string strength;
  std::string method;
  std::string restarts;
  std::string seed = "0";
  std::string threads = "0";
  std::string max_seconds;
  std::string must_link;
  std::string cannot_link;
  std::string answers;
  bool learn = false;
  std::string cannot_link_by;

  void add_to(Command& command);
  /// Also those on answers somebody gave, which `label` itself asks for.
  void add_answers_to(Command& command);
  /// The preset first, then what was said beside it; without the pairs.
  [[nodiscard]] shiftcut::Options options(const Command& command) const;
  /// How to read INPUT: with the column of groups held out, if it is a table of features.
  [[nodiscard]] shiftcut::ReadOptions read_options() const;
  /// Throws std::invalid_argument if `output` is INPUT, or a file of pairs or a shift.
  void require_other_than_read(const OutputFile& output) const;
  /// The same for the file of groups, unless they were a column of INPUT.
  void require_other_than_groups(const OutputFile& output, const shiftcut::Input& input) const;
  /// Reads the files of pairs, and that of groups unless they were a column of INPUT. What there is
  /// to say on reading them is added to the notes of `input`.
  [[nodiscard]] shiftcut::LinkOptions links(shiftcut::Input& input) const;
};

/// Options on features make no sense for a matrix or a graph: throws std::invalid_argument rather
/// than ignore them.
void check_fits(const Command& command, const shiftcut::Input& input,
                const shiftcut::SimilarityOptions& how);
