#include <csignal>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "cluster_options.hpp"
#include "commands.hpp"
#include "label/answers_file.hpp"
#include "label/file_lock.hpp"
#include "label/label_session.hpp"
#include "label/text_width.hpp"
#include "output/output_file.hpp"
#include "output/progress_line.hpp"
#include "output/standard_output.hpp"
#include "parse.hpp"
#include "shiftcut/shiftcut.hpp"

namespace {

using shiftcut::Answer;

struct LabelArguments {
  ClusterArguments grouping;
  std::string answers_file;
  std::string labels_file;
  std::string strategy = "entropy";
  std::string questions;
  bool no_learn = false;
  bool quiet = false;
};

SessionOptions session_options(const LabelArguments& arguments, OutputFile answers) {
  SessionOptions options;
  options.answers = std::move(answers);
  options.quiet = arguments.quiet;
  if (!arguments.questions.empty()) {
    const char* const allowed = "a whole number of 1 or more";
    options.questions = number<std::size_t>("--questions", arguments.questions, allowed);
    if (*options.questions == 0) {
      refuse("--questions", arguments.questions, allowed);
    }
  }
  return options;
}

shiftcut::FeedbackOptions feedback_options(const LabelArguments& arguments) {
  shiftcut::FeedbackOptions options;
  options.strategy = choice<shiftcut::Strategy>("--strategy", arguments.strategy);
  options.learn = !arguments.no_learn;
  return options;
}

std::string for_shell(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyz"
                                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-+=.,:/@%") == std::string::npos;
  if (plain) {
    return word;
  }
  // What a terminal would obey is spelt out, which bash and zsh understand.
  const bool spelt = harmless(word) != word;
  std::string out = spelt ? "$'" : "'";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (spelt && (byte < 0x20 || byte >= 0x7f || c == '\'' || c == '\\')) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c == '\'' ? "'\\''" : std::string(1, c);
    }
  }
  return out + "'";
}

// The options that `cluster` knows too, as they were given.
std::string cluster_command(const Command& command, const LabelArguments& arguments, bool learn) {
  const std::set<std::string> own = {"INPUT",       "--answers",  "--labels", "--strategy",
                                     "--questions", "--no-learn", "--quiet"};
  std::string line = "shiftcut cluster " + for_shell(arguments.grouping.read.path);
  for (const Command::Given& option : command.given()) {
    if (own.contains(option.name)) {
      continue;
    }
    line += ' ' + option.name;
    for (const std::string& value : option.values) {
      line += ' ' + for_shell(value);
    }
  }
  return line + " --pairs " + for_shell(arguments.answers_file) + (learn ? " --learn" : "");
}

std::string summary(const Command& command, const LabelArguments& arguments,
                    const shiftcut::Feedback& feedback) {
  std::map<Answer::Says, std::size_t> count;
  for (const Answer& answer : feedback.answers()) {
    ++count[answer.says];
  }
  const shiftcut::Result& result = feedback.result();
  const std::string clusters = fmt::format(
      "{} {} in {} {}: {}\n", result.objects, result.objects == 1 ? "object" : "objects",
      result.clusters_found, result.clusters_found == 1 ? "cluster" : "clusters",
      printable(arguments.labels_file));
  if (feedback.answers().empty()) {
    return clusters + "no answers\n";
  }
  const std::size_t pairs = count[Answer::Says::same] + count[Answer::Says::different];
  return clusters + fmt::format(
                        "{} same, {} different, {} unsure: {}\n"
                        "to group with these answers again:\n  {}\n",
                        count[Answer::Says::same], count[Answer::Says::different],
                        count[Answer::Says::unsure], printable(arguments.answers_file),
                        cluster_command(command, arguments, !arguments.no_learn && pairs > 0));
}

int run_label(const Command& command, LabelArguments arguments) {
  const ReadArguments& read = arguments.grouping.read;
  shiftcut::Options options = arguments.grouping.options(command);
  const shiftcut::FeedbackOptions how = feedback_options(arguments);
  require_readable_again(read.path);
  const OutputFile answers = answers_file("--answers", arguments.grouping, arguments.answers_file);
  const OutputFile labels =
      named_after_input("--labels", ".labels.csv", arguments.grouping, arguments.labels_file);
  labels.require_other_than(answers);
  const SessionOptions session = session_options(arguments, answers);
  catch_interrupts();
  std::signal(SIGPIPE, SIG_IGN);  // an error like others, so that the terminal is put back
  const FileLock lock(answers);

  ProgressLine line(arguments.quiet);
  const shiftcut::Control control = line.control();
  shiftcut::Input input =
      shiftcut::read_input(read.path, arguments.grouping.read_options(), control);
  const shiftcut::Records records(input, read.path, read.options());
  check_fits(command, input, options.similarity);
  arguments.grouping.require_other_than_groups(answers, input);
  arguments.grouping.require_other_than_groups(labels, input);
  options.links = arguments.grouping.links(input);
  const std::vector<Answer> before = answers_before(arguments.answers_file, input);
  shiftcut::Feedback feedback(input, options, how, control);
  resume(feedback, before, arguments.answers_file, control);
  line.clear();
  if (control.stop_requested()) {
    throw shiftcut::Interrupted();
  }
  show("note", render(input.notes, option_name));
  if (!before.empty()) {
    print_lines(fmt::format("{} {} in {}; resuming from there\n", before.size(),
                            before.size() == 1 ? "answer" : "answers",
                            printable(arguments.answers_file)));
  }
  std::optional<OutputError> lost;
  try {
    LabelSession(input, feedback, records, session).run();
  } catch (const OutputError& error) {  // nobody sees the questions; what is known is written
    lost = error;
  }
  labels.write(shiftcut::labels_csv(feedback.result(), input));
  if (lost) {
    throw OutputError(*lost);
  }
  print_lines(summary(command, arguments, feedback));
  return control.stop_requested() ? 130 : 0;
}

}  // namespace

void add_label_command(CommandLine& program) {
  auto arguments = std::make_shared<LabelArguments>();
  Command& command = program.add_command(
      "label", "Ask which objects of INPUT belong together, and group them by the answers");
  LabelArguments& a = *arguments;
  a.grouping.add_to(command);
  command.add_option("--answers", a.answers_file,
                     "File the answers are saved in and resumed from (INPUT's name.answers.csv)");
  command.add_option("--labels", a.labels_file,
                     "Write id,label lines to this file (INPUT's name.labels.csv)");
  command.add_option("--strategy", a.strategy,
                     "What to ask: " + shiftcut::list_words<shiftcut::Strategy>() + " (entropy)");
  command.add_option("--questions", a.questions, "Stop after this many answers (no limit)");
  command.add_flag("--no-learn", a.no_learn, "Learn nothing from the answers about other pairs");
  command.add_flag("--quiet", a.quiet, "Show no progress line");
  command.on_run([&command, arguments] { return run_label(command, *arguments); });
}
