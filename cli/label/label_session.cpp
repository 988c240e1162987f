#include "label/label_session.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

#include <fmt/core.h>

#include "label/text_width.hpp"
#include "output/progress_line.hpp"
#include "output/standard_output.hpp"
#include "parse.hpp"

namespace {

using shiftcut::Answer;

constexpr std::size_t kSizesShown = 8;

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string sizes_text(const std::vector<std::size_t>& sizes) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kSizesShown, sizes.size()); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", sizes[i]);
  }
  return sizes.size() > kSizesShown ? text + ", ..." : text;
}

constexpr const char* kPrompt = "y same, n different, u unsure, b back, q quit, ? help: ";
constexpr const char* kHelp =
    "  y  the two belong together\n"
    "  n  they do not\n"
    "  u  unsure: not asked again, and changes nothing\n"
    "  b  back: takes the last answer back and asks it again\n"
    "  a  shows all there is of the two\n"
    "  q  quits; every answer is saved already\n";

}  // namespace

LabelSession::LabelSession(const shiftcut::Input& input, shiftcut::Feedback& feedback,
                           const shiftcut::Records& records, SessionOptions options)
    : input_(input),
      feedback_(feedback),
      records_(records),
      options_(std::move(options)),
      answers_before_(feedback.answers().size()),
      saved_(answers_before_) {}

void LabelSession::run() {
  try {
    bool goes_on = true;
    while (goes_on && !interrupts().stop_requested() && !enough()) {
      const std::optional<Asked> asked = next_question();
      keys_.forget();
      goes_on = asked && ask(*asked);
    }
  } catch (const shiftcut::Interrupted&) {
    if (feedback_.answers().size() != saved_) {
      save();
    }
  }
}

bool LabelSession::enough() const {
  return options_.questions && saved_ >= answers_before_ + *options_.questions;
}

std::optional<LabelSession::Asked> LabelSession::next_question() {
  if (again_) {
    return std::exchange(again_, std::nullopt);
  }
  const std::vector<shiftcut::Question> questions = feedback_.next_pairs(1);
  if (questions.empty()) {
    write_output("nothing is left to ask: the answers settle all pairs\n");
    return std::nullopt;
  }
  return Asked{questions[0].a, questions[0].b, questions[0].chance};
}

void LabelSession::show(const Asked& asked, bool all) const {
  ProgressLine line(options_.quiet);
  const shiftcut::RecordPair pair = records_.pair(asked.a, asked.b, line.control());
  line.clear();
  write_output(fmt::format("\nQuestion {}: are {} and {} the same?\n\n{}\n{}", saved_ + 1,
                           harmless(pair.left), harmless(pair.right),
                           side_by_side(pair, screen_of_terminal(), all), kPrompt));
}

// Until the question is settled; false: to quit.
bool LabelSession::ask(const Asked& asked) {
  show(asked, false);
  for (;;) {
    switch (keys_.next(interrupts())) {
      case Key::same:
        if (take(asked, Answer::Says::same)) {
          return true;
        }
        break;
      case Key::different:
        if (take(asked, Answer::Says::different)) {
          return true;
        }
        break;
      case Key::unsure:
        if (take(asked, Answer::Says::unsure)) {
          return true;
        }
        break;
      case Key::back:
        if (take_back()) {
          return true;
        }
        break;
      case Key::all:
        write_output("\n");
        show(asked, true);
        break;
      case Key::resumed:
        keys_.forget();
        write_output("\n");
        show(asked, false);
        break;
      case Key::help:
        write_output(fmt::format("\n{}{}", kHelp, kPrompt));
        break;
      case Key::other:
        write_output(fmt::format("\nfound '{}'; allowed: y, n, u, b, a, q or ?\n{}",
                                 printable(keys_.other()), kPrompt));
        break;
      case Key::quit:
      case Key::end:
        write_output("\n");
        return false;
    }
  }
}

bool LabelSession::take(const Asked& asked, Answer::Says says) {
  const Answer answer = {asked.a, asked.b, says};
  std::size_t changed = 0;
  try {
    ProgressLine line(options_.quiet);
    changed = feedback_.answer(std::span(&answer, 1), line.control());
  } catch (const std::invalid_argument& error) {
    write_output(fmt::format("\nnot taken: {}\n{}", harmless(shiftcut::render(error, option_name)),
                             kPrompt));
    return false;
  }
  save();
  std::string given;
  if (asked.chance && says != Answer::Says::unsure) {
    const double chance = says == Answer::Says::same ? *asked.chance : 1 - *asked.chance;
    given = fmt::format(", to which the grouping gave {:.0f}%", 100 * chance);
  }
  write_output(fmt::format("\nsaved: {} and {}: {}{}\n{}", harmless(name_of(answer.a, input_)),
                           harmless(name_of(answer.b, input_)), word_of(says), given,
                           outcome(changed)));
  return true;
}

bool LabelSession::take_back() {
  if (feedback_.answers().empty()) {
    write_output(fmt::format("\nthere is no answer to take back\n{}", kPrompt));
    return false;
  }
  const Answer last = feedback_.answers().back();
  std::size_t changed = 0;
  {
    ProgressLine line(options_.quiet);
    changed = feedback_.undo(line.control());
  }
  save();
  write_output(fmt::format("\ntaken back: {} and {}: {}\n{}", harmless(name_of(last.a, input_)),
                           harmless(name_of(last.b, input_)), word_of(last.says),
                           outcome(changed)));
  again_ = Asked{last.a, last.b, std::nullopt};
  return true;
}

void LabelSession::save() {
  options_.answers.write(shiftcut::answers_csv(feedback_.answers(), input_));
  saved_ = feedback_.answers().size();
}

std::string LabelSession::outcome(std::size_t changed) const {
  const shiftcut::Result& result = feedback_.result();
  return fmt::format("{} changed cluster; {}: {}; {}\n", counted(changed, "object", "objects"),
                     counted(result.clusters_found, "cluster", "clusters"),
                     sizes_text(result.sizes), counted(saved_, "answer", "answers"));
}
