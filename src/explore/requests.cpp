#include "explore/requests.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "explore/tuning.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

namespace {

using namespace explore_tuning;
using Json = nlohmann::json;

std::int32_t cluster_of(const Json& value, const std::vector<std::int32_t>& labels) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > labels.size() ||
      std::ranges::find(labels, value.get<std::int32_t>()) == labels.end()) {
    throw std::invalid_argument("cluster: found none of this number; allowed: one there is");
  }
  return value.get<std::int32_t>();
}

}  // namespace

std::uint64_t version_in(const Json& body) {
  const auto found = body.find("version");
  if (found == body.end() || !found->is_number_unsigned()) {
    throw std::invalid_argument("version: found none; allowed: the number that state gave");
  }
  return found->get<std::uint64_t>();
}

std::size_t object_in(const Json& body, const char* field, std::size_t objects) {
  const auto found = body.find(field);
  if (found == body.end() || !found->is_number_unsigned() ||
      found->get<std::uint64_t>() >= objects) {
    throw std::invalid_argument(
        fmt::format("{}: found no object; allowed: a number from 0 to {}", field, objects - 1));
  }
  return found->get<std::size_t>();
}

std::vector<std::uint32_t> objects_in(const Json& body, std::size_t objects) {
  const auto found = body.find("objects");
  if (found == body.end() || !found->is_array() || found->empty() ||
      found->size() > kMostSelected) {
    throw std::invalid_argument(fmt::format(
        "objects: found {}; allowed: a list of 1 to {} objects",
        found != body.end() && found->is_array() ? std::to_string(found->size()) : "none",
        kMostSelected));
  }
  std::vector<std::uint32_t> named;
  for (const Json& one : *found) {
    named.push_back(
        static_cast<std::uint32_t>(object_in(Json{{"objects", one}}, "objects", objects)));
  }
  std::vector<std::uint32_t> sorted = named;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) {
    throw std::invalid_argument("objects: found one twice; allowed: different ones");
  }
  return named;
}

std::int32_t cluster_in(const Json& body, const std::vector<std::int32_t>& labels) {
  const auto found = body.find("cluster");
  return cluster_of(found == body.end() ? Json() : *found, labels);
}

std::pair<std::int32_t, std::int32_t> clusters_in(const Json& body,
                                                  const std::vector<std::int32_t>& labels) {
  const auto found = body.find("clusters");
  if (found == body.end() || !found->is_array() || found->size() != 2 ||
      (*found)[0] == (*found)[1]) {
    throw std::invalid_argument("clusters: found something else; allowed: two different ones");
  }
  return {cluster_of((*found)[0], labels), cluster_of((*found)[1], labels)};
}

Answer::Says says_in(const Json& body) {
  const auto found = body.find("says");
  const auto says = found != body.end() && found->is_string()
                        ? from_word<Answer::Says>(found->get<std::string>())
                        : std::nullopt;
  if (!says) {
    throw std::invalid_argument("says: found something else; allowed: " +
                                list_words<Answer::Says>());
  }
  return *says;
}

}  // namespace shiftcut
