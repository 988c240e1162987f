#include <spawn.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <thread>

#include <fmt/core.h>

#include "cluster_options.hpp"
#include "commands.hpp"
#include "explore/explore_server.hpp"
#include "label/answers_file.hpp"
#include "label/file_lock.hpp"
#include "output/progress_line.hpp"
#include "output/standard_output.hpp"
#include "parse.hpp"
#include "report_words.hpp"
#include "shiftcut/shiftcut.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace {

struct ExploreArguments {
  ClusterArguments grouping;
  std::string answers_file;
  std::string strategy = "entropy";
  std::string port = "0";
  bool no_learn = false;
  bool no_browser = false;
  bool quiet = false;
};

int port_of(const ExploreArguments& arguments) {
  const char* const allowed = "a whole number from 0 (any free port) to 65535";
  const int port = number<int>("--port", arguments.port, allowed);
  if (port < 0 || port > 65535) {
    refuse("--port", arguments.port, allowed);
  }
  return port;
}

// Beside the answers: which of them undo takes back together. Nothing if there is none yet.
std::string steps_before(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Where there is no desktop, the address that was printed is all.
void open_browser(const std::string& address) {
  std::string program = "xdg-open";
  std::string argument = address;
  char* const words[] = {program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int descriptor : {1, 2}) {
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", 1 /* O_WRONLY */, 0);
  }
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), &actions, nullptr, words, environ) == 0) {
    std::thread([child] { waitpid(child, nullptr, 0); }).detach();
  }
  posix_spawn_file_actions_destroy(&actions);
}

// Before the work begins.
void check_page(const ExploreArguments& arguments) {
  if (!shiftcut::explore_page().html.empty()) {
    return;
  }
  const char* const why =
      "this shiftcut was built without the page of the explorer: build it again after `make web`";
  if (!arguments.no_browser) {
    throw std::invalid_argument(fmt::format("{} (--no-browser serves the interface alone)", why));
  }
  show("warning", {why});
}

int run_explore(const Command& command, ExploreArguments arguments) {
  const ReadArguments& read = arguments.grouping.read;
  shiftcut::Options options = arguments.grouping.options(command);
  shiftcut::FeedbackOptions how;
  how.strategy = choice<shiftcut::Strategy>("--strategy", arguments.strategy);
  how.learn = !arguments.no_learn;
  const int port = port_of(arguments);
  require_readable_again(read.path);
  const OutputFile answers = answers_file("--answers", arguments.grouping, arguments.answers_file);
  catch_interrupts();
  std::signal(SIGPIPE, SIG_IGN);  // a window that is closed is no reason to end
  const FileLock lock(answers);
  const OutputFile steps("--answers", arguments.answers_file + ".steps");
  arguments.grouping.require_other_than_read(steps);
  check_page(arguments);

  ProgressLine line(arguments.quiet);
  const shiftcut::Control control = line.control();
  std::shared_ptr<const shiftcut::TableEncoding> encoding;
  shiftcut::Input input =
      shiftcut::read_training(read.path, arguments.grouping.read_options(), encoding, control);
  const shiftcut::Records records(input, read.path, read.options());
  check_fits(command, input, options.similarity);
  arguments.grouping.require_other_than_groups(answers, input);
  options.links = arguments.grouping.links(input);
  const std::vector<shiftcut::Answer> before = answers_before(arguments.answers_file, input);
  shiftcut::Feedback feedback(input, options, how, control);
  resume(feedback, before, arguments.answers_file, control);
  shiftcut::Layout layout =
      shiftcut::layout(input, options, feedback.result(), feedback.neighbors().get(), control);
  line.clear();
  if (control.stop_requested()) {
    throw shiftcut::Interrupted();
  }
  show("note", render(input.notes, option_name));
  shiftcut::Explorer explorer(
      input, options, feedback, records, std::move(layout),
      {title_of(input), grouping_command(command, arguments.answers_file), option_name,
       [&](std::span<const shiftcut::Answer> all) {
         answers.write(shiftcut::answers_csv(all, input));
       },
       [&](const std::string& text) { steps.write(text); }, steps_before(steps.path()), encoding},
      interrupts());
  ExploreServer server(explorer, port);
  write_output(server.address() + "\n");
  if (!arguments.no_browser) {
    open_browser(server.address());
  }
  server.run(interrupts());
  print_lines(fmt::format("{} {} in {}\n", feedback.answers().size(),
                          feedback.answers().size() == 1 ? "answer" : "answers",
                          printable(arguments.answers_file)));
  return 0;
}

}  // namespace

void add_explore_command(CommandLine& program) {
  auto arguments = std::make_shared<ExploreArguments>();
  Command& command = program.add_command(
      "explore", "Show the groups of INPUT in the browser, where answers correct them");
  ExploreArguments& a = *arguments;
  a.grouping.add_to(command);
  command.add_option("--answers", a.answers_file,
                     "File the answers are saved in and resumed from (INPUT's name.answers.csv)");
  command.add_option("--strategy", a.strategy,
                     "What to ask: " + shiftcut::list_words<shiftcut::Strategy>() + " (entropy)");
  command.add_option("--port", a.port, "Port to listen on, on this machine only (any free one)");
  command.add_flag("--no-learn", a.no_learn, "Learn nothing from the answers about other pairs");
  command.add_flag("--no-browser", a.no_browser, "Print the address, and open no browser");
  command.add_flag("--quiet", a.quiet, "Show no progress line");
  command.on_run([&command, arguments] { return run_explore(command, *arguments); });
}
