// A Result for a person at a terminal: what came out, how sure the search is, what to watch out
// for.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>
#include <string_view>

#include "report/wrap.hpp"
#include "shiftcut/report.hpp"
#include "shiftcut/text.hpp"

namespace shiftcut {
namespace {

constexpr std::size_t kMostRows = 20;
constexpr std::size_t kBarWidth = 30;
constexpr double kSameCost = 1e-9;  // relative: two descents ended equally well

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string headline(const Result& result, const Input& input) {
  const std::string asked =
      result.clusters_asked ? fmt::format("at most {} requested", *result.clusters_asked)
                            : std::string(result.shift_path.empty() ? "number chosen by the cost"
                                                                    : "number not specified");
  return wrapped(
      "", fmt::format("{} of {} in {} ({})", counted(result.objects, "object"),
                      harmless(input.name), counted(result.clusters_found, "cluster"), asked));
}

std::string size_table(const Result& result) {
  if (result.sizes.empty()) return "";
  std::string out = "\n  cluster     objects   share\n";
  const std::size_t largest = std::ranges::max(result.sizes);
  const std::size_t rows = std::min(result.sizes.size(), kMostRows);
  for (std::size_t k = 0; k < rows; ++k) {
    const std::size_t size = result.sizes[k];
    const double share = static_cast<double>(size) / static_cast<double>(result.objects);
    const double part = static_cast<double>(size) / static_cast<double>(largest);
    const auto bar = static_cast<std::size_t>(std::ceil(part * kBarWidth));
    out += fmt::format("{:>9}{:>12}{:>7.1f}%  {}\n", k, size, 100 * share, std::string(bar, '#'));
  }
  if (rows < result.sizes.size()) {
    const std::size_t left = result.sizes.size() - rows;
    out += fmt::format("  ... and {} more\n", left);
  }
  return out + "\n";
}

std::string stop_sentence(StopReason reason) {
  switch (reason) {
    case StopReason::converged:
      return "";
    case StopReason::max_seconds:
      return "stopped early: time limit reached; this is the best grouping so far\n";
    case StopReason::interrupted:
      return "stopped early: interrupted; this is the best grouping so far\n";
  }
  return "";
}

// Restarts of one search say by how many of them agree how good the answer may be; the attempts of
// several searches build on each other.
std::string cost_line(const Result& result) {
  if (std::isnan(result.cost)) {
    return "cost unknown\n";
  }
  std::string out = fmt::format("cost {:.10g}", result.cost);
  const auto& all = result.restarts;
  const bool is_one_search =
      std::ranges::all_of(all, [&](const Restart& r) { return r.method == all.front().method; });
  if (all.size() > 1 && is_one_search) {
    const auto reached = std::ranges::count_if(all, [&](const Restart& restart) {
      return std::abs(restart.cost - result.cost) <= kSameCost * std::abs(result.cost);
    });
    out += fmt::format(", reached by {} of {} restarts", reached, all.size());
  } else if (all.size() > 1) {
    out += fmt::format(", the lowest of {} attempts", all.size());
  }
  return out + "\n";
}

std::string shift_line(const Result& result) {
  if (result.shift_path.empty()) return "";
  return fmt::format("shift strength {:.3g}, chosen from {} between {:.2g} and {:.2g}\n",
                     result.shift_strength, result.shift_path.size(),
                     result.shift_path.back().strength, result.shift_path.front().strength);
}

std::string links_line(const Result& result) {
  if (!result.links) return "";
  const LinkSummary& links = *result.links;
  std::string out;
  if (links.must_link + links.cannot_link + links.uncertain > 0) {
    out = fmt::format("pairs: {} together and {} apart, all satisfied", links.must_link,
                      links.cannot_link);
    if (links.uncertain > 0) {
      out += fmt::format("; {} of {} uncertain ones satisfied", links.kept, links.uncertain);
    }
    out += "\n";
  }
  if (links.groups > 0) {
    out += fmt::format("at most one per group in each cluster: {} in {}, all satisfied\n",
                       counted(links.in_groups, "object"), counted(links.groups, "group"));
  }
  return out;
}

// The features that count most, by name where they have one.
std::string learned_line(const Result& result, const Input& input) {
  if (!result.learned) return "";
  const LearnedWeights& learned = *result.learned;
  if (learned.gain <= 0) return "learned: all features count equally\n";
  constexpr std::size_t kNamed = 3;
  std::vector<std::size_t> order(learned.weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return learned.weights[a] > learned.weights[b];
  });
  std::string out = "learned: most weight on";
  for (std::size_t f = 0; f < std::min(kNamed, order.size()); ++f) {
    const std::size_t feature = order[f];
    const std::string name = feature < input.column_names.size()
                                 ? harmless(input.column_names[feature])
                                 : fmt::format("feature {}", feature + 1);
    out += fmt::format("{} {} ({:.2g} +- {:.1g})", f == 0 ? "" : ",", name,
                       learned.weights[feature], learned.spread[feature]);
  }
  return out + "\n";
}

std::string_view in_words(double ami) {
  if (ami >= 0.95) return "almost the same grouping";
  if (ami >= 0.75) return "a close match";
  if (ami >= 0.4) return "a partial match";
  if (ami >= 0.1) return "little in common";
  return "no more alike than chance";
}

std::string score_lines(const Scores& scores, const Input& input) {
  const std::set<std::int32_t> classes(input.truth.begin(), input.truth.end());
  const std::string against = classes.size() == 1
                                  ? "the one known class"
                                  : fmt::format("the {} known classes", classes.size());
  return fmt::format(
      "against {}: {}\n"
      "  AMI {:.4f} (max {:.4f}), ARI {:.4f}, V-measure {:.4f} (homogeneity {:.4f}, "
      "completeness {:.4f})\n",
      against, in_words(scores.ami), scores.ami, scores.ami_max, scores.ari, scores.v_measure,
      scores.homogeneity, scores.completeness);
}

std::string seconds_line(const PhaseSeconds& seconds) {
  const std::string shift =
      seconds.shift > 0 ? fmt::format(", shift {:.3g}", seconds.shift) : std::string();
  return fmt::format("{:.3g} s (read {:.3g}, similarity {:.3g}{}, search {:.3g})\n", seconds.total,
                     seconds.read, seconds.similarity, shift, seconds.search);
}

}  // namespace

std::string to_text(const Result& result, const Input& input, Naming naming) {
  std::string out = headline(result, input);
  out += size_table(result);
  out += stop_sentence(result.stop_reason);
  out += cost_line(result);
  out += shift_line(result);
  out += links_line(result);
  out += learned_line(result, input);
  if (result.scores) out += score_lines(*result.scores, input);
  for (const std::string& warning : render(result.warnings, naming)) {
    out += wrapped("warning: ", harmless(warning));
  }
  return out + seconds_line(result.seconds);
}

}  // namespace shiftcut
