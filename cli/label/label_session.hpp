// Questions and answers until somebody has enough of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "label/label_screen.hpp"
#include "label/terminal_keys.hpp"
#include "output/output_file.hpp"
#include "shiftcut/records.hpp"
#include "shiftcut/shiftcut.hpp"

struct SessionOptions {
  OutputFile answers;
  std::optional<std::size_t> questions;  // at most this many; empty: no limit
  bool quiet = false;
};

/// Every answer is in the file of answers, on disk, before it is told so and before the next
/// question.
class LabelSession {
 public:
  LabelSession(const shiftcut::Input& input, shiftcut::Feedback& feedback,
               const shiftcut::Records& records, SessionOptions options);

  /// Asks until told to quit, until there is no more input, the limit is reached, nothing is left
  /// to ask or the program is interrupted.
  void run();

 private:
  struct Asked {
    std::uint32_t a;
    std::uint32_t b;
    std::optional<double> chance;  // unknown for a question that comes back
  };

  std::optional<Asked> next_question();
  bool ask(const Asked& asked);
  void show(const Asked& asked, bool all) const;
  bool take(const Asked& asked, shiftcut::Answer::Says says);
  bool take_back();
  void save();
  [[nodiscard]] std::string outcome(std::size_t changed) const;
  [[nodiscard]] bool enough() const;

  const shiftcut::Input& input_;
  shiftcut::Feedback& feedback_;
  const shiftcut::Records& records_;
  SessionOptions options_;
  std::size_t answers_before_;
  std::size_t saved_;           // answers in the file
  std::optional<Asked> again_;  // a question whose answer was taken back
  TerminalKeys keys_;
};
