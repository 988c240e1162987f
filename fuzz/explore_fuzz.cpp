// Fuzzes the requests that the explorer takes, a line each:
//   GET api/labels?point=3
//   POST api/merge {"clusters": [0, 1]}
// A body that names no version gets the present one. Whatever is asked, replies are well formed,
// the answers that are kept hold, and taking all of them back leads to where it began.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "shiftcut/shiftcut.hpp"

namespace {

using nlohmann::json;
using shiftcut::ExploreReply;
using shiftcut::ExploreRequest;

constexpr std::size_t kMostRequests = 12;
constexpr std::size_t kRows = 14;
constexpr std::uint32_t kColumns = 2;

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

shiftcut::Input rows_in_three_groups() {
  std::vector<double> values;
  for (std::size_t i = 0; i < kRows; ++i) {
    const std::size_t group = i % 3;
    values.push_back((group == 0 ? 6.0 : 0.0) + 0.1 * static_cast<double>(i * i % 7));
    values.push_back((group == 1 ? 6.0 : 0.0) + 0.1 * static_cast<double>(i * i % 5));
  }
  shiftcut::Input input;
  input.values = shiftcut::DenseArray::own(std::move(values), kRows, kColumns);
  return input;
}

class Explored {
 public:
  // The first byte of what is fuzzed chooses the data and whether K is given.
  explicit Explored(unsigned variant)
      : input_(rows_in_three_groups()),
        options_(options(variant)),
        records_(named(variant)),
        feedback_(input_, options_),
        explorer_(input_, options_, feedback_, records_,
                  shiftcut::layout(input_, options_, feedback_.result()),
                  {"fuzz", "", shiftcut::plain_name,
                   [this](std::span<const shiftcut::Answer> all) { saved_ = all.size(); }, nullptr,
                   "", nullptr},
                  {}),
        first_(feedback_.labels()) {}

  void ask(std::string_view line) {
    const ExploreReply reply = explorer_.reply(request(line));
    require(reply.status == 200 || reply.status == 400 || reply.status == 404 ||
            reply.status == 409);
    if (reply.type == "application/json") {
      const json body = json::parse(reply.body, nullptr, false);
      require(!body.is_discarded());
      require(reply.status == 200 || !body.value("error", "").empty());
    }
    require(saved_ == feedback_.answers().size());
    for (const shiftcut::Answer& answer : feedback_.answers()) {
      const bool is_same = feedback_.labels()[answer.a] == feedback_.labels()[answer.b];
      require(answer.says == shiftcut::Answer::Says::unsure ||
              is_same == (answer.says == shiftcut::Answer::Says::same));
    }
  }

  void take_all_back() {
    while (!feedback_.answers().empty()) {
      const std::size_t before = feedback_.answers().size();
      ask("POST api/undo {}");
      require(feedback_.answers().size() < before);
    }
    require(feedback_.labels() == first_);
  }

 private:
  static shiftcut::Options options(unsigned variant) {
    shiftcut::Options options;
    options.search.threads = 1;
    if (variant % 2 == 1) {
      options.search.clusters = 3;
    }
    return options;
  }

  const shiftcut::Input& named(unsigned variant) {
    for (std::size_t i = 0; variant % 4 >= 2 && i < kRows; ++i) {
      input_.ids.push_back(i == 0 ? "<b>&\"\x1b[31m" : "name " + std::to_string(i));
    }
    return input_;
  }

  [[nodiscard]] ExploreRequest request(std::string_view line) const {
    ExploreRequest asked;
    const auto cut = [](std::string_view& rest, char end) {
      const std::string_view head = rest.substr(0, rest.find(end));
      rest.remove_prefix(std::min(rest.size(), head.size() + 1));
      return std::string(head);
    };
    asked.is_post = cut(line, ' ') == "POST";
    if (asked.is_post) {
      asked.path = cut(line, ' ');
      json body = json::parse(line, nullptr, false);
      if (body.is_object() && !body.contains("version")) {
        body["version"] = version();
        asked.body = body.dump(-1, ' ', false, json::error_handler_t::replace);
      } else {
        asked.body = line;
      }
      return asked;
    }
    asked.path = cut(line, '?');
    while (!line.empty()) {
      const std::string name = cut(line, '=');
      asked.parameters.emplace(name, cut(line, '&'));
    }
    return asked;
  }

  [[nodiscard]] json version() const {
    return json::parse(const_cast<shiftcut::Explorer&>(explorer_)
                           .reply({false, "api/state", {}, ""})
                           .body)["version"];
  }

  shiftcut::Input input_;
  shiftcut::Options options_;
  shiftcut::Records records_;
  shiftcut::Feedback feedback_;
  std::size_t saved_ = 0;
  shiftcut::Explorer explorer_;
  std::vector<std::int32_t> first_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  Explored explored(data[0]);
  std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (std::size_t asked = 0; !text.empty() && asked < kMostRequests; ++asked) {
    const std::string_view line = text.substr(0, text.find('\n'));
    explored.ask(line);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  explored.take_all_back();
  return 0;
}
