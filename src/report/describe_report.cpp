// Descriptions of clusters as JSON, and as a table for a person at a terminal.
#include <fmt/core.h>

#include <algorithm>

#include "core/json.hpp"
#include "report/wrap.hpp"
#include "shiftcut/describe.hpp"
#include "shiftcut/text.hpp"
#include "shiftcut/version.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {
namespace {

std::string name_of(std::int32_t cluster, std::span<const std::string> names) {
  const auto k = static_cast<std::size_t>(cluster);
  return k < names.size() ? harmless(names[k]) : fmt::format("{}", cluster);
}

std::string object_name(const Input& input, std::size_t object) {
  return object < input.ids.size() ? harmless(input.ids[object]) : fmt::format("{}", object);
}

Json as_json(const ColumnContrast& contrast) {
  Json json = {{"name", contrast.name},
               {"measure", word_of(contrast.measure)},
               {"effect", contrast.effect},
               {"inside", contrast.inside},
               {"outside", contrast.outside}};
  if (contrast.lift) json["lift"] = *contrast.lift;
  return json;
}

// "share .95 (rest .02, lift 41)" or "median 5.1 (rest 1.4)"
std::string in_words(const ColumnContrast& contrast) {
  const std::string lift = contrast.lift ? fmt::format(", lift {:.3g}", *contrast.lift) : "";
  return fmt::format("{} {:+.2f}: {} {:.4g}, elsewhere {:.4g}{}", harmless(contrast.name),
                     contrast.effect, word_of(contrast.measure), contrast.inside, contrast.outside,
                     lift);
}

}  // namespace

std::string to_text(std::span<const ClusterDescription> clusters, const Input& input,
                    std::span<const std::string> names) {
  std::string out;
  for (const ClusterDescription& cluster : clusters) {
    out += wrapped(
        "", fmt::format(
                "cluster {}: {} object{}, cohesion {:.2f}{}", name_of(cluster.cluster, names),
                cluster.size, cluster.size == 1 ? "" : "s", cluster.cohesion,
                cluster.nearest ? ", nearest cluster " + name_of(*cluster.nearest, names) : ""));
    std::string typical;
    for (const std::size_t object : cluster.exemplars) {
      typical += (typical.empty() ? "" : ", ") + object_name(input, object);
    }
    if (!typical.empty()) out += wrapped("  exemplars: ", typical);
    for (const ColumnContrast& contrast : cluster.columns) {
      out += wrapped("  ", in_words(contrast));
    }
  }
  return out;
}

std::string to_json(std::span<const ClusterDescription> clusters, const Input& input,
                    std::span<const std::string> names) {
  Json list = Json::array();
  for (const ClusterDescription& cluster : clusters) {
    Json json = {{"cluster", cluster.cluster}};
    const auto k = static_cast<std::size_t>(cluster.cluster);
    if (k < names.size()) json["label"] = names[k];
    json["size"] = cluster.size;
    json["exemplars"] = cluster.exemplars;
    if (!input.ids.empty()) {
      json["exemplar_ids"] = Json::array();
      for (const std::size_t object : cluster.exemplars) {
        json["exemplar_ids"].push_back(input.ids[object]);
      }
    }
    json["cohesion"] = cluster.cohesion;
    json["nearest"] = cluster.nearest ? Json(*cluster.nearest) : Json();
    json["columns"] = Json::array();
    for (const ColumnContrast& contrast : cluster.columns) {
      json["columns"].push_back(as_json(contrast));
    }
    list.push_back(std::move(json));
  }
  const Json all = {{"clusters", std::move(list)}, {"version", kVersion}};
  return all.dump(2) + "\n";
}

}  // namespace shiftcut
