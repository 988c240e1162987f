// The shiftcut program: cluster, evaluate, info.
#include <exception>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.hpp"
#include "shiftcut/shiftcut.hpp"

namespace {

// CLI11's own message on one line; exit code 1 as for every bad input.
int refuse(const CLI::ParseError& error) {
  std::string message = error.what();
  for (char& c : message) {
    c = c == '\n' ? ' ' : c;
  }
  fmt::print(stderr, "shiftcut: {}; see shiftcut --help\n", message);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Groups objects by their pairwise similarities after shifting them."};
  app.name("shiftcut");
  app.set_version_flag("--version", std::string("shiftcut ") + shiftcut::kVersion);
  app.require_subcommand(1);
  int exit_code = 0;
  add_cluster_command(app, exit_code);
  add_evaluate_command(app, exit_code);
  add_info_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return refuse(error);
  } catch (const shiftcut::Interrupted&) {
    fmt::print(stderr, "shiftcut: interrupted before there was anything to write\n");
    return 130;
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "shiftcut: {}\n", error.what());
    return 1;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "shiftcut: out of memory\n");
    return 2;
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "shiftcut: {}\n", error.what());
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "shiftcut: internal error: {}\n", error.what());
    return 2;
  }
  return exit_code;
}
