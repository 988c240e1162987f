// Which answers undo takes back together: those of one action. They are kept beside the answers, so
// that undo goes step by step after a restart, too.
//
// A step names the answers it is made of by their places, with a digest of all answers up to its
// end. So the steps kept may be older or newer than the answers kept: one whose answers are not
// there, or are others, is no step. They are therefore written before the answers of a step, and
// need not be written when it is taken back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shiftcut/feedback.hpp"

namespace shiftcut {

struct Step {
  std::size_t begin = 0;  // places of its answers
  std::size_t end = 0;
  std::uint64_t digest = 0;  // of the answers before `end`
  std::string what;
};

class Steps {
 public:
  Steps() = default;
  /// Those of the text that hold for these answers; none if it is no text of steps.
  Steps(std::string_view text, std::span<const Answer> answers);

  /// The last answers, from `begin` on, were one step.
  void add(std::size_t begin, std::span<const Answer> answers, std::string what);
  /// Only these many answers are left.
  void cut(std::size_t answers);
  /// The step that the last of `answers` answers belongs to; null: it stands alone.
  [[nodiscard]] const Step* last(std::size_t answers) const;

  [[nodiscard]] std::string text() const;

 private:
  std::vector<Step> steps_;
};

}  // namespace shiftcut
