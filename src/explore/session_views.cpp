// What there is to see.
#include "explore/session.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

#include "explore/requests.hpp"
#include "explore/shown.hpp"
#include "explore/tuning.hpp"

namespace shiftcut {

namespace {

using namespace explore_tuning;

static_assert(std::endian::native == std::endian::little);  // as the page reads numbers

template <class T>
void append_bytes(std::string& out, T value) {
  static_assert(sizeof(T) == 4);
  const auto bytes = std::bit_cast<std::array<char, 4>>(value);
  out.append(bytes.data(), bytes.size());
}

}  // namespace

Explorer::Session::Json Explorer::Session::clusters() const {
  const std::vector<std::int32_t>& labels = feedback_.labels();
  std::vector<std::size_t> sizes;
  for (const std::int32_t label : labels) {
    sizes.resize(std::max(sizes.size(), static_cast<std::size_t>(label) + 1), 0);
    ++sizes[static_cast<std::size_t>(label)];
  }
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (sizes[k] > 0) {
      order.push_back(k);
    }
  }
  const std::size_t found = order.size();
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t k) { return sizes[k]; });
  order.resize(std::min(found, kMostClusters));
  std::ranges::sort(order);
  Json largest = Json::array();
  for (const std::size_t k : order) {
    largest.push_back({{"cluster", k}, {"size", sizes[k]}});
  }
  return {{"found", found}, {"largest", std::move(largest)}};
}

std::size_t Explorer::Session::chosen_point() const {
  const Result& result = feedback_.result();
  const auto nearest = std::ranges::min_element(result.shift_path, {}, [&](const PathPoint& point) {
    return std::abs(std::log(point.strength / std::max(result.shift_strength, 1e-300)));
  });
  return static_cast<std::size_t>(nearest - result.shift_path.begin());
}

// Numbered after the labels of when the path was new, which later ones follow.
const PathLabels* Explorer::Session::path_labels() {
  const Result& result = feedback_.result();
  if (result.path_labels == nullptr || result.path_labels->points() != result.shift_path.size()) {
    return nullptr;
  }
  if (path_from_ != result.path_labels) {
    path_ = numbered_after(*result.path_labels, chosen_point(), feedback_.labels());
    path_from_ = result.path_labels;
  }
  return &path_;
}

Explorer::Session::Json Explorer::Session::path() {
  if (path_labels() == nullptr) {
    return nullptr;
  }
  Json points = Json::array();
  for (const PathPoint& point : feedback_.result().shift_path) {
    points.push_back({{"strength", point.strength}, {"clusters", point.clusters}});
  }
  return {{"points", std::move(points)}, {"chosen", chosen_point()}};
}

Explorer::Session::Json Explorer::Session::state() {
  const Result& result = feedback_.result();
  const auto cost = std::isfinite(result.cost) ? Json(result.cost) : Json();
  const Step* const step = steps_.last(feedback_.answers().size());
  return {{"version", version_},
          {"name", shown(how_.title.empty() ? input_.name : how_.title, kMostText)},
          {"objects", input_.objects()},
          {"shape", word_of(input_.shape)},
          {"clusters", clusters()},
          {"asked", result.clusters_asked ? Json(*result.clusters_asked) : Json()},
          {"answers", feedback_.answers().size()},
          {"undo", step != nullptr ? Json(step->what)
                                   : (feedback_.answers().empty() ? Json() : Json("an answer"))},
          {"cost", cost},
          {"strength", result.shift_strength},
          {"path", path()},
          {"warnings", render(result.warnings, how_.naming)}};
}

std::string Explorer::Session::places() const {
  std::string bytes;
  bytes.reserve(8 * layout_.size());
  for (const Place& place : layout_) {
    append_bytes(bytes, static_cast<float>(place.x));
    append_bytes(bytes, static_cast<float>(place.y));
  }
  return bytes;
}

std::string Explorer::Session::labels(std::optional<std::size_t> point) {
  std::vector<std::int32_t> of_point;
  if (point) {
    const PathLabels* path = path_labels();
    if (path == nullptr || *point >= path->points()) {
      throw std::invalid_argument(fmt::format("point: found {}; allowed: {}", *point,
                                              path == nullptr
                                                  ? "none, as the strength was given"
                                                  : fmt::format("0 to {}", path->points() - 1)));
    }
    of_point = labels_at_point(*path, *point);
  }
  std::string bytes;
  bytes.reserve(4 * (input_.objects() + 1));
  append_bytes(bytes, version_);
  for (const std::int32_t label : point ? of_point : feedback_.labels()) {
    append_bytes(bytes, label);
  }
  return bytes;
}

Explorer::Session::Json Explorer::Session::explain(std::size_t object) {
  const auto neighbors = feedback_.neighbors();
  Json out = Json::parse(to_json(shiftcut::explain(input_, options_now(), feedback_.result(),
                                                   object, 5, control_, neighbors.get())));
  const std::vector<std::int32_t> kept = kept_numbers();
  for (const char* side : {"own", "next"}) {
    if (out[side].is_object() && out[side]["cluster"] >= 0) {
      out[side]["cluster"] = kept[out[side]["cluster"].get<std::size_t>()];
    }
    if (out[side].is_object()) {
      for (Json& tie : out[side]["ties"]) {
        tie["name"] = name(tie["object"].get<std::size_t>());
      }
    }
  }
  out["name"] = name(object);
  return out;
}

Explorer::Session::Json Explorer::Session::search(const std::string& text) {
  Json found = Json::array();
  std::vector<std::size_t> listed;
  const auto add = [&](std::size_t object, const std::string& where) {
    if (std::ranges::find(listed, object) == listed.end()) {
      listed.push_back(object);
      found.push_back({{"object", object}, {"name", name(object)}, {"where", where}});
    }
  };
  if (input_.ids.empty()) {
    std::size_t row = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), row);
    if (!text.empty() && error == std::errc() && end == text.data() + text.size() &&
        row < input_.objects()) {
      add(row, "");
    }
  }
  for (std::size_t i = 0; !text.empty() && i < input_.ids.size() && found.size() <= kMostMatches;
       ++i) {
    if (input_.ids[i].find(text) != std::string::npos) {
      add(i, "");
    }
  }
  if (!text.empty() && found.size() <= kMostMatches) {
    for (const FoundCell& cell : records_.search(text, kMostMatches + 1, control_)) {
      add(cell.row, shown(cell.column, kMostCellText) + ": " + shown(cell.text, kMostCellText));
    }
  }
  const bool is_whole = found.size() <= kMostMatches;
  if (!is_whole) {
    found.erase(found.begin() + kMostMatches, found.end());
  }
  return {{"found", std::move(found)}, {"is_whole", is_whole}};
}

Explorer::Session::Json Explorer::Session::rows(const Json& body) {
  std::vector<std::uint32_t> objects = objects_in(body, input_.objects());
  objects.resize(std::min(objects.size(), kMostRows));
  const std::vector<std::size_t> wanted(objects.begin(), objects.end());
  const TableCells table = records_.rows(wanted, control_);
  const std::size_t columns = std::min(table.names.size(), kMostColumns);
  Json names = Json::array();
  for (std::size_t c = 0; c < columns; ++c) {
    names.push_back(shown(table.names[c], kMostCellText));
  }
  Json rows = Json::array();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Json cells = Json::array();
    for (std::size_t c = 0; c < columns; ++c) {
      cells.push_back(shown(table.rows[i][c], kMostCellText));
    }
    rows.push_back({{"object", wanted[i]}, {"name", name(wanted[i])}, {"cells", std::move(cells)}});
  }
  return {{"columns", std::move(names)},
          {"more_columns", table.names.size() - columns},
          {"rows", std::move(rows)}};
}

Explorer::Session::Json Explorer::Session::question() {
  if (!asked_) {
    const std::vector<Question> questions = feedback_.next_pairs(1);
    if (questions.empty()) {
      return {{"version", version_}, {"done", true}};
    }
    asked_ = Asked{questions[0].a, questions[0].b, questions[0].chance};
  }
  const RecordPair pair = records_.pair(asked_->a, asked_->b, control_);
  Json traits = Json::array();
  for (const Trait& trait : pair.traits) {
    traits.push_back({{"name", shown(trait.name, kMostText)},
                      {"left", shown(trait.left, kMostText)},
                      {"right", shown(trait.right, kMostText)},
                      {"differs", trait.differs()}});
  }
  return {{"version", version_},
          {"done", false},
          {"a", asked_->a},
          {"b", asked_->b},
          {"left", shown(pair.left, kMostText)},
          {"right", shown(pair.right, kMostText)},
          {"heading", shown(pair.heading, kMostText)},
          {"chance", asked_->chance ? Json(*asked_->chance) : Json()},
          {"traits", std::move(traits)}};
}

}  // namespace shiftcut
