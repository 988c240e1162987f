#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "cluster_options.hpp"
#include "commands.hpp"
#include "parse.hpp"
#include "progress_line.hpp"
#include "shiftcut/shiftcut.hpp"

namespace {

struct Arguments {
  ClusterArguments grouping;
  std::string labels_file;
  std::string json_file;
  bool quiet = false;
};

int run_cluster(const CLI::App& command, const Arguments& arguments) {
  const auto start = std::chrono::steady_clock::now();
  shiftcut::Options options = arguments.grouping.options(command);
  if (arguments.json_file == "-" && arguments.labels_file == "-") {
    refuse("--labels", "-", "a file, when --json - has standard output to itself");
  }
  check_writable("--labels", arguments.labels_file);
  check_writable("--json", arguments.json_file);
  catch_interrupts();

  shiftcut::Result result;
  shiftcut::Input input;
  {
    ProgressLine line(arguments.quiet);
    const shiftcut::Control control = line.control();
    input = shiftcut::read_input(arguments.grouping.read.path, arguments.grouping.read_options(),
                                 control);
    check_fits(command, input, options.similarity.weights == shiftcut::Weights::log_odds);
    options.links = arguments.grouping.links(input);
    const double read_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result = shiftcut::run(input, options, control);
    result.seconds.read = read_seconds;
    result.seconds.total += read_seconds;
  }

  if (!arguments.labels_file.empty()) {
    write_text(arguments.labels_file, shiftcut::labels_csv(result, input));
  }
  if (!arguments.json_file.empty()) {
    write_text(arguments.json_file, shiftcut::to_json(result));
  }
  if (arguments.json_file != "-" && arguments.labels_file != "-") {
    fmt::print("{}", shiftcut::to_text(result, input));
  }
  return result.stop_reason == shiftcut::StopReason::interrupted ? 130 : 0;
}

}  // namespace

void add_cluster_command(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("cluster", "Group the objects of INPUT");
  Arguments& a = *arguments;
  a.grouping.add_to(*command);
  a.grouping.add_answers_to(*command);
  command->add_option("--labels", a.labels_file, "Write id,label lines to this file");
  command->add_option("--json", a.json_file,
                      "Write the result to this file; -: standard output, nothing else there");
  command->add_flag("--quiet", a.quiet, "No progress line");
  command->callback(
      [command, arguments, &exit_code] { exit_code = run_cluster(*command, *arguments); });
}
