// The shiftcut program: cluster, explain, label, evaluate, info.
#include <cstdio>
#include <exception>
#include <map>
#include <new>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "parse.hpp"
#include "shiftcut/shiftcut.hpp"

namespace {

// CLI11 only says that a subcommand is required: name what stood in its place.
void check_subcommand(const CLI::App& app, int argc, char** argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  if (word.empty() || word[0] == '-') {
    return;
  }
  std::map<std::string, bool> known;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    known[command->get_name()] = true;
  }
  choice("command", word, known);
}

int run_program(int argc, char** argv) {
  CLI::App app{"Groups objects by their pairwise similarities after shifting them."};
  app.name("shiftcut");
  app.set_version_flag("--version", std::string("shiftcut ") + shiftcut::kVersion);
  app.require_subcommand(1);
  int exit_code = 0;
  add_cluster_command(app, exit_code);
  add_explain_command(app, exit_code);
  add_label_command(app, exit_code);
  add_evaluate_command(app, exit_code);
  add_info_command(app, exit_code);
  check_subcommand(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(printable(error.what()) + "; see shiftcut --help");
  }
  return exit_code;
}

void complain(const char* message, const char* more = "") noexcept {
  (void)std::fprintf(stderr, "shiftcut: %s%s\n", message, more);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_program(argc, argv);
  } catch (const shiftcut::Interrupted&) {
    complain("interrupted before there was anything to write");
    return 130;
  } catch (const std::bad_alloc&) {
    complain("out of memory");
    return 2;
  } catch (const std::invalid_argument& error) {
    complain(error.what());
    return 1;
  } catch (const std::runtime_error& error) {
    complain(error.what());
    return 1;
  } catch (const std::exception& error) {
    complain("internal error: ", error.what());
    return 2;
  }
}
