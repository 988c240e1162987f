#include <algorithm>
#include <memory>
#include <numeric>
#include <unordered_map>

#include <fmt/core.h>

#include "cluster_options.hpp"
#include "commands.hpp"
#include "output/output_file.hpp"
#include "output/progress_line.hpp"
#include "output/standard_output.hpp"
#include "parse.hpp"
#include "shiftcut/shiftcut.hpp"

namespace {

struct DescribeArguments {
  ClusterArguments grouping;
  std::string labels_file;
  std::string exemplars = "3";
  std::string columns = "5";
  std::string json_file;
  bool quiet = false;
};

// Labels of a file as numbers, by decreasing size and then by first appearance.
struct NamedLabels {
  std::vector<std::int32_t> labels;
  std::vector<std::string> names;
};

// Objects labelled -1, or not at all, belong to no cluster.
bool is_none(const std::string& label) { return label.empty() || label == "-1"; }

NamedLabels numbered_by_size(const std::vector<std::string>& texts) {
  std::unordered_map<std::string, std::size_t> place;
  std::vector<std::pair<std::size_t, std::string>> counts;
  for (const std::string& text : texts) {
    if (!is_none(text)) {
      const auto [found, is_new] = place.try_emplace(text, counts.size());
      if (is_new) {
        counts.emplace_back(0, text);
      }
      ++counts[found->second].first;
    }
  }
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return counts[a].first > counts[b].first; });
  NamedLabels out;
  std::vector<std::int32_t> number(counts.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    number[order[k]] = static_cast<std::int32_t>(k);
    out.names.push_back(counts[order[k]].second);
  }
  for (const std::string& text : texts) {
    out.labels.push_back(is_none(text) ? -1 : number[place[text]]);
  }
  return out;
}

// In the order of the objects: by id, or row number, where the file names them.
NamedLabels labels_of(const std::string& path, const shiftcut::Input& input) {
  const shiftcut::LabelFile file = shiftcut::read_labels(path);
  show("note", render(file.notes, option_name));
  const std::size_t n = input.objects();
  if (file.labels.size() != n) {
    throw std::invalid_argument(
        fmt::format("{}: found {} labels; allowed: {}, one per object of {}", printable(path),
                    file.labels.size(), n, printable(input.name)));
  }
  if (file.ids.empty()) {
    return numbered_by_size(file.labels);
  }
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < n; ++i) {
    place.emplace(input.ids.empty() ? fmt::format("{}", i) : input.ids[i], i);
  }
  std::vector<std::string> ordered(n);
  std::vector<bool> is_seen(n, false);
  for (std::size_t line = 0; line < n; ++line) {
    const auto found = place.find(file.ids[line]);
    if (found == place.end() || is_seen[found->second]) {
      throw std::invalid_argument(fmt::format(
          "{}: found id {} {}; allowed: each {} of {} once", printable(path),
          printable(file.ids[line]), found == place.end() ? "that is no object" : "twice",
          input.ids.empty() ? "row number" : "id", printable(input.name)));
    }
    is_seen[found->second] = true;
    ordered[found->second] = file.labels[line];
  }
  return numbered_by_size(ordered);
}

int run_describe(const Command& command, const DescribeArguments& arguments) {
  shiftcut::Options options = arguments.grouping.options(command);
  shiftcut::DescribeOptions how;
  how.exemplars = number<std::size_t>("--exemplars", arguments.exemplars, "a whole number");
  how.columns = number<std::size_t>("--columns", arguments.columns, "a whole number");
  how.similarity = options.similarity;
  how.threads = options.search.threads;
  const OutputFile json("--json", arguments.json_file);
  arguments.grouping.require_other_than_read(json);
  json.require_other_than("--labels", arguments.labels_file);
  catch_interrupts();

  shiftcut::Input input;
  NamedLabels named;
  std::vector<shiftcut::Message> warnings;
  std::vector<shiftcut::ClusterDescription> clusters;
  {
    ProgressLine line(arguments.quiet);
    const shiftcut::Control control = line.control();
    input = shiftcut::read_input(arguments.grouping.read.path, arguments.grouping.read_options(),
                                 control);
    check_fits(command, input, options.similarity);
    arguments.grouping.require_other_than_groups(json, input);
    if (arguments.labels_file.empty()) {
      options.links = arguments.grouping.links(input);
      std::shared_ptr<const shiftcut::NeighborTable> neighbors;
      const shiftcut::Result result = shiftcut::run(input, options, control, &neighbors);
      if (result.stop_reason == shiftcut::StopReason::interrupted) {
        throw shiftcut::Interrupted();
      }
      warnings = result.warnings;
      clusters = shiftcut::describe_clusters(input, options, result, neighbors.get(), how, control);
    } else {
      named = labels_of(arguments.labels_file, input);
      warnings = input.notes;
      clusters = shiftcut::describe_clusters(input, named.labels, how, control);
    }
  }
  show("note", render(warnings, option_name));
  if (json.is_given()) {
    json.write(shiftcut::to_json(clusters, input, named.names));
  }
  if (!json.is_standard_output()) {
    print_lines(shiftcut::to_text(clusters, input, named.names));
  }
  return 0;
}

}  // namespace

void add_describe_command(CommandLine& program) {
  auto arguments = std::make_shared<DescribeArguments>();
  Command& command = program.add_command(
      "describe", "Group the objects of INPUT and say what sets each cluster apart");
  DescribeArguments& a = *arguments;
  a.grouping.add_to(command);
  a.grouping.add_answers_to(command);
  command.add_option("--labels", a.labels_file,
                     "Describe these labels, as cluster --labels or another program wrote them, "
                     "instead of grouping the objects; -1 is no cluster");
  command.add_option("--exemplars", a.exemplars, "Typical objects of each cluster, at most (3)");
  command.add_option("--columns", a.columns,
                     "Columns of each cluster that differ most from the rest, at most (5)");
  command.add_option(
      "--json", a.json_file,
      "Write the description to this file; - for standard output, with nothing else printed there");
  command.add_flag("--quiet", a.quiet, "Show no progress line");
  command.on_run([&command, arguments] { return run_describe(command, *arguments); });
}
