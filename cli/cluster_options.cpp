#include "cluster_options.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "parse.hpp"

namespace {

using shiftcut::Options;

std::optional<std::size_t> clusters_of(const std::string& text) {
  if (text == "auto") {
    return std::nullopt;
  }
  const std::string allowed = "a whole number of 1 or more, or auto";
  const auto value = number<std::size_t>("-k", text, allowed);
  if (value == 0) {
    refuse("-k", text, allowed);
  }
  return value;
}

std::size_t size_of(const char* option, const std::string& text) {
  const std::string allowed = "a whole number of 1 or more";
  const auto value = text.empty() ? 0 : number<std::size_t>(option, text, allowed);
  if (!text.empty() && value == 0) {
    refuse(option, text, allowed);
  }
  return value;
}

// auto | adaptive | degree | none | constant=A | matrix=FILE
void set_shift(const std::string& text, shiftcut::ShiftOptions& shift) {
  using shiftcut::ShiftKind;
  const std::size_t equals = text.find('=');
  const std::string kind = text.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  const auto known = shiftcut::from_word<ShiftKind>(kind);
  if (known == ShiftKind::constant) {
    shift.constant = number<double>("--shift constant", value, "a number, as in constant=0.5");
  } else if (known == ShiftKind::matrix && !value.empty()) {
    if (value == "-") {
      refuse("--shift matrix", value, "a file, as in matrix=alpha.npy");
    }
    shiftcut::ReadOptions options;
    options.shape = shiftcut::ShapeChoice::similarity;
    shift.matrix = shiftcut::read_input(value, options).values;
  } else if (!known || known == ShiftKind::matrix || equals != std::string::npos) {
    refuse("--shift", text, "auto, adaptive, degree, linkage, none, constant=A or matrix=FILE");
  }
  shift.kind = *known;
}

void set_similarity(const Command& command, const ClusterArguments& arguments,
                    shiftcut::SimilarityOptions& how) {
  using shiftcut::Similarity;
  if (command.count("--scale") > 0) {
    how.scale = choice<shiftcut::Scale>("--scale", arguments.scale);
  }
  if (command.count("--similarity") > 0) {
    how.kind = choice<Similarity>("--similarity", arguments.similarity);
  }
  if (command.count("--distance") > 0) {
    how.distance = choice<shiftcut::Distance>("--distance", arguments.distance);
    if (command.count("--similarity") == 0) {
      how.kind = Similarity::linear;
    }
    if (how.kind != Similarity::linear) {
      refuse("--distance", arguments.distance, "only with --similarity linear");
    }
  }
  if (command.count("--sigma") > 0) {
    if (command.count("--similarity") == 0 && command.count("--distance") == 0) {
      how.kind = Similarity::rbf;
    }
    if (how.kind != Similarity::rbf) {
      refuse("--sigma", arguments.sigma, "only with --similarity rbf");
    }
    if (arguments.sigma != "auto") {
      how.sigma =
          number<double>("--sigma", arguments.sigma, "a number above 0, or auto: self-tuned");
    }
  }
}

void set_neighbors(const Command& command, const ClusterArguments& arguments,
                   shiftcut::SimilarityOptions& how) {
  const bool log_odds = arguments.weights == word_of(shiftcut::Weights::log_odds);
  for (const auto& [option, text] :
       {std::pair("--neighbors", arguments.neighbors), std::pair("--weights", arguments.weights),
        std::pair("--metric", arguments.metric)}) {
    if (command.count(option) > 0 && !log_odds && how.kind != shiftcut::Similarity::neighbors &&
        how.kind != shiftcut::Similarity::automatic) {
      refuse(option, text, "only with --similarity neighbors");
    }
  }
  if (command.count("--metric") > 0) {
    how.metric = choice<shiftcut::Metric>("--metric", arguments.metric);
  }
  if (command.count("--neighbors") > 0) {
    how.neighbors = number<std::size_t>("--neighbors", arguments.neighbors, "1 to 1000");
    if (how.neighbors == 0) {
      refuse("--neighbors", arguments.neighbors, "1 to 1000");
    }
  }
  if (command.count("--weights") > 0) {
    how.weights = choice<shiftcut::Weights>("--weights", arguments.weights);
  }
}

}  // namespace

void ClusterArguments::add_to(Command& command) {
  using shiftcut::list_words;
  read.add_to(command);
  command.add_option("-k,--clusters", clusters,
                     "At most this many clusters; auto: the data decide (auto)");
  command.add_option(
      "--min-size", min_size,
      "Objects that every cluster holds at least; with K given, all K are used (none)");
  command.add_option("--max-size", max_size, "Objects that every cluster holds at most (none)");
  command.add_option("--preset", preset, "paper: the paper's pipeline; other options override it");
  command.add_option("--scale", scale,
                     list_words<shiftcut::Scale>() + " (auto: standard or none, by the data)");
  command.add_option("--similarity", similarity,
                     list_words<shiftcut::Similarity>() +
                         " (auto: neighbors; cosine for rows of words; a matrix of similarities or "
                         "a graph as it is)");
  command.add_option(
      "--metric", metric,
      "Distance under neighbors, which it implies: " + list_words<shiftcut::Metric>() +
          " (auto: euclidean; cosine for rows of mostly zeros)");
  command.add_option(
      "--distance", distance,
      "Distance under linear, which it implies: " + list_words<shiftcut::Distance>() +
          " (sqeuclidean, which needs no n x n matrix)");
  command.add_option(
      "--sigma", sigma,
      "Width of rbf, which it implies: a number, or auto: self-tuned per object (auto)");
  command.add_option(
      "--neighbors", neighbors,
      "Under neighbors: how many nearest objects each one is joined to, 1 to 1000 (10)");
  command.add_option("--weights", weights,
                     "Edge weights under neighbors: shared, binary or gaussian (shared); for a "
                     "graph of probabilities: log-odds");
  command.add_option("--shift", shift,
                     "auto, adaptive, degree, linkage, none, constant=A or matrix=FILE (auto for "
                     "neighbors, linkage "
                     "for log-odds, otherwise adaptive)");
  command.add_option("--shift-strength", strength, "Factor the shift is multiplied by (1)");
  command.add_option("--method", method, list_words<shiftcut::Method>() + " (auto: several)");
  command.add_option("--restarts", restarts,
                     "Random starts; the one with the lowest cost wins (10)");
  command.add_option("--seed", seed, "Same seed, same result (0)");
  command.add_option("--threads", threads, "0: all cores; never changes the result (0)");
  command.add_option("--max-seconds", max_seconds,
                     "Time limit, after which the best grouping so far is returned (none)");
  command.add_option("--must-link", must_link,
                     "File of pairs that belong together: two ids or row numbers per line, and a "
                     "weight if uncertain");
  command.add_option("--cannot-link", cannot_link, "File of pairs that do not belong together");
  command.add_option("--cannot-link-by", cannot_link_by,
                     "No two objects with the same value share a cluster: a column of the table, "
                     "or a file of id,value lines");
}

void ClusterArguments::add_answers_to(Command& command) {
  command.add_option("--pairs", answers,
                     "File of answers, as written by label: lines a,b,same|different|unsure");
  command.add_flag("--learn", learn,
                   "Learn from the pairs how much each feature counts and how strong the shift is");
}

Options ClusterArguments::options(const Command& command) const {
  const ClusterArguments& arguments = *this;
  const auto given = [&](const char* name) { return command.count(name) > 0; };
  Options options;
  if (given("--preset")) {
    if (arguments.preset != "paper") {
      refuse("--preset", arguments.preset, "paper");
    }
    options = shiftcut::paper_preset();
  }
  set_similarity(command, arguments, options.similarity);
  set_neighbors(command, arguments, options.similarity);
  if (given("--shift")) {
    set_shift(arguments.shift, options.shift);
  }
  if (given("--shift-strength")) {
    options.shift.strength =
        number<double>("--shift-strength", arguments.strength, "a number of 0 or more");
    if (options.shift.kind == shiftcut::ShiftKind::automatic) {
      refuse("--shift-strength", arguments.strength, "not with --shift auto, which chooses it");
    }
    if (options.shift.kind == shiftcut::ShiftKind::by_default) {
      options.shift.kind = options.similarity.weights == shiftcut::Weights::log_odds
                               ? shiftcut::ShiftKind::linkage
                               : shiftcut::ShiftKind::adaptive;
    }
  }
  if (given("--method")) {
    options.search.method = choice<shiftcut::Method>("--method", arguments.method);
  }
  if (given("--restarts")) {
    options.search.restarts =
        number<int>("--restarts", arguments.restarts, "a whole number of 1 or more");
  }
  if (given("--max-seconds")) {
    const std::string allowed = "a number above 0";
    options.search.max_seconds = number<double>("--max-seconds", arguments.max_seconds, allowed);
    if (!(options.search.max_seconds > 0)) {
      refuse("--max-seconds", arguments.max_seconds, allowed);
    }
  }
  if (learn && must_link.empty() && cannot_link.empty() && answers.empty()) {
    throw std::invalid_argument(
        "--learn: found without pairs; allowed: with --pairs, --must-link or --cannot-link");
  }
  options.search.clusters = clusters_of(arguments.clusters);
  options.search.min_size = size_of("--min-size", arguments.min_size);
  options.search.max_size = size_of("--max-size", arguments.max_size);
  options.search.seed =
      number<std::uint64_t>("--seed", arguments.seed, "a whole number from 0 to 2^64 - 1");
  options.search.threads = number<int>("--threads", arguments.threads, "1 to 1024, or 0 for all");
  return options;
}

shiftcut::ReadOptions ClusterArguments::read_options() const {
  shiftcut::ReadOptions options = read.options();
  options.group_column = cannot_link_by;
  options.threads =
      std::clamp(number<int>("--threads", threads, "1 to 1024, or 0 for all"), 0, 1024);
  return options;
}

void ClusterArguments::require_other_than_read(const OutputFile& output) const {
  output.require_other_than("INPUT", read.path);
  output.require_other_than("--must-link", must_link);
  output.require_other_than("--cannot-link", cannot_link);
  output.require_other_than("--pairs", answers);
  const std::string matrix = "matrix=";
  if (shift.starts_with(matrix)) {
    output.require_other_than("--shift matrix", shift.substr(matrix.size()));
  }
}

void ClusterArguments::require_other_than_groups(const OutputFile& output,
                                                 const shiftcut::Input& input) const {
  if (input.groups.empty()) {
    output.require_other_than("--cannot-link-by", cannot_link_by);
  }
}

shiftcut::LinkOptions ClusterArguments::links(shiftcut::Input& input) const {
  std::vector<shiftcut::Message> notes;
  const auto noted = [&](auto file) {
    notes.insert(notes.end(), file.notes.begin(), file.notes.end());
    return file;
  };
  const auto pairs_of = [&](const std::string& path) {
    return path.empty() ? shiftcut::PairFile{} : noted(shiftcut::read_pairs(path, input));
  };
  const shiftcut::PairFile must = pairs_of(must_link);
  const shiftcut::PairFile cannot = pairs_of(cannot_link);
  shiftcut::LinkOptions links = shiftcut::links_from(
      must, cannot, input,
      answers.empty() ? shiftcut::AnswerFile{} : noted(shiftcut::read_answers(answers)));
  links.learn = learn;
  links.one_per_cluster = input.groups;
  if (!cannot_link_by.empty() && input.groups.empty()) {
    links.one_per_cluster = noted(shiftcut::read_groups(cannot_link_by, input)).groups;
  }
  input.notes.insert(input.notes.end(), notes.begin(), notes.end());
  return links;
}

namespace {

// A matrix of distances or similarities can be used as it is, or for its neighbours.
void check_fits_matrix(const Command& command, const shiftcut::Input& input,
                       shiftcut::Similarity kind) {
  using shiftcut::Similarity;
  const bool are_distances = input.shape == shiftcut::Shape::distance;
  for (const char* option : {"--scale", "--distance", "--sigma", "--metric"}) {
    if (command.count(option) > 0) {
      throw std::invalid_argument(
          fmt::format("{}: found with {}, which already holds {}; allowed: only with features "
                      "(--as features)",
                      option, printable(input.name), are_distances ? "distances" : "similarities"));
    }
  }
  if (command.count("--similarity") > 0 && kind != Similarity::automatic &&
      kind != Similarity::neighbors && !(are_distances && kind == Similarity::linear)) {
    refuse("--similarity", std::string(word_of(kind)),
           are_distances ? "neighbors or linear for distances" : "neighbors for similarities");
  }
}

}  // namespace

void check_fits(const Command& command, const shiftcut::Input& input,
                const shiftcut::SimilarityOptions& how) {
  using shiftcut::Shape;
  const bool log_odds = how.weights == shiftcut::Weights::log_odds;
  if (input.shape == Shape::features) {
    return;
  }
  const bool is_matrix = std::holds_alternative<shiftcut::DenseArray>(input.values);
  if (is_matrix && input.shape != Shape::graph) {
    check_fits_matrix(command, input, how.kind);
    return;
  }
  for (const char* option : {"--scale", "--similarity", "--distance", "--sigma", "--neighbors",
                             "--weights", "--metric"}) {
    const bool is_of_graphs = option == std::string("--weights") && log_odds;
    if (command.count(option) > 0 && !is_of_graphs) {
      throw std::invalid_argument(
          fmt::format("{}: found with {}, which already holds similarities; allowed: only with "
                      "features (--as features)",
                      option, printable(input.name)));
    }
  }
}
