#include "explore/explore_session.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "parse.hpp"

namespace {

using shiftcut::Answer;
using Json = ExploreSession::Json;

constexpr std::size_t kMostMatches = 50;

// Harmless, and no longer than a page can show; an ellipsis where something is left out.
std::string shown(std::string_view text) {
  if (text.size() <= ExploreSession::kMostText) {
    return shiftcut::harmless(text);
  }
  std::size_t end = ExploreSession::kMostText;
  while (end > ExploreSession::kMostText - 4 &&
         (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
    --end;  // not within a letter
  }
  return shiftcut::harmless(text.substr(0, end)) + "\u2026";
}

// Four places behind the point are less than a pixel.
double rounded(double x) { return std::round(x * 1e4) / 1e4; }

std::uint64_t version_in(const Json& body) {
  const auto found = body.find("version");
  if (found == body.end() || !found->is_number_unsigned()) {
    throw std::invalid_argument("version: found none; allowed: the number that state gave");
  }
  return found->get<std::uint64_t>();
}

Answer::Says says_in(const Json& body) {
  const auto found = body.find("says");
  const auto says = found != body.end() && found->is_string()
                        ? shiftcut::from_word<Answer::Says>(found->get<std::string>())
                        : std::nullopt;
  if (!says) {
    throw std::invalid_argument("says: found something else; allowed: " +
                                shiftcut::list_words<Answer::Says>());
  }
  return *says;
}

}  // namespace

ExploreSession::ExploreSession(const shiftcut::Input& input, const shiftcut::Options& options,
                               shiftcut::Feedback& feedback, const Records& records,
                               OutputFile answers, shiftcut::Layout layout,
                               shiftcut::Control control)
    : input_(input),
      options_(options),
      feedback_(feedback),
      records_(records),
      answers_(std::move(answers)),
      layout_(std::move(layout)),
      control_(std::move(control)) {}

std::string ExploreSession::name(std::size_t object) const {
  return input_.ids.empty() ? fmt::format("row {}", object) : shown(input_.ids[object]);
}

std::size_t ExploreSession::object_in(const Json& body, const char* field) const {
  const auto found = body.find(field);
  if (found == body.end() || !found->is_number_unsigned() ||
      found->get<std::uint64_t>() >= input_.objects()) {
    throw std::invalid_argument(fmt::format("{}: found no object; allowed: a number from 0 to {}",
                                            field, input_.objects() - 1));
  }
  return found->get<std::size_t>();
}

Json ExploreSession::clusters() const {
  const std::vector<std::int32_t>& labels = feedback_.labels();
  std::vector<std::size_t> sizes;
  for (const std::int32_t label : labels) {
    sizes.resize(std::max(sizes.size(), static_cast<std::size_t>(label) + 1), 0);
    ++sizes[static_cast<std::size_t>(label)];
  }
  Json all = Json::array();
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (sizes[k] > 0) {
      all.push_back({{"cluster", k}, {"size", sizes[k]}});
    }
  }
  return all;
}

Json ExploreSession::state() {
  const std::lock_guard lock(mutex_);
  Json x = Json::array();
  Json y = Json::array();
  for (const shiftcut::Place& place : layout_) {
    x.push_back(rounded(place.x));
    y.push_back(rounded(place.y));
  }
  const shiftcut::Result& result = feedback_.result();
  Json path = Json::array();
  for (const shiftcut::PathPoint& point : result.shift_path) {
    path.push_back({{"strength", point.strength}, {"clusters", point.clusters}});
  }
  return {
      {"version", version_},         {"name", shown(input_.name)},
      {"objects", input_.objects()}, {"labels", feedback_.labels()},
      {"x", std::move(x)},           {"y", std::move(y)},
      {"clusters", clusters()},      {"answers", feedback_.answers().size()},
      {"cost", result.cost},         {"strength", result.shift_strength},
      {"path", std::move(path)},     {"warnings", shiftcut::render(result.warnings, option_name)}};
}

Json ExploreSession::explain(std::size_t object) {
  const std::lock_guard lock(mutex_);
  shiftcut::Options options = options_;
  for (const Answer& answer : feedback_.answers()) {
    if (answer.says != Answer::Says::unsure) {
      auto& pairs =
          answer.says == Answer::Says::same ? options.links.must_link : options.links.cannot_link;
      pairs.push_back({answer.a, answer.b});
    }
  }
  const shiftcut::Result& result = feedback_.result();
  const auto neighbors = feedback_.neighbors();
  Json out = Json::parse(shiftcut::to_json(
      shiftcut::explain(input_, options, result, object, 5, control_, neighbors.get())));
  // The result numbers clusters by size; here they keep their numbers.
  const std::vector<std::int32_t>& labels = feedback_.labels();
  std::vector<std::int32_t> kept(result.sizes.size(), -1);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    kept[static_cast<std::size_t>(result.labels[i])] = labels[i];
  }
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

Json ExploreSession::search(std::string_view text) {
  Json found = Json::array();
  const auto add = [&](std::size_t object) {
    found.push_back({{"object", object}, {"name", name(object)}});
  };
  if (!text.empty() && input_.ids.empty()) {
    std::size_t row = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), row);
    if (error == std::errc() && end == text.data() + text.size() && row < input_.objects()) {
      add(row);
    }
  }
  for (std::size_t i = 0; !text.empty() && i < input_.ids.size() && found.size() < kMostMatches;
       ++i) {
    if (input_.ids[i].find(text) != std::string::npos) {
      add(i);
    }
  }
  return {{"found", std::move(found)}};
}

Json ExploreSession::question() {
  const std::lock_guard lock(mutex_);
  if (!asked_) {
    const std::vector<shiftcut::Question> questions = feedback_.next_pairs(1);
    if (questions.empty()) {
      return {{"version", version_}, {"done", true}};
    }
    asked_ = Asked{questions[0].a, questions[0].b, questions[0].chance};
  }
  const RecordPair pair = records_.pair(asked_->a, asked_->b, control_);
  Json traits = Json::array();
  for (const Trait& trait : pair.traits) {
    traits.push_back({{"name", shown(trait.name)},
                      {"left", shown(trait.left)},
                      {"right", shown(trait.right)},
                      {"differs", trait.differs()}});
  }
  Json out = {{"version", version_},
              {"done", false},
              {"a", asked_->a},
              {"b", asked_->b},
              {"left", shown(pair.left)},
              {"right", shown(pair.right)},
              {"heading", shown(pair.heading)},
              {"traits", std::move(traits)}};
  if (asked_->chance) {
    out["chance"] = *asked_->chance;
  }
  return out;
}

// Makes a change and saves it; where it can't be saved it is taken back.
template <class Change, class Revert>
Json ExploreSession::change(const Json& body, const Change& make, const Revert& revert) {
  if (version_in(body) != version_) {
    throw OutOfDate();
  }
  const std::vector<std::int32_t> before = feedback_.labels();
  const std::size_t answers = feedback_.answers().size();
  try {
    make();
  } catch (const shiftcut::Interrupted&) {
    if (feedback_.answers().size() != answers) {
      answers_.write(shiftcut::answers_csv(feedback_.answers(), input_));
    }
    throw;
  }
  try {
    answers_.write(shiftcut::answers_csv(feedback_.answers(), input_));
  } catch (const std::runtime_error&) {
    revert();
    throw;
  }
  ++version_;
  Json changed = Json::array();
  const std::vector<std::int32_t>& labels = feedback_.labels();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != before[i]) {
      changed.push_back({i, labels[i]});
    }
  }
  return {{"version", version_},
          {"changed", std::move(changed)},
          {"clusters", clusters()},
          {"answers", feedback_.answers().size()},
          {"cost", feedback_.result().cost}};
}

Json ExploreSession::answer(const Json& body) {
  const std::lock_guard lock(mutex_);
  const Answer answer{static_cast<std::uint32_t>(object_in(body, "a")),
                      static_cast<std::uint32_t>(object_in(body, "b")), says_in(body)};
  Json out = change(
      body, [&] { feedback_.answer(std::span(&answer, 1), control_); },
      [&] { feedback_.undo(control_); });
  asked_.reset();
  return out;
}

Json ExploreSession::undo(const Json& body) {
  const std::lock_guard lock(mutex_);
  if (feedback_.answers().empty()) {
    throw std::invalid_argument("undo: found no answer to take back");
  }
  const Answer last = feedback_.answers().back();
  Json out = change(
      body, [&] { feedback_.undo(control_); },
      [&] { feedback_.answer(std::span(&last, 1), control_); });
  asked_ = Asked{last.a, last.b, std::nullopt};
  return out;
}

std::string ExploreSession::labels_csv() {
  const std::lock_guard lock(mutex_);
  return shiftcut::labels_csv(feedback_.result(), input_);
}

std::string ExploreSession::answers_csv() {
  const std::lock_guard lock(mutex_);
  return shiftcut::answers_csv(feedback_.answers(), input_);
}
