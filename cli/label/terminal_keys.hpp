// What somebody presses: single keys at a terminal, else one word a line.
#pragma once

#include <string>

#include "shiftcut/control.hpp"

enum class Key { same, different, unsure, back, all, quit, help, other, resumed, end };

/// A terminal hands out keys as they are pressed, and does not show them, while this lives. It is
/// as before when the program ends by a signal, or is suspended.
class TerminalKeys {
 public:
  TerminalKeys();
  ~TerminalKeys();
  TerminalKeys(const TerminalKeys&) = delete;
  TerminalKeys& operator=(const TerminalKeys&) = delete;
  TerminalKeys(TerminalKeys&&) = delete;
  TerminalKeys& operator=(TerminalKeys&&) = delete;

  [[nodiscard]] bool is_terminal() const { return is_terminal_; }

  /// At a terminal, drops what was pressed until now: it can't be meant for what is shown next.
  void forget();

  /// Waits for a key. `end`: there is no more, or the caller asked to stop. `resumed`: the program
  /// was stopped meanwhile, and others have written on the screen.
  Key next(const shiftcut::Control& control);

  /// What was pressed last, where it was Key::other.
  [[nodiscard]] const std::string& other() const { return other_; }

 private:
  bool fill(const shiftcut::Control& control);
  Key next_word(const shiftcut::Control& control);
  Key key_of(const std::string& word);

  bool is_terminal_;
  bool ended_ = false;
  std::string typed_;
  std::string other_;
};

/// Puts the terminal back as it was, if a TerminalKeys has changed it; may be called by a signal
/// handler.
void restore_terminal() noexcept;
