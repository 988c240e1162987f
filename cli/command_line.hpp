// The command line as the program sees it: subcommands with options that fill strings and flags.
// CLI11 parses it; only command_line.cpp includes that header, which takes ten seconds to compile.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}  // namespace CLI

/// One subcommand. Values that options fill must live until the command line is parsed.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  void add_option(const std::string& name, std::string& value, const std::string& help);
  void add_required(const std::string& name, std::string& value, const std::string& help);
  void add_flag(const std::string& name, bool& value, const std::string& help);

  /// What runs once the subcommand has been parsed; its result becomes the exit code.
  void on_run(std::function<int()> run);

  /// How often the user gave an option.
  [[nodiscard]] std::size_t count(const std::string& name) const;

  /// An option the user gave, and the values after it.
  struct Given {
    std::string name;
    std::vector<std::string> values;
  };
  [[nodiscard]] std::vector<Given> given() const;

 private:
  friend class CommandLine;
  CLI::App* app_;
  std::function<int()> run_;
};

class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& help, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command& add_command(const std::string& name, const std::string& help);

  /// Runs the subcommand named by the arguments and returns its exit code; prints the help or the
  /// version where that is asked for. Throws std::invalid_argument for arguments that make no
  /// sense.
  int run(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  std::vector<std::unique_ptr<Command>> commands_;
};
