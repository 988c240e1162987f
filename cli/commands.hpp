// The subcommands of the program, each with its options.
#pragma once

#include <string>

#include "command_line.hpp"
#include "shiftcut/read.hpp"

void add_cluster_command(CommandLine& program);
void add_explain_command(CommandLine& program);
void add_describe_command(CommandLine& program);
void add_predict_command(CommandLine& program);
void add_label_command(CommandLine& program);
void add_explore_command(CommandLine& program);
void add_evaluate_command(CommandLine& program);
void add_info_command(CommandLine& program);

/// The options that say how INPUT is read, shared by `cluster` and `info`.
struct ReadArguments {
  std::string path;
  std::string format = "auto";
  std::string as = "auto";
  std::string label_column;
  std::string weight_column;
  std::string drop;
  std::string categorical;
  bool no_header = false;
  std::string delimiter;

  void add_to(Command& command);
  [[nodiscard]] shiftcut::ReadOptions options() const;
};

/// The character between cells that --delimiter names; 0 where it is not given.
char delimiter_of(const std::string& text);
