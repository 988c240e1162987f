#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>

#include "cluster_options.hpp"
#include "commands.hpp"
#include "output/output_file.hpp"
#include "output/progress_line.hpp"
#include "output/standard_output.hpp"
#include "parse.hpp"
#include "shiftcut/shiftcut.hpp"

namespace {

struct Arguments {
  ClusterArguments grouping;
  std::string labels_file;
  std::string json_file;
  std::string levels_file;
  std::string model_file;
  std::string layout_file;
  bool quiet = false;
};

// All that can be written is, even where one file can't: the work may have taken hours.
void write_all(const shiftcut::Result& result, const shiftcut::Input& input,
               const OutputFile& labels, const OutputFile& json, const OutputFile& levels,
               const std::function<std::string()>& levels_text, const OutputFile& model,
               const std::string& model_bytes, const OutputFile& layout,
               const std::optional<shiftcut::Layout>& places) {
  std::exception_ptr first;
  const auto attempt = [&](bool is_wanted, const auto& write) {
    try {
      if (is_wanted) {
        write();
      }
    } catch (const std::exception&) {
      first = first ? first : std::current_exception();
    }
  };
  attempt(labels.is_given(), [&] { labels.write(shiftcut::labels_csv(result, input)); });
  attempt(levels.is_given(), [&] { levels.write(levels_text()); });
  attempt(json.is_given(), [&] { json.write(shiftcut::to_json(result, input, option_name)); });
  attempt(model.is_given(), [&] { model.write(model_bytes); });
  attempt(places.has_value(), [&] { layout.write(shiftcut::layout_csv(*places, input)); });
  attempt(
      !labels.is_standard_output() && !json.is_standard_output() && !layout.is_standard_output(),
      [&] { print_lines(shiftcut::to_text(result, input, option_name)); });
  if (labels.is_standard_output() || layout.is_standard_output()) {
    show("warning", render(result.warnings, option_name));
  }
  if (first) {
    std::rethrow_exception(first);
  }
}

int run_cluster(const Command& command, const Arguments& arguments) {
  const auto start = std::chrono::steady_clock::now();
  shiftcut::Options options = arguments.grouping.options(command);
  const OutputFile labels("--labels", arguments.labels_file);
  const OutputFile json("--json", arguments.json_file);
  arguments.grouping.require_other_than_read(labels);
  arguments.grouping.require_other_than_read(json);
  const OutputFile levels("--levels", arguments.levels_file);
  arguments.grouping.require_other_than_read(levels);
  levels.require_other_than(labels);
  levels.require_other_than(json);
  const OutputFile model("--model", arguments.model_file);
  arguments.grouping.require_other_than_read(model);
  labels.require_other_than(json);
  model.require_other_than(labels);
  model.require_other_than(json);
  const OutputFile layout("--layout", arguments.layout_file);
  arguments.grouping.require_other_than_read(layout);
  for (const OutputFile* other : {&labels, &json, &model, &levels}) {
    layout.require_other_than(*other);
  }
  model.require_other_than(levels);
  if (model.is_given() && options.shift.kind == shiftcut::ShiftKind::matrix) {
    refuse("--model", arguments.model_file,
           "not with a shift matrix, which has no shift for new "
           "objects");
  }
  catch_interrupts();

  shiftcut::Result result;
  shiftcut::Input input;
  std::string model_bytes;
  std::optional<shiftcut::Layout> places;  // of --layout, unless interrupted before it was begun
  std::shared_ptr<const shiftcut::NeighborTable> neighbors;
  {
    ProgressLine line(arguments.quiet);
    const shiftcut::Control control = line.control();
    const shiftcut::ReadOptions how = arguments.grouping.read_options();
    shiftcut::Kept kept;
    input = model.is_given()
                ? shiftcut::read_training(arguments.grouping.read.path, how, kept.encoding, control)
                : shiftcut::read_input(arguments.grouping.read.path, how, control);
    check_fits(command, input, options.similarity);
    arguments.grouping.require_other_than_groups(labels, input);
    arguments.grouping.require_other_than_groups(json, input);
    arguments.grouping.require_other_than_groups(levels, input);
    arguments.grouping.require_other_than_groups(model, input);
    arguments.grouping.require_other_than_groups(layout, input);
    options.links = arguments.grouping.links(input);
    const double read_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const bool needs_neighbors = model.is_given() || layout.is_given() || levels.is_given();
    result = shiftcut::run(input, options, control, needs_neighbors ? &kept.neighbors : nullptr);
    result.seconds.read = read_seconds;
    result.seconds.total += read_seconds;
    neighbors = kept.neighbors;
    if (layout.is_given()) {
      try {
        places = shiftcut::layout(input, options, result, kept.neighbors.get(), control);
      } catch (const shiftcut::Interrupted&) {
        result.stop_reason = shiftcut::StopReason::interrupted;
      }
    }
    if (model.is_given()) {  // also of a run that was interrupted
      model_bytes = shiftcut::model_bytes(shiftcut::make_model(input, options, result, kept));
    }
  }

  const auto levels_text = [&] {
    return shiftcut::levels_csv(shiftcut::make_levels(input, options, result, {}, neighbors.get()),
                                result, input);
  };
  write_all(result, input, labels, json, levels, levels_text, model, model_bytes, layout, places);
  if (layout.is_given() && !places) {
    show("warning", {"--layout: not written, as the run was interrupted before there was a map."});
  }
  return result.stop_reason == shiftcut::StopReason::interrupted ? 130 : 0;
}

}  // namespace

void add_cluster_command(CommandLine& program) {
  auto arguments = std::make_shared<Arguments>();
  Command& command = program.add_command("cluster", "Group the objects of INPUT");
  Arguments& a = *arguments;
  a.grouping.add_to(command);
  a.grouping.add_answers_to(command);
  command.add_option("--labels", a.labels_file, "Write id,label lines to this file");
  command.add_option(
      "--json", a.json_file,
      "Write the result to this file; - for standard output, with nothing else printed there");
  command.add_option("--levels", a.levels_file,
                     "Write a nested hierarchy to this file: one column of labels a level");
  command.add_option("--model", a.model_file,
                     "Save a model to this file, with which predict assigns new rows");
  command.add_option("--layout", a.layout_file,
                     "Write id,x,y lines to this file: a map on which near objects are near");
  command.add_flag("--quiet", a.quiet, "Show no progress line");
  command.on_run([&command, arguments] { return run_cluster(command, *arguments); });
}
