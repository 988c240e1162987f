// A Result as one JSON object, one field per line. `labels` may hold millions of numbers, so they
// are written straight into the text instead of going through a JSON tree.
#include <fmt/core.h>

#include <iterator>
#include <string_view>

#include "core/json.hpp"
#include "shiftcut/explain.hpp"
#include "shiftcut/model.hpp"
#include "shiftcut/report.hpp"
#include "shiftcut/version.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {
namespace {

std::string compact(const Json& value) { return value.dump(); }

template <class Numbers>
std::string number_list(const Numbers& numbers) {
  std::string list = "[";
  list.reserve(numbers.size() * 4 + 2);
  std::string_view separator;
  for (const auto number : numbers) {
    list += separator;
    list += std::to_string(number);
    separator = ", ";
  }
  return list += "]";
}

// Numbers from 0 to 1, with four digits.
std::string share_list(const std::vector<double>& shares) {
  std::string list = "[";
  std::string_view separator;
  for (const double share : shares) {
    list += fmt::format("{}{:.4f}", separator, share);
    separator = ", ";
  }
  return list += "]";
}

std::string text_list(const std::vector<std::string>& texts) {
  std::string list = "[";
  std::string_view separator;
  for (const std::string& text : texts) {
    list += separator;
    list += compact(text);
    separator = ", ";
  }
  return list += "]";
}

std::vector<std::string> codes_of(const std::vector<Message>& messages) {
  std::vector<std::string> codes;
  for (const Message& message : messages) {
    codes.push_back(message.code);
  }
  return codes;
}

std::string one_a_line(const Json& values) {
  if (values.items().empty()) return "[]";
  std::string list = "[";
  std::string_view separator = "\n    ";
  for (const Json& value : values.items()) {
    list += separator;
    list += compact(value);
    separator = ",\n    ";
  }
  return list += "\n  ]";
}

Json restart_list(const std::vector<Restart>& restarts) {
  Json list = Json::array();
  for (const Restart& restart : restarts) {
    list.push_back({{"method", restart.method},
                    {"cost", restart.cost},
                    {"sweeps", restart.sweeps},
                    {"moves", restart.moves},
                    {"seconds", restart.seconds}});
  }
  return list;
}

Json links_of(const LinkSummary& links) {
  return {{"must_link", links.must_link}, {"cannot_link", links.cannot_link},
          {"uncertain", links.uncertain}, {"kept", links.satisfied},
          {"cost", links.cost},           {"groups", links.groups},
          {"in_groups", links.in_groups}};
}

Json bounds_of(const SizeSummary& bounds) {
  const auto bound = [](std::size_t size) { return size > 0 ? Json(size) : Json(); };
  return {{"min", bound(bounds.min_size)},
          {"max", bound(bounds.max_size)},
          {"unbounded_cost", bounds.unbounded_cost},
          {"moved", bounds.moved}};
}

Json learned_of(const LearnedWeights& learned) {
  return {{"weights", learned.weights}, {"spread", learned.spread}, {"gain", learned.gain}};
}

Json path_list(const std::vector<PathPoint>& path) {
  Json list = Json::array();
  for (const PathPoint& point : path) {
    list.push_back({{"strength", point.strength},
                    {"clusters", point.clusters},
                    {"sizes", point.sizes},
                    {"cost", point.cost},
                    {"criterion", point.criterion},
                    {"agreement", point.agreement}});
  }
  return list;
}

Json shift_of(const Result& result) {
  Json shift = {{"kind", result.shift_kind}, {"strength", result.shift_strength}};
  if (result.shift_constant) shift["value"] = *result.shift_constant;
  if (result.linkage) {
    shift["base_rate"] = result.linkage->base_rate;
    shift["raised"] = result.linkage->raised;
  }
  if (!result.shift_path.empty()) shift["path"] = path_list(result.shift_path);
  for (const JudgedNumber& number : result.judged_numbers) {
    shift["judged"].push_back(
        {{"clusters", number.clusters}, {"length", number.length}, {"score", number.score}});
  }
  if (result.dimension > 0) shift["dimension"] = result.dimension;
  return shift;
}

Json agreement_of(const Agreement& agreement) {
  return {{"voters", agreement.voters},
          {"agreeing", agreement.agreeing},
          {"score", agreement.score},
          {"source", agreement.source},
          {"clusters", agreement.clusters},
          {"contested", agreement.contested},
          {"contested_count", agreement.contested_count}};
}

Json seconds_of(const PhaseSeconds& seconds) {
  return {{"read", seconds.read},
          {"similarity", seconds.similarity},
          {"shift", seconds.shift},
          {"search", seconds.search},
          {"total", seconds.total}};
}

Json scores_of(const Scores& scores) {
  return {{"ami", scores.ami},
          {"ami_max", scores.ami_max},
          {"ari", scores.ari},
          {"v_measure", scores.v_measure},
          {"homogeneity", scores.homogeneity},
          {"completeness", scores.completeness}};
}

Json as_json(const SeenCluster& cluster) {
  Json ties = Json::array();
  for (const Tie& tie : cluster.ties) {
    ties.push_back({{"object", tie.object}, {"value", tie.value}});
  }
  return {{"cluster", cluster.cluster},
          {"size", cluster.size},
          {"affinity", cluster.affinity},
          {"ties", std::move(ties)}};
}

}  // namespace

std::string prediction_json(const Prediction& prediction, const Model& model, const Input& input,
                            Naming naming) {
  const std::vector<std::int32_t>& labels = prediction.labels;
  std::vector<std::size_t> sizes(model.result.sizes.size(), 0);
  for (const std::int32_t label : labels) {
    if (label >= 0) {
      ++sizes[static_cast<std::size_t>(label)];
    }
  }
  const std::string ids =
      input.ids.empty() ? "" : fmt::format("  \"ids\": {},\n", text_list(input.ids));
  return fmt::format(
      "{{\n  \"objects\": {},\n  \"sizes\": {},\n{}  \"labels\": {},\n  \"strength\": {},\n"
      "  \"outlier_scores\": {},\n  \"warnings\": {},\n  \"version\": {}\n}}\n",
      labels.size(), number_list(sizes), ids, number_list(labels),
      share_list(prediction.strengths.strength), share_list(prediction.strengths.outlier),
      one_a_line(render(input.notes, naming)), compact(kVersion));
}

std::string to_json(const Result& result, Naming naming) {
  return to_json(result, Input{}, naming);
}

std::string to_json(const Result& result, const Input& input, Naming naming,
                    const Strengths* strengths) {
  std::string out = "{";
  std::string_view separator = "\n";
  const auto field = [&](std::string_view key, const std::string& value) {
    out += fmt::format("{}  \"{}\": ", separator, key);
    out += value;
    separator = ",\n";
  };
  field("objects", compact(result.objects));
  field("clusters_asked", compact(result.clusters_asked ? Json(*result.clusters_asked) : "auto"));
  field("clusters_found", compact(result.clusters_found));
  field("sizes", number_list(result.sizes));
  if (input.shape == Shape::graph && !input.ids.empty()) field("ids", text_list(input.ids));
  field("labels", number_list(result.labels));
  if (strengths != nullptr) {
    field("strength", share_list(strengths->strength));
    field("outlier_scores", share_list(strengths->outlier));
  }
  field("cost", compact(result.cost));
  field("stop_reason", compact(word_of(result.stop_reason)));
  field("restarts", one_a_line(restart_list(result.restarts)));
  field("shift", compact(shift_of(result)));
  if (result.agreement) field("agreement", compact(agreement_of(*result.agreement)));
  field("similarity", compact(result.similarity));
  if (result.size_bounds) field("size_bounds", compact(bounds_of(*result.size_bounds)));
  if (!result.distance.empty()) field("distance", compact(result.distance));
  if (!result.metric.empty()) field("metric", compact(result.metric));
  if (!result.scale.empty()) field("scale", compact(result.scale));
  if (!result.scale_reason.empty()) field("scale_reason", compact(result.scale_reason));
  if (result.links) field("links", compact(links_of(*result.links)));
  if (result.learned) field("learned", compact(learned_of(*result.learned)));
  field("seed", compact(result.seed));
  field("threads", compact(result.threads));
  field("seconds", compact(seconds_of(result.seconds)));
  if (result.scores) field("scores", compact(scores_of(*result.scores)));
  field("warnings", one_a_line(render(result.warnings, naming)));
  field("warning_codes", text_list(codes_of(result.warnings)));
  field("version", compact(kVersion));
  return out += "\n}\n";
}

std::string to_json(const Scores& scores) { return scores_of(scores).dump(2) + "\n"; }

std::string to_json(const Explanation& e) {
  const Json json = {{"object", e.object},
                     {"own", as_json(e.own)},
                     {"next", e.next ? as_json(*e.next) : Json()},
                     {"margin", e.margin},
                     {"must_link", e.must_link},
                     {"cannot_link", e.cannot_link},
                     {"uncertain", e.uncertain},
                     {"rival", e.rival ? Json(*e.rival) : Json()}};
  return json.dump(2) + "\n";
}

}  // namespace shiftcut
