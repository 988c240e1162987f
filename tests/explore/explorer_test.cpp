// Whatever is asked, the groups, the answers that are kept and the replies tell the same story.
#include "shiftcut/explore.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "core/rng.hpp"
#include "shiftcut/shiftcut.hpp"
#include "support/random_problems.hpp"

namespace shiftcut {
namespace {

using namespace testing_support;
using nlohmann::json;

class Explored {
 public:
  explicit Explored(std::uint64_t seed, std::optional<std::size_t> clusters = {})
      : input_(classes(seed)), records_(input_) {
    options_.search.clusters = clusters;
    options_.search.threads = 1;
    feedback_ = std::make_unique<Feedback>(input_, options_);
    open();
  }

  void open() {
    explorer_ = std::make_unique<Explorer>(
        input_, options_, *feedback_, records_, layout(input_, options_, feedback_->result()),
        ExploreOptions{"points", "", plain_name,
                       [this](std::span<const Answer> all) {
                         if (fails_) {
                           throw std::runtime_error("no room on the device");
                         }
                         saved_.assign(all.begin(), all.end());
                       },
                       [this](const std::string& text) { steps_ = text; }, steps_, nullptr},
        Control{});
  }

  /// As after a restart: with the answers and the steps that were kept.
  void start_again() {
    explorer_.reset();
    feedback_ = std::make_unique<Feedback>(input_, options_);
    feedback_->answer(saved_);
    open();
  }

  json get(const std::string& path, std::map<std::string, std::string> parameters = {}) {
    const ExploreReply reply = explorer_->reply({false, path, std::move(parameters), ""});
    EXPECT_EQ(reply.status, 200) << reply.body;
    return json::parse(reply.body);
  }

  ExploreReply post(const std::string& path, const json& body) {
    return explorer_->reply({true, path, {}, body.dump()});
  }

  json change(const std::string& path, json body) {
    body["version"] = get("api/state")["version"];
    const ExploreReply reply = post(path, body);
    EXPECT_EQ(reply.status, 200) << reply.body;
    return json::parse(reply.body);
  }

  std::vector<std::int32_t> labels(std::map<std::string, std::string> parameters = {}) {
    const ExploreReply reply = explorer_->reply({false, "api/labels", std::move(parameters), ""});
    std::vector<std::int32_t> values(reply.body.size() / 4);
    std::memcpy(values.data(), reply.body.data(), reply.body.size());
    return {values.begin() + 1, values.end()};
  }

  [[nodiscard]] const std::vector<Answer>& saved() const { return saved_; }
  [[nodiscard]] const Feedback& feedback() const { return *feedback_; }
  [[nodiscard]] std::size_t objects() const { return input_.objects(); }
  void drop_an_answer() { saved_.erase(saved_.begin()); }
  void damage_steps(const std::string& text) { steps_ = text; }
  void let_saving_fail(bool fails) { fails_ = fails; }

 private:
  static Input classes(std::uint64_t seed) {
    constexpr std::size_t kRows = 120;
    Rng rng(seed);
    std::vector<double> rows;
    for (std::size_t i = 0; i < kRows; ++i) {
      for (std::size_t f = 0; f < 4; ++f) {
        rows.push_back(normal(rng) + (f == i % 4 ? 4 : 0));
      }
    }
    return features(std::move(rows), kRows, 4);
  }

  Input input_;
  Options options_;
  Records records_;
  std::unique_ptr<Feedback> feedback_;
  std::unique_ptr<Explorer> explorer_;
  std::vector<Answer> saved_;
  std::string steps_;
  bool fails_ = false;
};

std::vector<std::size_t> members(const std::vector<std::int32_t>& labels, std::int32_t cluster) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == cluster) {
      all.push_back(i);
    }
  }
  return all;
}

void expect_answers_hold(const Feedback& feedback) {
  for (const Answer& answer : feedback.answers()) {
    if (answer.says != Answer::Says::unsure) {
      EXPECT_EQ(feedback.labels()[answer.a] == feedback.labels()[answer.b],
                answer.says == Answer::Says::same);
    }
  }
}

TEST(Explorer, every_action_is_saved_holds_and_is_taken_back_whole) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Explored explored(seed, seed % 2 == 0 ? std::nullopt : std::optional<std::size_t>(4));
    Rng rng(seed + 100);
    std::vector<std::vector<std::int32_t>> history;
    for (int step = 0; step < 8; ++step) {
      const std::vector<std::int32_t> before = explored.labels();
      const std::size_t object = rng.below(static_cast<std::uint32_t>(explored.objects()));
      const std::int32_t other = before[rng.below(static_cast<std::uint32_t>(before.size()))];
      ExploreReply reply;
      const json version = explored.get("api/state")["version"];
      switch (step % 4) {
        case 0:
          reply = explored.post("api/merge",
                                {{"clusters", {before[object], other}}, {"version", version}});
          break;
        case 1:
          reply = explored.post("api/move",
                                {{"objects", {object}}, {"cluster", other}, {"version", version}});
          break;
        case 2: {
          std::vector<std::size_t> chosen = members(before, other);
          chosen.resize((chosen.size() + 2) / 3);
          reply = explored.post("api/split", {{"objects", chosen}, {"version", version}});
          break;
        }
        default:
          reply = explored.post("api/pin", {{"object", object}, {"version", version}});
      }
      ASSERT_TRUE(reply.status == 200 || reply.status == 400) << reply.body;
      if (reply.status == 200) {
        history.push_back(before);
        expect_answers_hold(explored.feedback());
      } else {
        EXPECT_EQ(explored.labels(), before) << reply.body;
      }
      EXPECT_EQ(explored.saved().size(), explored.feedback().answers().size());
    }
    while (!history.empty()) {
      explored.change("api/undo", json::object());
      EXPECT_EQ(explored.labels(), history.back());
      history.pop_back();
    }
    EXPECT_TRUE(explored.saved().empty());
    EXPECT_TRUE(explored.get("api/state")["undo"].is_null());
  }
}

TEST(Explorer, undo_goes_step_by_step_after_a_restart) {
  Explored explored(7);
  std::vector<std::size_t> sizes = {0};
  const auto done = [&](const json& told) { sizes.push_back(told["answers"]); };
  done(explored.change("api/merge", {{"clusters", {0, 1}}}));
  const json asked = explored.get("api/question");
  done(explored.change("api/answer", {{"a", asked["a"]}, {"b", asked["b"]}, {"says", "unsure"}}));
  done(explored.change("api/pin", {{"object", 5}}));
  explored.change("api/pin", {{"object", 6}});
  explored.change("api/undo", json::object());  // the steps kept may still have it
  explored.start_again();
  EXPECT_EQ(explored.get("api/state")["answers"], sizes.back());
  EXPECT_EQ(explored.get("api/state")["undo"], "pinning row 5");
  while (sizes.size() > 1) {
    sizes.pop_back();
    EXPECT_EQ(explored.change("api/undo", json::object())["answers"], sizes.back());
  }
}

TEST(Explorer, steps_of_other_answers_are_none) {
  Explored explored(8);
  explored.change("api/merge", {{"clusters", {0, 1}}});
  const std::size_t count = explored.saved().size();
  ASSERT_GT(count, 1U);
  explored.drop_an_answer();  // as another program may
  explored.start_again();
  EXPECT_EQ(explored.get("api/state")["undo"], "an answer");
  EXPECT_EQ(explored.change("api/undo", json::object())["answers"], count - 2);
  for (const char* text :
       {"", "{}", "[1]", "[{\"from\":0,\"to\":0,\"digest\":\"\",\"step\":\"\"}]"}) {
    explored.change("api/pin", {{"object", 9}});
    explored.damage_steps(text);
    explored.start_again();
    EXPECT_EQ(explored.get("api/state")["undo"], "an answer");
  }
}

TEST(Explorer, what_changed_is_what_differs) {
  Explored explored(3);
  std::vector<std::int32_t> labels = explored.labels();
  const json told = explored.change("api/merge", {{"clusters", {0, 1}}});
  EXPECT_TRUE(told["followed"]);
  for (const json& one : told["changed"]) {
    labels[one[0].get<std::size_t>()] = one[1];
  }
  EXPECT_EQ(labels, explored.labels());
  EXPECT_EQ(told["changed"].size(), told["changed_count"]);
}

TEST(Explorer, a_change_that_can_not_be_saved_is_taken_back) {
  Explored explored(4);
  const std::vector<std::int32_t> before = explored.labels();
  explored.let_saving_fail(true);
  const ExploreReply reply = explored.post("api/merge", {{"clusters", {0, 1}}, {"version", 0}});
  EXPECT_EQ(reply.status, 500);
  EXPECT_EQ(explored.labels(), before);
  EXPECT_EQ(explored.get("api/state")["version"], 0);
  explored.let_saving_fail(false);
  EXPECT_EQ(explored.change("api/merge", {{"clusters", {0, 1}}})["version"], 1);
}

TEST(Explorer, labels_along_the_path_keep_their_numbers) {
  Explored explored(5);
  const json path = explored.get("api/state")["path"];
  const auto chosen = path["chosen"].get<std::size_t>();
  const std::vector<std::int32_t> now = explored.labels();
  for (std::size_t p = 0; p < path["points"].size(); ++p) {
    const std::vector<std::int32_t> there = explored.labels({{"point", std::to_string(p)}});
    const std::set<std::int32_t> distinct(there.begin(), there.end());
    EXPECT_EQ(distinct.size(), path["points"][p]["clusters"]);
    if (p == chosen) {
      std::size_t same = 0;
      for (std::size_t i = 0; i < now.size(); ++i) {
        same += now[i] == there[i] ? 1 : 0;
      }
      EXPECT_GT(same, now.size() / 2);
    }
  }
}

TEST(Explorer, refuses_what_makes_no_sense_in_words) {
  Explored explored(6);
  for (const char* path :
       {"api/merge", "api/move", "api/split", "api/pin", "api/undo", "api/answer", "api/rows"}) {
    for (const char* body :
         {"", "[]", "{}", "{\"version\": 0}", "{\"version\": 0, \"objects\": [999]}",
          "{\"version\": 0, \"objects\": [1, 1]}", "{\"version\": -1}"}) {
      const ExploreReply reply = [&] {
        return json::accept(body) ? explored.post(path, json::parse(body))
                                  : explored.post(path, json("no object"));
      }();
      EXPECT_EQ(reply.status, 400) << path << ' ' << body;
      EXPECT_FALSE(json::parse(reply.body)["error"].get<std::string>().empty());
    }
  }
  EXPECT_EQ(explored.post("api/nothing", json::object()).status, 404);
  EXPECT_EQ(explored.get("api/state")["version"], 0);
}

}  // namespace
}  // namespace shiftcut
