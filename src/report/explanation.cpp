// An Explanation for machines and for people.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "shiftcut/explain.hpp"
#include "shiftcut/text.hpp"

namespace shiftcut {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostNamed = 10;

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

std::string objects(std::size_t count) {
  return count == 1 ? "1 object" : fmt::format("{} objects", count);
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

// What keeps it from moving to a better cluster.
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
  const std::string there =
      e.next->cluster < 0
          ? std::string("a cluster of its own")
          : fmt::format("the next best, cluster {} ({})", e.next->cluster, objects(e.next->size));
  return fmt::format("{}: affinity {:.6g}, so moving it there would {} the cost by {:.6g}{}\n",
                     there, e.next->affinity, e.margin < 0 ? "lower" : "raise",
                     2 * std::abs(e.margin), bound_by(e, input));
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

std::string to_text(const Explanation& e, const Input& input) {
  std::string out = fmt::format("object {} is in cluster {} ({})\n", name(input, e.object),
                                e.own.cluster, objects(e.own.size));
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
