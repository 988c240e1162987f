#include <charconv>
#include <chrono>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "progress_line.hpp"
#include "shiftcut/shiftcut.hpp"

namespace {

using shiftcut::Options;

struct ClusterArguments {
  ReadArguments read;
  std::string clusters = "auto";
  std::string preset;
  std::string scale;
  std::string similarity;
  std::string sigma;
  std::string distance;
  std::string shift;
  double strength = 1;
  std::string method;
  int restarts = 10;
  std::uint64_t seed = 0;
  int threads = 0;
  double max_seconds = 0;
  std::string labels_file;
  std::string json_file;
  bool quiet = false;
};

[[noreturn]] void refuse(const std::string& option, const std::string& found,
                         const std::string& allowed) {
  throw std::invalid_argument(fmt::format("{}: found '{}'; allowed: {}", option, found, allowed));
}

double number_of(const std::string& option, const std::string& text, const std::string& allowed) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end) {
    refuse(option, text, allowed);
  }
  return value;
}

std::optional<std::size_t> clusters_of(const std::string& text) {
  if (text == "auto") {
    return std::nullopt;
  }
  std::size_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end || value == 0) {
    refuse("--clusters", text, "a whole number of 1 or more, or auto");
  }
  return value;
}

// adaptive | none | constant=A | matrix=FILE
void set_shift(const std::string& text, shiftcut::ShiftOptions& shift) {
  using shiftcut::ShiftKind;
  const std::string allowed = "adaptive, none, constant=A or matrix=FILE";
  const std::size_t equals = text.find('=');
  const std::string kind = text.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (kind == "constant") {
    shift.kind = ShiftKind::constant;
    shift.constant = number_of("--shift constant", value, "a number, as in constant=0.5");
  } else if (kind == "matrix" && !value.empty()) {
    shift.kind = ShiftKind::matrix;
    shiftcut::ReadOptions options;
    options.shape = shiftcut::ShapeChoice::similarity;
    shift.matrix = shiftcut::read_input(value, options).values;
  } else if (equals == std::string::npos && kind == "adaptive") {
    shift.kind = ShiftKind::adaptive;
  } else if (equals == std::string::npos && kind == "none") {
    shift.kind = ShiftKind::none;
  } else {
    refuse("--shift", text, allowed);
  }
}

// The preset first, then what was said beside it.
Options options_of(const CLI::App& command, const ClusterArguments& arguments) {
  using shiftcut::Distance;
  using shiftcut::Scale;
  using shiftcut::Similarity;
  static const std::map<std::string, Scale> kScales = {
      {"standard", Scale::standard}, {"minmax", Scale::minmax}, {"none", Scale::none}};
  static const std::map<std::string, Similarity> kSimilarities = {
      {"linear", Similarity::linear}, {"cosine", Similarity::cosine}, {"rbf", Similarity::rbf}};
  static const std::map<std::string, Distance> kDistances = {
      {"sqeuclidean", Distance::sqeuclidean}, {"euclidean", Distance::euclidean}};

  Options options = arguments.preset == "paper" ? shiftcut::paper_preset() : Options{};
  const auto given = [&](const char* name) { return command.count(name) > 0; };
  if (given("--scale")) {
    options.similarity.scale = kScales.at(arguments.scale);
  }
  if (given("--similarity")) {
    options.similarity.kind = kSimilarities.at(arguments.similarity);
  }
  if (given("--distance")) {
    options.similarity.distance = kDistances.at(arguments.distance);
  }
  if (given("--sigma") && arguments.sigma != "auto") {
    options.similarity.sigma =
        number_of("--sigma", arguments.sigma, "a number above 0, or auto: self-tuned");
  }
  if (given("--shift")) {
    set_shift(arguments.shift, options.shift);
  }
  if (given("--shift-strength")) {
    options.shift.strength = arguments.strength;
  }
  if (given("--method")) {
    options.search.method = arguments.method == "local-search" ? shiftcut::Method::local_search
                                                               : shiftcut::Method::automatic;
  }
  if (given("--restarts")) {
    options.search.restarts = arguments.restarts;
  }
  if (given("--max-seconds") && !(arguments.max_seconds > 0)) {
    refuse("--max-seconds", fmt::format("{}", arguments.max_seconds), "a number above 0");
  }
  options.search.clusters = clusters_of(arguments.clusters);
  options.search.seed = arguments.seed;
  options.search.threads = arguments.threads;
  options.search.max_seconds = arguments.max_seconds;
  return options;
}

// Options on features make no sense for a matrix or a graph: say so rather than ignore them.
void check_fits(const CLI::App& command, const shiftcut::Input& input) {
  if (input.shape == shiftcut::Shape::features) {
    return;
  }
  for (const char* option : {"--scale", "--similarity", "--distance", "--sigma"}) {
    if (command.count(option) > 0) {
      throw std::invalid_argument(
          fmt::format("{}: found with {}, which holds similarities itself; allowed: only with "
                      "features (--as features)",
                      option, input.name));
    }
  }
}

int run_cluster(const CLI::App& command, const ClusterArguments& arguments) {
  const auto start = std::chrono::steady_clock::now();
  const Options options = options_of(command, arguments);
  check_writable("--labels", arguments.labels_file);
  check_writable("--json", arguments.json_file);
  catch_interrupts();

  shiftcut::Result result;
  shiftcut::Input input;
  {
    ProgressLine line(arguments.quiet);
    const shiftcut::Control control = line.control();
    input = shiftcut::read_input(arguments.read.path, arguments.read.options(), control);
    check_fits(command, input);
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
  auto arguments = std::make_shared<ClusterArguments>();
  CLI::App* command = app.add_subcommand("cluster", "Group the objects of INPUT");
  ClusterArguments& a = *arguments;
  a.read.add_to(*command);
  command->add_option("-k,--clusters", a.clusters,
                      "At most so many clusters; auto: the cost decides (auto)");
  command->add_option("--preset", a.preset, "paper: the paper's pipeline; other options override")
      ->check(CLI::IsMember({"paper"}));
  command->add_option("--scale", a.scale, "standard, minmax or none (standard)")
      ->check(CLI::IsMember({"standard", "minmax", "none"}));
  command->add_option("--similarity", a.similarity, "linear, cosine or rbf (linear)")
      ->check(CLI::IsMember({"linear", "cosine", "rbf"}));
  command->add_option("--distance", a.distance,
                      "Under linear: sqeuclidean or euclidean (sqeuclidean: no n x n matrix)")
      ->check(CLI::IsMember({"sqeuclidean", "euclidean"}));
  command->add_option("--sigma", a.sigma, "Under rbf: a number, or auto: self-tuned (auto)");
  command->add_option("--shift", a.shift,
                      "adaptive, none, constant=A or matrix=FILE (adaptive)");
  command->add_option("--shift-strength", a.strength, "What the shift is multiplied by (1)");
  command->add_option("--method", a.method, "auto or local-search (auto)")
      ->check(CLI::IsMember({"auto", "local-search"}));
  command->add_option("--restarts", a.restarts, "Random starts, of which the lowest cost wins (10)");
  command->add_option("--seed", a.seed, "Same seed, same answer (0)");
  command->add_option("--threads", a.threads, "0: all; never changes the answer (0)");
  command->add_option("--max-seconds", a.max_seconds, "Then the best so far is returned (none)");
  command->add_option("--labels", a.labels_file, "Write id,label lines to this file");
  command->add_option("--json", a.json_file,
                      "Write the result to this file; -: standard output, nothing else there");
  command->add_flag("--quiet", a.quiet, "No progress line");
  command->callback([command, arguments, &exit_code] {
    exit_code = run_cluster(*command, *arguments);
  });
}
