// A Result or an Explanation for a person at a terminal: what was found, how reliable it is, and
// what to watch out for.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>
#include <string_view>

#include "report/wrap.hpp"
#include "shiftcut/explain.hpp"
#include "shiftcut/report.hpp"
#include "shiftcut/text.hpp"

namespace shiftcut {
namespace {

constexpr std::size_t kMostRows = 20;
constexpr std::size_t kBarWidth = 30;
constexpr std::size_t kMostNamed = 10;  // objects of a list
constexpr double kSameCost = 1e-9;      // relative difference of costs that count as equal

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

// Restarts of the same search show by their agreement how good the solution may be; attempts of
// several searches build on each other, so their number says less.
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

// What was assumed about pairs of records.
std::string linkage_line(const Result& result) {
  if (!result.linkage) return "";
  const LinkageSummary& linkage = *result.linkage;
  return wrapped(
      "",
      fmt::format("pairs without a probability count as log-odds of {:.3g}; of the others {:.2g}% "
                  "should match, and {} at the ends of paths of two likely matches {} judged at "
                  "higher odds",
                  result.shift_strength * linkage.absent, 100 * linkage.base_rate,
                  counted(linkage.raised, "pair"), linkage.raised == 1 ? "is" : "are"));
}

std::string agreement_line(const Result& result) {
  if (!result.agreement) return "";
  const Agreement& agreement = *result.agreement;
  std::string out = fmt::format("{} of {} ways of looking at the data agree on these clusters",
                                agreement.agreeing, agreement.voters);
  if (agreement.contested_count > 0) {
    out += fmt::format("; {} contested", counted(agreement.contested_count, "object"));
  }
  return out + "\n";
}

// What was chosen for the reader, and why.
std::string distances_line(const Result& result) {
  if (result.scale_reason.empty()) return "";
  const bool is_scaled = result.scale != "none";
  return wrapped("", fmt::format("{}{}: {}",
                                 result.metric.empty() || result.metric == "euclidean"
                                     ? ""
                                     : result.metric + " distances, ",
                                 is_scaled ? "columns standardised" : "columns as they are",
                                 result.scale_reason));
}

std::string links_line(const Result& result) {
  if (!result.links) return "";
  const LinkSummary& links = *result.links;
  std::string out;
  if (links.must_link + links.cannot_link + links.uncertain > 0) {
    out = fmt::format("pairs: {} together and {} apart, all satisfied", links.must_link,
                      links.cannot_link);
    if (links.uncertain > 0) {
      out += fmt::format("; {} of {} uncertain ones satisfied", links.satisfied, links.uncertain);
    }
    out += "\n";
  }
  if (links.groups > 0) {
    out += fmt::format("at most one per group in each cluster: {} in {}, all satisfied\n",
                       counted(links.in_groups, "object"), counted(links.groups, "group"));
  }
  return out;
}

// The features with the largest weights, by name if they have one.
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

std::string name(const Input& input, std::size_t object) {
  return input.ids.empty() ? fmt::format("{}", object) : harmless(input.ids[object]);
}

std::string named(const Input& input, const std::vector<std::size_t>& objects) {
  std::string out;
  for (std::size_t i = 0; i < std::min(objects.size(), kMostNamed); ++i) {
    out += (i == 0 ? "" : ", ") + name(input, objects[i]);
  }
  return objects.size() > kMostNamed
             ? out + fmt::format(" and {} more", objects.size() - kMostNamed)
             : out;
}

std::string ties_line(const Input& input, const SeenCluster& cluster, std::string_view where) {
  if (cluster.ties.empty()) {
    return fmt::format("it has no positive ties in {}\n", where);
  }
  std::string out = fmt::format("strongest ties in {}: ", where);
  for (std::size_t i = 0; i < cluster.ties.size(); ++i) {
    out += fmt::format("{}{} ({:.4g})", i == 0 ? "" : ", ", name(input, cluster.ties[i].object),
                       cluster.ties[i].value);
  }
  return out + "\n";
}

// Why the object stays although another cluster is better.
std::string bound_by(const Explanation& e, const Input& input) {
  if (e.margin < 0 && e.rival) {
    return fmt::format(", but {} is there, and a cluster may hold only one of their group",
                       name(input, *e.rival));
  }
  const bool has_pairs = !e.must_link.empty() || !e.cannot_link.empty();
  return e.margin < 0 && has_pairs ? ", but pairs that are certain keep it there" : "";
}

std::string margin_line(const Explanation& e, const Input& input) {
  if (!e.next) {
    return "there is no other cluster it could go to\n";
  }
  const std::string there = e.next->cluster < 0
                                ? std::string("a cluster of its own")
                                : fmt::format("the next best, cluster {} ({})", e.next->cluster,
                                              counted(e.next->size, "object"));
  return fmt::format("{}: affinity {:.6g}, so moving it there would {} the cost by {:.6g}{}\n",
                     there, e.next->affinity, e.margin < 0 ? "lower" : "raise",
                     2 * std::abs(e.margin), bound_by(e, input));
}

}  // namespace

std::string to_text(const Result& result, const Input& input, Naming naming) {
  std::string out = headline(result, input);
  out += size_table(result);
  out += stop_sentence(result.stop_reason);
  out += cost_line(result);
  out += shift_line(result);
  out += linkage_line(result);
  out += agreement_line(result);
  out += distances_line(result);
  out += links_line(result);
  out += learned_line(result, input);
  if (result.scores) out += score_lines(*result.scores, input);
  for (const std::string& warning : render(result.warnings, naming)) {
    out += wrapped("warning: ", harmless(warning));
  }
  return out + seconds_line(result.seconds);
}

std::string to_text(const Explanation& e, const Input& input) {
  std::string out = fmt::format("object {} is in cluster {} ({})\n", name(input, e.object),
                                e.own.cluster, counted(e.own.size, "object"));
  out += fmt::format("its cluster: affinity {:.6g}\n", e.own.affinity);
  out += margin_line(e, input);
  if (e.own.size > 1) {
    out += ties_line(input, e.own, "its cluster");
  }
  if (e.next && e.next->cluster >= 0) {
    out += ties_line(input, *e.next, fmt::format("cluster {}", e.next->cluster));
  }
  if (!e.must_link.empty()) {
    out += fmt::format("must be with: {}\n", named(input, e.must_link));
  }
  if (!e.cannot_link.empty()) {
    out += fmt::format("cannot be with: {}\n", named(input, e.cannot_link));
  }
  if (!e.uncertain.empty()) {
    out += fmt::format("weighted pairs with: {}\n", named(input, e.uncertain));
  }
  return out;
}

}  // namespace shiftcut
