// Changes: each is made, saved and counted as a whole, or taken back.
#include "explore/session.hpp"

#include <algorithm>
#include <span>

#include <fmt/core.h>

#include "explore/requests.hpp"
#include "explore/shown.hpp"
#include "explore/tuning.hpp"

namespace shiftcut {

namespace {

using namespace explore_tuning;

std::string counted(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

// Makes a change and saves it; where it can't be made or saved it is taken back. `step` names what
// undo takes back as a whole; empty: each answer by itself.
template <class Make>
Explorer::Session::Json Explorer::Session::change(const Json& body, const std::string& step,
                                                  const Make& make) {
  require_version(body);
  const Labels before = feedback_.labels();
  const std::size_t answers = feedback_.answers().size();
  const std::vector<Answer> all = feedback_.answers();
  const Steps steps_before = steps_;
  const auto restore = [&] {
    if (feedback_.answers().size() > answers) {
      feedback_.undo(control_, feedback_.answers().size() - answers);
    } else if (feedback_.answers().size() < answers) {
      feedback_.answer(std::span(all).subspan(feedback_.answers().size()), control_, false);
    }
  };
  const auto save = [&] {
    steps_.cut(std::min(answers, feedback_.answers().size()));
    if (!step.empty() && feedback_.answers().size() > answers) {
      steps_.add(answers, feedback_.answers(), step);
      if (how_.save_steps) {
        how_.save_steps(steps_.text());
      }
    }
    how_.save(feedback_.answers());
  };
  try {
    make();
  } catch (const Interrupted&) {
    if (feedback_.answers().size() != answers) {
      save();
    }
    throw;
  } catch (...) {
    restore();
    throw;
  }
  try {
    save();
  } catch (const std::runtime_error&) {
    steps_ = steps_before;
    restore();
    throw;
  }
  ++version_;
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
  Json out = change(body, what, [&] {
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
  });
  out["followed"] = is_learned;
  return out;
}

Explorer::Session::Json Explorer::Session::answer(const Json& body) {
  const Answer answer{static_cast<std::uint32_t>(object_in(body, "a", input_.objects())),
                      static_cast<std::uint32_t>(object_in(body, "b", input_.objects())),
                      says_in(body)};
  return change(body, "", [&] { feedback_.answer(std::span(&answer, 1), control_); });
}

Explorer::Session::Json Explorer::Session::merge(const Json& body) {
  require_version(body);
  const auto [a, b] = clusters_in(body, feedback_.labels());
  const auto lesson = shiftcut::merge(feedback_.labels(), a, b);
  return teach(body, *lesson, fmt::format("merging clusters {} and {}", a, b));
}

Explorer::Session::Json Explorer::Session::move(const Json& body) {
  require_version(body);
  const std::vector<std::uint32_t> objects = objects_in(body, input_.objects());
  const std::int32_t cluster = cluster_in(body, feedback_.labels());
  const auto lesson = move_to(feedback_.labels(), layout_, objects, cluster);
  return teach(body, *lesson,
               fmt::format("moving {} to cluster {}", counted(objects.size(), "object"), cluster));
}

Explorer::Session::Json Explorer::Session::split(const Json& body) {
  require_version(body);
  const std::vector<std::uint32_t> objects = objects_in(body, input_.objects());
  const Result& result = feedback_.result();
  const bool has_room = !result.clusters_asked || result.clusters_found < *result.clusters_asked;
  const auto lesson = shiftcut::split(feedback_.labels(), objects, has_room);
  return teach(body, *lesson, fmt::format("splitting off {}", counted(objects.size(), "object")));
}

Explorer::Session::Json Explorer::Session::pin(const Json& body) {
  require_version(body);
  const auto object = static_cast<std::uint32_t>(object_in(body, "object", input_.objects()));
  const auto lesson = shiftcut::pin(feedback_.labels(), layout_, object);
  return teach(body, *lesson, "pinning " + name(object));
}

Explorer::Session::Json Explorer::Session::undo(const Json& body) {
  require_version(body);
  if (feedback_.answers().empty()) {
    throw std::invalid_argument("undo: found no answer to take back");
  }
  const std::size_t answers = feedback_.answers().size();
  const Step* const step = steps_.last(answers);
  const bool is_step = step != nullptr;
  const std::size_t count = is_step ? answers - step->begin : 1;
  const Answer last = feedback_.answers().back();
  Json out = change(body, "", [&] { feedback_.undo(control_, count); });
  if (!is_step) {
    asked_ = Asked{last.a, last.b, std::nullopt};
  }
  return out;
}

}  // namespace shiftcut
