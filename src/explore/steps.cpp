#include "explore/steps.hpp"

#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/rng.hpp"
#include "explore/shown.hpp"
#include "explore/tuning.hpp"

namespace shiftcut {

namespace {

using namespace explore_tuning;
using Json = nlohmann::json;

// Of answers in their order, one by one.
class Digest {
 public:
  void add(const Answer& answer) {
    value_ = mix(value_ ^ (static_cast<std::uint64_t>(answer.a) << 32U | answer.b));
    value_ = mix(value_ ^ static_cast<std::uint64_t>(answer.says));
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

bool is_step(const Json& one) {
  return one.is_object() && one.contains("from") && one["from"].is_number_unsigned() &&
         one.contains("to") && one["to"].is_number_unsigned() && one.contains("digest") &&
         one["digest"].is_string() && one.contains("step") && one["step"].is_string();
}

std::string digits(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

}  // namespace

Steps::Steps(std::string_view text, std::span<const Answer> answers) {
  const Json kept = Json::parse(text, nullptr, false);
  if (!kept.is_array()) {
    return;
  }
  Digest digest;
  std::size_t at = 0;
  for (const Json& one : kept) {
    if (!is_step(one)) {
      return;
    }
    const auto begin = one["from"].get<std::uint64_t>();
    const auto end = one["to"].get<std::uint64_t>();
    if (begin < at || begin >= end || end > answers.size()) {
      return;
    }
    for (; at < end; ++at) {
      digest.add(answers[at]);
    }
    if (one["digest"] != digits(digest.value())) {
      return;
    }
    steps_.push_back(
        {begin, end, digest.value(), shown(one["step"].get<std::string>(), kMostText)});
  }
}

void Steps::add(std::size_t begin, std::span<const Answer> answers, std::string what) {
  Digest digest;
  for (const Answer& answer : answers) {
    digest.add(answer);
  }
  steps_.push_back({begin, answers.size(), digest.value(), std::move(what)});
}

void Steps::cut(std::size_t answers) {
  while (!steps_.empty() && steps_.back().end > answers) {
    steps_.pop_back();
  }
}

const Step* Steps::last(std::size_t answers) const {
  return steps_.empty() || steps_.back().end != answers ? nullptr : &steps_.back();
}

std::string Steps::text() const {
  Json kept = Json::array();
  for (const Step& step : steps_) {
    kept.push_back({{"from", step.begin},
                    {"to", step.end},
                    {"digest", digits(step.digest)},
                    {"step", step.what}});
  }
  return kept.dump(0, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace shiftcut
