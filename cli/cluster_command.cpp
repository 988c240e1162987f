#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
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
#include "report_words.hpp"
#include "shiftcut/shiftcut.hpp"

namespace {

struct Arguments {
  ClusterArguments grouping;
  std::string labels_file;
  std::string json_file;
  std::string levels_file;
  std::string model_file;
  std::string layout_file;
  std::string strength_file;
  std::string report_file;
  std::string checkpoint;
  std::string memory_limit;
  bool quiet = false;
};

struct Outputs {
  OutputFile labels;
  OutputFile json;
  OutputFile levels;
  OutputFile model;
  OutputFile layout;
  OutputFile strength;
  OutputFile report;
};

// What is written beside the result.
struct Made {
  std::string model_bytes;
  std::string report_page;
  std::optional<shiftcut::Layout> places;  // of --layout, unless interrupted before it was begun
  std::optional<shiftcut::Strengths> strengths;
};

// All that can be written is, even where one file can't: the work may have taken hours.
void write_outputs(const shiftcut::Result& result, const shiftcut::Input& input,
                   const Outputs& outputs, const Made& made,
                   const std::function<std::string()>& levels_text) {
  const auto& [labels, json, levels, model, layout, strength, report] = outputs;
  const auto& strengths = made.strengths;
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
  attempt(json.is_given(), [&] {
    json.write(shiftcut::to_json(result, input, option_name, strengths ? &*strengths : nullptr));
  });
  attempt(model.is_given(), [&] { model.write(made.model_bytes); });
  attempt(made.places.has_value(),
          [&] { layout.write(shiftcut::layout_csv(*made.places, input)); });
  attempt(strengths.has_value(),
          [&] { strength.write(shiftcut::strength_csv(result.labels, *strengths, input)); });
  attempt(report.is_given(), [&] { report.write(made.report_page); });
  const bool is_table_printed = labels.is_standard_output() || levels.is_standard_output() ||
                                layout.is_standard_output() || strength.is_standard_output();
  attempt(!is_table_printed && !json.is_standard_output(),
          [&] { print_lines(shiftcut::to_text(result, input, option_name)); });
  if (is_table_printed) {
    show("warning", render(result.warnings, option_name));
  }
  if (first) {
    std::rethrow_exception(first);
  }
}

// Before the work begins: it may take hours.
void check_report(const OutputFile& report) {
  if (!report.is_given()) {
    return;
  }
  if (report.is_standard_output()) {
    refuse("--report", report.path(), "a file, such as report.html");
  }
  if (!shiftcut::has_page()) {
    refuse(
        "--report", report.path(),
        "only in a shiftcut that was built after `make web`, or installed from a wheel: this one "
        "has no page for reports");
  }
}

// 2GB, 1.5GiB, 500MB: bytes.
std::size_t memory_of(const std::string& text) {
  const std::string allowed = "a number and kB, MB, GB, TB, or KiB, MiB, GiB, TiB, as in 2GB";
  const std::size_t unit = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto value = number<double>("--memory-limit", text.substr(0, unit), allowed);
  constexpr std::string_view kPrefixes = "kmgt";
  const bool is_binary = text.size() == unit + 3 && text.substr(unit + 1) == "iB";
  const bool is_decimal = text.size() == unit + 2 && text[unit + 1] == 'B';
  const std::size_t power =
      unit < text.size()
          ? kPrefixes.find(static_cast<char>(std::tolower(static_cast<unsigned char>(text[unit]))))
          : std::string_view::npos;
  if (!(is_binary || is_decimal) || power == std::string_view::npos) {
    refuse("--memory-limit", text, allowed);
  }
  const double bytes =
      value * std::pow(is_binary ? 1024.0 : 1000.0, static_cast<double>(power + 1));
  if (!(bytes >= 1 && bytes <= 1e18)) {
    refuse("--memory-limit", text, allowed);
  }
  return static_cast<std::size_t>(bytes);
}

// Before the work begins: what needs the rows in memory.
void check_limited(const Command& command, const std::string& limit) {
  for (const char* option :
       {"--levels", "--model", "--layout", "--strength", "--report", "--must-link", "--cannot-link",
        "--pairs", "--cannot-link-by", "--learn"}) {
    if (command.count(option) > 0) {
      refuse("--memory-limit", limit,
             std::string("without ") + option + ", which needs all rows in memory");
    }
  }
}

int run_cluster(const Command& command, const Arguments& arguments) {
  const auto start = std::chrono::steady_clock::now();
  shiftcut::Options options = arguments.grouping.options(command);
  const Outputs outputs{OutputFile("--labels", arguments.labels_file),
                        OutputFile("--json", arguments.json_file),
                        OutputFile("--levels", arguments.levels_file),
                        OutputFile("--model", arguments.model_file),
                        OutputFile("--layout", arguments.layout_file),
                        OutputFile("--strength", arguments.strength_file),
                        OutputFile("--report", arguments.report_file)};
  const auto& [labels, json, levels, model, layout, strength, report] = outputs;
  const std::array all{&labels, &json, &levels, &model, &layout, &strength, &report};
  for (std::size_t i = 0; i < all.size(); ++i) {
    arguments.grouping.require_other_than_read(*all[i]);
    for (std::size_t j = 0; j < i; ++j) {
      all[j]->require_other_than(*all[i]);
    }
  }
  check_report(report);
  const bool needs_model = model.is_given() || strength.is_given();
  if (needs_model && options.shift.kind == shiftcut::ShiftKind::matrix) {
    refuse(model.is_given() ? "--model" : "--strength",
           model.is_given() ? arguments.model_file : arguments.strength_file,
           "not with a shift matrix, which has no shift for new objects");
  }
  const bool is_limited = command.count("--memory-limit") > 0;
  const std::size_t memory = is_limited ? memory_of(arguments.memory_limit) : 0;
  if (is_limited) {
    check_limited(command, arguments.memory_limit);
  }
  std::optional<shiftcut::Checkpoint> checkpoint;
  if (command.count("--checkpoint") > 0) {
    checkpoint.emplace(arguments.checkpoint);
  }
  catch_interrupts();

  shiftcut::Result result;
  shiftcut::Input input;
  Made made;
  std::shared_ptr<const shiftcut::NeighborTable> neighbors;
  {
    ProgressLine line(arguments.quiet);
    shiftcut::Control control = line.control();
    control.checkpoint = checkpoint ? &*checkpoint : nullptr;
    const shiftcut::ReadOptions how = arguments.grouping.read_options();
    shiftcut::Kept kept;
    double read_seconds = 0;
    if (is_limited) {
      shiftcut::FileRun run =
          shiftcut::run_file(arguments.grouping.read.path, how, options, memory, control);
      input = std::move(run.input);
      result = std::move(run.result);
    } else {
      input = needs_model ? shiftcut::read_training(arguments.grouping.read.path, how,
                                                    kept.encoding, control)
                          : shiftcut::read_input(arguments.grouping.read.path, how, control);
      check_fits(command, input, options.similarity);
      for (const OutputFile* output : all) {
        arguments.grouping.require_other_than_groups(*output, input);
      }
      options.links = arguments.grouping.links(input);
      read_seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      const bool needs_neighbors =
          needs_model || layout.is_given() || levels.is_given() || report.is_given();
      result = shiftcut::run(input, options, control, needs_neighbors ? &kept.neighbors : nullptr);
    }
    control.checkpoint = nullptr;
    if (checkpoint) {
      const std::vector<shiftcut::Message> said = checkpoint->messages();
      result.warnings.insert(result.warnings.end(), said.begin(), said.end());
    }
    result.seconds.read = read_seconds;
    result.seconds.total += read_seconds;
    neighbors = kept.neighbors;
    if (layout.is_given()) {
      try {
        made.places = shiftcut::layout(input, options, result, kept.neighbors.get(), control);
      } catch (const shiftcut::Interrupted&) {
        result.stop_reason = shiftcut::StopReason::interrupted;
      }
    }
    if (report.is_given()) {
      shiftcut::PageOptions page;
      page.title = title_of(input);
      page.command = grouping_command(command);
      page.places = made.places ? &*made.places : nullptr;
      page.naming = option_name;
      made.report_page =
          shiftcut::page_html(input, options, result, page, kept.neighbors.get(), control);
    }
    if (needs_model) {  // also of a run that was interrupted
      shiftcut::Model trained = shiftcut::make_model(input, options, result, kept);
      if (model.is_given()) {
        made.model_bytes = shiftcut::model_bytes(trained);
      }
      if (strength.is_given()) {
        made.strengths = std::move(trained.strengths);
      }
    }
  }

  const auto levels_text = [&] {
    return shiftcut::levels_csv(shiftcut::make_levels(input, options, result, {}, neighbors.get()),
                                result, input);
  };
  write_outputs(result, input, outputs, made, levels_text);
  if (layout.is_given() && !made.places) {
    show("warning", {"--layout: not written, as the run was interrupted before there was a map."});
  }
  if (result.stop_reason == shiftcut::StopReason::interrupted) {
    return 130;
  }
  if (checkpoint) {
    checkpoint->remove_parts();
  }
  return 0;
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
  command.add_option("--strength", a.strength_file,
                     "Write id,label,strength,outlier_score lines to this file, and strengths to "
                     "the JSON: how sure each label is");
  command.add_option("--report", a.report_file,
                     "Write a page about the clusters to this file, to be opened in any browser");
  command.add_option("--checkpoint", a.checkpoint,
                     "Folder that keeps what is finished, so that the same command, started again "
                     "after a kill, goes on; emptied at the end");
  command.add_option(
      "--memory-limit", a.memory_limit,
      "Memory that may be resident, such as 2GB: an .npy file is read in blocks, with "
      "temporary files in $TMPDIR, and the graph of neighbours must fit (no limit)");
  command.add_flag("--quiet", a.quiet, "Show no progress line");
  command.on_run([&command, arguments] { return run_cluster(command, *arguments); });
}
