#include <algorithm>
#include <memory>

#include <fmt/core.h>

#include "cluster_options.hpp"
#include "commands.hpp"
#include "output/output_file.hpp"
#include "output/progress_line.hpp"
#include "output/standard_output.hpp"
#include "parse.hpp"
#include "shiftcut/shiftcut.hpp"

namespace {

struct ExplainArguments {
  ClusterArguments grouping;
  std::string object;
  std::string ties = "5";
  std::string json_file;
  bool quiet = false;
};

std::size_t object_of(const std::string& text, const shiftcut::Input& input) {
  if (input.ids.empty()) {
    const std::string allowed = fmt::format("a row number from 0 to {}", input.objects() - 1);
    const auto object = number<std::size_t>("--object", text, allowed);
    if (object >= input.objects()) {
      refuse("--object", text, allowed);
    }
    return object;
  }
  const auto found = std::find(input.ids.begin(), input.ids.end(), text);
  if (found == input.ids.end()) {
    refuse("--object", text, fmt::format("an id of the {} objects", input.objects()));
  }
  return static_cast<std::size_t>(found - input.ids.begin());
}

int run_explain(const Command& command, const ExplainArguments& arguments) {
  shiftcut::Options options = arguments.grouping.options(command);
  const auto ties = number<std::size_t>("--ties", arguments.ties, "a whole number");
  const OutputFile json("--json", arguments.json_file);
  arguments.grouping.require_other_than_read(json);
  catch_interrupts();

  shiftcut::Explanation explanation;
  shiftcut::Input input;
  {
    ProgressLine line(arguments.quiet);
    const shiftcut::Control control = line.control();
    input = shiftcut::read_input(arguments.grouping.read.path, arguments.grouping.read_options(),
                                 control);
    check_fits(command, input, options.similarity);
    const std::size_t object = object_of(arguments.object, input);
    arguments.grouping.require_other_than_groups(json, input);
    options.links = arguments.grouping.links(input);
    std::shared_ptr<const shiftcut::NeighborTable> neighbors;
    const shiftcut::Result result = shiftcut::run(input, options, control, &neighbors);
    if (result.stop_reason == shiftcut::StopReason::interrupted) {
      throw shiftcut::Interrupted();
    }
    explanation = shiftcut::explain(input, options, result, object, ties, control, neighbors.get());
  }
  show("note", render(input.notes, option_name));
  if (json.is_given()) {
    json.write(shiftcut::to_json(explanation));
  }
  if (!json.is_standard_output()) {
    print_lines(shiftcut::to_text(explanation, input));
  }
  return 0;
}

}  // namespace

void add_explain_command(CommandLine& program) {
  auto arguments = std::make_shared<ExplainArguments>();
  Command& command = program.add_command(
      "explain", "Group the objects of INPUT and explain why one is in its cluster");
  ExplainArguments& a = *arguments;
  a.grouping.add_to(command);
  a.grouping.add_answers_to(command);
  command.add_required("--object", a.object, "Its id, or its row number from 0");
  command.add_option("--ties", a.ties, "How many of its strongest ties to name (5)");
  command.add_option(
      "--json", a.json_file,
      "Write the explanation to this file; - for standard output, with nothing else printed there");
  command.add_flag("--quiet", a.quiet, "Show no progress line");
  command.on_run([&command, arguments] { return run_explain(command, *arguments); });
}
