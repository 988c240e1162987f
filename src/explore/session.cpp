#include "explore/session.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "explore/shown.hpp"
#include "explore/tuning.hpp"

namespace shiftcut {

namespace {

using namespace explore_tuning;
using SessionJson = nlohmann::json;

static_assert(std::endian::native == std::endian::little);  // as the page reads numbers

Answer::Says says_in(const SessionJson& body) {
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

template <class T>
void append_bytes(std::string& out, T value) {
  static_assert(sizeof(T) == 4);
  const auto bytes = std::bit_cast<std::array<char, 4>>(value);
  out.append(bytes.data(), bytes.size());
}

std::string counted(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

Explorer::Session::Session(const Input& input, const Options& options, Feedback& feedback,
                           const Records& records, Layout layout, ExploreOptions how,
                           Control control)
    : input_(input),
      options_(options),
      feedback_(feedback),
      records_(records),
      layout_(std::move(layout)),
      how_(std::move(how)),
      control_(std::move(control)) {}

std::string Explorer::Session::name(std::size_t object) const {
  return input_.ids.empty() ? fmt::format("row {}", object) : shown(input_.ids[object], kMostText);
}

// ---- What requests name ----

void Explorer::Session::require_version(const Json& body) const {
  const auto found = body.find("version");
  if (found == body.end() || !found->is_number_unsigned()) {
    throw std::invalid_argument("version: found none; allowed: the number that state gave");
  }
  if (found->get<std::uint64_t>() != version_) {
    throw OutOfDate();
  }
}

std::size_t Explorer::Session::object_in(const Json& body, const char* field) const {
  const auto found = body.find(field);
  if (found == body.end() || !found->is_number_unsigned() ||
      found->get<std::uint64_t>() >= input_.objects()) {
    throw std::invalid_argument(fmt::format("{}: found no object; allowed: a number from 0 to {}",
                                            field, input_.objects() - 1));
  }
  return found->get<std::size_t>();
}

std::vector<std::uint32_t> Explorer::Session::objects_in(const Json& body) const {
  const auto found = body.find("objects");
  if (found == body.end() || !found->is_array() || found->empty() ||
      found->size() > kMostSelected) {
    throw std::invalid_argument(fmt::format(
        "objects: found {}; allowed: a list of 1 to {} objects",
        found != body.end() && found->is_array() ? std::to_string(found->size()) : "none",
        kMostSelected));
  }
  std::vector<std::uint32_t> objects;
  for (const Json& one : *found) {
    objects.push_back(static_cast<std::uint32_t>(object_in(Json{{"objects", one}}, "objects")));
  }
  std::vector<std::uint32_t> sorted = objects;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) {
    throw std::invalid_argument("objects: found one twice; allowed: different ones");
  }
  return objects;
}

std::int32_t Explorer::Session::cluster_in(const Json& value) const {
  const std::vector<std::int32_t>& labels = feedback_.labels();
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > labels.size() ||
      std::ranges::find(labels, value.get<std::int32_t>()) == labels.end()) {
    throw std::invalid_argument("cluster: found none of this number; allowed: one there is");
  }
  return value.get<std::int32_t>();
}

// ---- What there is to see ----

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
  return {{"version", version_},
          {"name", shown(how_.title.empty() ? input_.name : how_.title, kMostText)},
          {"objects", input_.objects()},
          {"shape", word_of(input_.shape)},
          {"clusters", clusters()},
          {"asked", result.clusters_asked ? Json(*result.clusters_asked) : Json()},
          {"answers", feedback_.answers().size()},
          {"undo", steps_.empty() ? (feedback_.answers().empty() ? Json() : Json("an answer"))
                                  : Json(steps_.back().what)},
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

Options Explorer::Session::options_now() const {
  Options options = options_;
  for (const Answer& answer : feedback_.answers()) {
    if (answer.says != Answer::Says::unsure) {
      auto& pairs =
          answer.says == Answer::Says::same ? options.links.must_link : options.links.cannot_link;
      pairs.push_back({answer.a, answer.b});
    }
  }
  return options;
}

std::vector<std::int32_t> Explorer::Session::kept_numbers() const {
  const Result& result = feedback_.result();
  std::vector<std::int32_t> kept(result.sizes.size(), -1);
  for (std::size_t i = 0; i < result.labels.size(); ++i) {
    kept[static_cast<std::size_t>(result.labels[i])] = feedback_.labels()[i];
  }
  return kept;
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
  std::vector<std::uint32_t> objects = objects_in(body);
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

// ---- Changes ----

// Makes a change and saves it; where it can't be made or saved it is taken back.
template <class Make>
Explorer::Session::Json Explorer::Session::change(const Json& body, const Make& make) {
  require_version(body);
  const Labels before = feedback_.labels();
  const std::size_t answers = feedback_.answers().size();
  const std::vector<Answer> all = feedback_.answers();
  const auto restore = [&] {
    if (feedback_.answers().size() > answers) {
      feedback_.undo(control_, feedback_.answers().size() - answers);
    } else if (feedback_.answers().size() < answers) {
      feedback_.answer(std::span(all).subspan(feedback_.answers().size()), control_, false);
    }
  };
  std::string what;
  try {
    what = make();
  } catch (const Interrupted&) {
    if (feedback_.answers().size() != answers) {
      how_.save(feedback_.answers());
    }
    throw;
  } catch (...) {
    restore();
    throw;
  }
  try {
    how_.save(feedback_.answers());
  } catch (const std::runtime_error&) {
    restore();
    throw;
  }
  ++version_;
  if (feedback_.answers().size() > answers) {
    steps_.push_back({feedback_.answers().size() - answers, what});
  } else if (!steps_.empty()) {
    steps_.pop_back();
  }
  asked_.reset();
  Json changed = Json::array();
  std::size_t count = 0;
  const Labels& labels = feedback_.labels();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != before[i] && ++count <= kMostChanged) {
      changed.push_back({i, labels[i]});
    }
  }
  Json out = state();
  out["changed"] = count <= kMostChanged ? std::move(changed) : Json();
  out["changed_count"] = count;
  out["links"] = feedback_.answers().size() > answers ? feedback_.answers().size() - answers : 0;
  return out;
}

Explorer::Session::Json Explorer::Session::teach(const Json& body, Lesson& lesson,
                                                 const std::string& what) {
  bool is_learned = false;
  Json out = change(body, [&] {
    std::vector<Answer> given;
    while (!is_learned && given.size() < kMostLinks) {
      const std::vector<Answer> more = lesson.next(feedback_.labels());
      if (more.empty()) {
        break;
      }
      feedback_.undo(control_, given.size());  // so that the step is one answer() to take back
      given.insert(given.end(), more.begin(), more.end());
      feedback_.answer(given, control_, false);
      is_learned = lesson.is_learned(feedback_.labels());
    }
    if (given.empty()) {
      throw std::invalid_argument(what + ": found nothing to change");
    }
    return what;
  });
  out["followed"] = is_learned;
  return out;
}

Explorer::Session::Json Explorer::Session::answer(const Json& body) {
  const Answer answer{static_cast<std::uint32_t>(object_in(body, "a")),
                      static_cast<std::uint32_t>(object_in(body, "b")), says_in(body)};
  return change(body, [&] {
    feedback_.answer(std::span(&answer, 1), control_);
    return std::string("an answer");
  });
}

Explorer::Session::Json Explorer::Session::merge(const Json& body) {
  require_version(body);
  const auto found = body.find("clusters");
  if (found == body.end() || !found->is_array() || found->size() != 2 ||
      (*found)[0] == (*found)[1]) {
    throw std::invalid_argument("clusters: found something else; allowed: two different ones");
  }
  const std::int32_t a = cluster_in((*found)[0]);
  const std::int32_t b = cluster_in((*found)[1]);
  const auto lesson = shiftcut::merge(feedback_.labels(), a, b);
  return teach(body, *lesson, fmt::format("merging clusters {} and {}", a, b));
}

Explorer::Session::Json Explorer::Session::move(const Json& body) {
  require_version(body);
  const std::vector<std::uint32_t> objects = objects_in(body);
  const auto found = body.find("cluster");
  const std::int32_t cluster = cluster_in(found == body.end() ? Json() : *found);
  const auto lesson = move_to(feedback_.labels(), layout_, objects, cluster);
  return teach(body, *lesson,
               fmt::format("moving {} to cluster {}", counted(objects.size(), "object"), cluster));
}

Explorer::Session::Json Explorer::Session::split(const Json& body) {
  require_version(body);
  const std::vector<std::uint32_t> objects = objects_in(body);
  const Result& result = feedback_.result();
  const bool has_room = !result.clusters_asked || result.clusters_found < *result.clusters_asked;
  const auto lesson = shiftcut::split(feedback_.labels(), objects, has_room);
  return teach(body, *lesson, fmt::format("splitting off {}", counted(objects.size(), "object")));
}

Explorer::Session::Json Explorer::Session::pin(const Json& body) {
  require_version(body);
  const auto object = static_cast<std::uint32_t>(object_in(body, "object"));
  const auto lesson = shiftcut::pin(feedback_.labels(), layout_, object);
  return teach(body, *lesson, "pinning " + name(object));
}

Explorer::Session::Json Explorer::Session::undo(const Json& body) {
  require_version(body);
  if (feedback_.answers().empty()) {
    throw std::invalid_argument("undo: found no answer to take back");
  }
  const std::size_t count = steps_.empty() ? 1 : steps_.back().answers;
  const Answer last = feedback_.answers().back();
  Json out = change(body, [&] {
    feedback_.undo(control_, count);
    return std::string();
  });
  if (count == 1) {
    asked_ = Asked{last.a, last.b, std::nullopt};
  }
  return out;
}

// ---- What is saved ----

std::string Explorer::Session::labels_csv() {
  return shiftcut::labels_csv(feedback_.result(), input_);
}

std::string Explorer::Session::answers_csv() {
  return shiftcut::answers_csv(feedback_.answers(), input_);
}

std::string Explorer::Session::model() {
  return model_bytes(make_model(input_, options_now(), feedback_.result(),
                                {feedback_.neighbors(), how_.encoding}, control_));
}

PageOptions Explorer::Session::about_page() const {
  PageOptions page;
  page.title = how_.title;
  page.command = how_.command;
  page.places = &layout_;
  page.naming = how_.naming;
  return page;
}

std::string Explorer::Session::report() {
  return page_html(input_, options_now(), feedback_.result(), about_page(),
                   feedback_.neighbors().get(), control_);
}

std::string Explorer::Session::sections() {
  if (!sections_ || sections_->first != version_) {
    sections_ = {version_,
                 fmt::format(R"({{"version":{},"numbers":{},"data":{}}})", version_,
                             Json(kept_numbers()).dump(),
                             page_json(input_, options_now(), feedback_.result(), about_page(),
                                       feedback_.neighbors().get(), control_))};
  }
  return sections_->second;
}

}  // namespace shiftcut
