#include "command_line.hpp"

#include <set>
#include <sstream>
#include <stdexcept>

#include <CLI/CLI.hpp>

#include "output/standard_output.hpp"
#include "parse.hpp"

namespace {

// CLI11 only says that a subcommand is required: name what stood in its place.
void check_subcommand(const CLI::App& app, int argc, char** argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  if (word.empty() || word[0] == '-') {
    return;
  }
  std::set<std::string> known;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    known.insert(command->get_name());
  }
  if (!known.contains(word)) {
    std::string allowed;
    for (const std::string& name : known) {
      allowed += (allowed.empty() ? "" : ", ") + name;
    }
    refuse("command", word, allowed);
  }
}

}  // namespace

void Command::add_option(const std::string& name, std::string& value, const std::string& help) {
  app_->add_option(name, value, help);
}

void Command::add_required(const std::string& name, std::string& value, const std::string& help) {
  app_->add_option(name, value, help)->required();
}

void Command::add_flag(const std::string& name, bool& value, const std::string& help) {
  app_->add_flag(name, value, help);
}

void Command::on_run(std::function<int()> run) { run_ = std::move(run); }

std::size_t Command::count(const std::string& name) const { return app_->count(name); }

std::vector<Command::Given> Command::given() const {
  std::vector<Given> all;
  for (const CLI::Option* option : app_->get_options()) {
    if (option->count() > 0) {
      const bool has_values = option->get_expected_max() > 0;
      all.push_back(
          {option->get_name(), has_values ? option->results() : std::vector<std::string>{}});
    }
  }
  return all;
}

CommandLine::CommandLine(const std::string& name, const std::string& help,
                         const std::string& version)
    : app_(std::make_unique<CLI::App>(help)) {
  app_->name(name);
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

Command& CommandLine::add_command(const std::string& name, const std::string& help) {
  commands_.push_back(std::make_unique<Command>(*app_->add_subcommand(name, help)));
  return *commands_.back();
}

int CommandLine::run(int argc, char** argv) {
  check_subcommand(*app_, argc, argv);
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    std::ostringstream text;
    const int exit_code = app_->exit(success, text, text);
    write_output(text.str());
    return exit_code;
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(printable(error.what()) + "; see shiftcut --help");
  }
  for (const std::unique_ptr<Command>& command : commands_) {
    if (command->app_->parsed()) {
      return command->run_();
    }
  }
  return 0;
}
