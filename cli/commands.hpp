// The subcommands: each adds its options to the app and runs when it is parsed.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "shiftcut/read.hpp"

void add_cluster_command(CLI::App& app, int& exit_code);
void add_explain_command(CLI::App& app, int& exit_code);
void add_predict_command(CLI::App& app, int& exit_code);
void add_label_command(CLI::App& app, int& exit_code);
void add_evaluate_command(CLI::App& app, int& exit_code);
void add_info_command(CLI::App& app, int& exit_code);

/// The options that say how INPUT is read, shared by `cluster` and `info`.
struct ReadArguments {
  std::string path;
  std::string format = "auto";
  std::string as = "auto";
  std::string label_column;
  std::string drop;
  std::string categorical;
  bool no_header = false;
  std::string delimiter;

  void add_to(CLI::App& command);
  [[nodiscard]] shiftcut::ReadOptions options() const;
};

/// The character between cells that --delimiter names; 0 where it is not given.
char delimiter_of(const std::string& text);
