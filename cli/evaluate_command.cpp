#include <memory>
#include <unordered_map>

#include <fmt/core.h>

#include "commands.hpp"
#include "output/output_file.hpp"
#include "output/standard_output.hpp"
#include "parse.hpp"
#include "shiftcut/shiftcut.hpp"

namespace {

struct EvaluateArguments {
  std::string truth;
  std::string labels;
  std::string json_file;
  std::string delimiter;
};

shiftcut::LabelFile read(const std::string& path, const EvaluateArguments& arguments) {
  shiftcut::LabelFile file = shiftcut::read_labels(path, delimiter_of(arguments.delimiter));
  show("note", render(file.notes, option_name));
  return file;
}

// Texts to numbers, by first appearance.
std::vector<std::int32_t> numbered(const std::vector<std::string>& labels) {
  std::unordered_map<std::string, std::int32_t> index;
  std::vector<std::int32_t> numbers;
  numbers.reserve(labels.size());
  for (const std::string& label : labels) {
    numbers.push_back(
        index.try_emplace(label, static_cast<std::int32_t>(index.size())).first->second);
  }
  return numbers;
}

using ById = std::unordered_map<std::string, std::string>;

ById by_id(const shiftcut::LabelFile& file, const std::string& path) {
  ById labels;
  for (std::size_t i = 0; i < file.ids.size(); ++i) {
    if (!labels.emplace(file.ids[i], file.labels[i]).second) {
      throw std::invalid_argument(fmt::format("{}: found id '{}' twice; allowed: each id once",
                                              printable(path), printable(file.ids[i])));
    }
  }
  return labels;
}

// The labels in the order of the truth's ids, where both files name ids.
std::vector<std::string> matched(const shiftcut::LabelFile& truth,
                                 const shiftcut::LabelFile& labels,
                                 const EvaluateArguments& arguments) {
  if (truth.labels.size() != labels.labels.size()) {
    throw std::invalid_argument(fmt::format("{}: found {} labels; allowed: {}, as in {}",
                                            printable(arguments.labels), labels.labels.size(),
                                            truth.labels.size(), printable(arguments.truth)));
  }
  if (truth.ids.empty() || labels.ids.empty()) {
    return labels.labels;
  }
  by_id(truth, arguments.truth);
  const ById found = by_id(labels, arguments.labels);
  std::vector<std::string> result;
  for (const std::string& id : truth.ids) {
    const auto it = found.find(id);
    if (it == found.end()) {
      throw std::invalid_argument(fmt::format("{}: found no id '{}'; allowed: the ids in {}",
                                              printable(arguments.labels), printable(id),
                                              printable(arguments.truth)));
    }
    result.push_back(it->second);
  }
  return result;
}

void run_evaluate(const EvaluateArguments& arguments) {
  const OutputFile json("--json", arguments.json_file);
  json.require_other_than("TRUTH", arguments.truth);
  json.require_other_than("LABELS", arguments.labels);
  const shiftcut::LabelFile truth = read(arguments.truth, arguments);
  const shiftcut::LabelFile labels = read(arguments.labels, arguments);
  const shiftcut::Scores scores =
      shiftcut::score(numbered(truth.labels), numbered(matched(truth, labels, arguments)));
  if (json.is_given()) {
    json.write(shiftcut::to_json(scores));
  }
  if (!json.is_standard_output()) {
    print_lines(fmt::format(
        "AMI           {:.6f}\nAMI (max)     {:.6f}\nARI           {:.6f}\nV-measure     {:.6f}\n"
        "homogeneity   {:.6f}\ncompleteness  {:.6f}\n",
        scores.ami, scores.ami_max, scores.ari, scores.v_measure, scores.homogeneity,
        scores.completeness));
  }
}

struct InfoArguments {
  ReadArguments read;
};

}  // namespace

void add_evaluate_command(CommandLine& program) {
  auto arguments = std::make_shared<EvaluateArguments>();
  Command& command = program.add_command("evaluate", "Score one file of labels against another");
  command.add_required("TRUTH", arguments->truth,
                       "CSV with a column `label`, or one label per line");
  command.add_required("LABELS", arguments->labels, "The labels to score, in the same form");
  command.add_option("--delimiter", arguments->delimiter,
                     "Delimiter between cells: , ; | tab or another (detected from the header)");
  command.add_option("--json", arguments->json_file, "Write the scores to this file");
  command.on_run([arguments] {
    run_evaluate(*arguments);
    return 0;
  });
}

void add_info_command(CommandLine& program) {
  auto arguments = std::make_shared<InfoArguments>();
  Command& command = program.add_command("info", "Show what INPUT holds, as it would be read");
  arguments->read.add_to(command);
  command.on_run([arguments] {
    const shiftcut::Input input =
        shiftcut::read_input(arguments->read.path, arguments->read.options());
    print_lines(shiftcut::describe(input, option_name));
    return 0;
  });
}
