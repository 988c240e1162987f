// What the bodies of requests name. All throw std::invalid_argument, in words, for anything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "shiftcut/feedback.hpp"

namespace shiftcut {

/// The version of the grouping that a change was made on.
std::uint64_t version_in(const nlohmann::json& body);

/// An object: a number below `objects`.
std::size_t object_in(const nlohmann::json& body, const char* field, std::size_t objects);

/// {objects}: up to kMostSelected different ones.
std::vector<std::uint32_t> objects_in(const nlohmann::json& body, std::size_t objects);

/// {cluster}: one that there is.
std::int32_t cluster_in(const nlohmann::json& body, const std::vector<std::int32_t>& labels);

/// {clusters}: two different ones that there are.
std::pair<std::int32_t, std::int32_t> clusters_in(const nlohmann::json& body,
                                                  const std::vector<std::int32_t>& labels);

Answer::Says says_in(const nlohmann::json& body);

}  // namespace shiftcut
