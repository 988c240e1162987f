#include "label/terminal_keys.hpp"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <map>

namespace {

constexpr int kLookEvery = 200;  // milliseconds between looks at the flag to stop
constexpr std::size_t kLongestWord = 1000;
constexpr char kEndOfInput = 4;  // Ctrl-D
constexpr char kEscape = 27;

// Signal handlers can reach nothing else.
termios g_before = {};                     // NOLINT
termios g_single_keys = {};                // NOLINT
volatile std::sig_atomic_t g_changed = 0;  // NOLINT
volatile std::sig_atomic_t g_resumed = 0;  // NOLINT

extern "C" void on_suspend(int signal);
extern "C" void on_resume(int signal);

void catch_suspend() {
  struct sigaction action = {};
  action.sa_handler = on_suspend;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_NODEFER | SA_RESTART;
  sigaction(SIGTSTP, &action, nullptr);
}

void catch_resume() {
  struct sigaction action = {};
  action.sa_handler = on_resume;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGCONT, &action, nullptr);
}

void hand_out_single_keys() {
  while (tcsetattr(STDIN_FILENO, TCSADRAIN, &g_single_keys) != 0 && errno == EINTR) {
  }
}

// Ctrl-Z: the shell gets the terminal as it was; single keys are back when the program goes on.
extern "C" void on_suspend(int signal) {
  const int error = errno;
  const bool changed = g_changed != 0;
  restore_terminal();
  std::raise(signal);  // by now its default: stops here
  if (changed) {
    g_changed = 1;
    hand_out_single_keys();
  }
  catch_suspend();
  errno = error;
}

// Also after a stop that can't be caught, from which the shell hands the terminal back as its own.
extern "C" void on_resume(int /*signal*/) {
  const int error = errno;
  if (g_changed != 0) {
    hand_out_single_keys();
  }
  g_resumed = 1;
  errno = error;
}

}  // namespace

void restore_terminal() noexcept {
  if (g_changed != 0) {
    tcsetattr(STDIN_FILENO, TCSADRAIN, &g_before);
    g_changed = 0;
  }
}

TerminalKeys::TerminalKeys() : is_terminal_(isatty(STDIN_FILENO) == 1) {
  if (!is_terminal_ || tcgetattr(STDIN_FILENO, &g_before) != 0) {
    return;
  }
  g_single_keys = g_before;
  g_single_keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  g_single_keys.c_cc[VMIN] = 1;
  g_single_keys.c_cc[VTIME] = 0;
  catch_suspend();
  catch_resume();
  g_changed = 1;
  hand_out_single_keys();
}

TerminalKeys::~TerminalKeys() {
  restore_terminal();
  if (is_terminal_) {
    std::signal(SIGTSTP, SIG_DFL);
    std::signal(SIGCONT, SIG_DFL);
  }
}

void TerminalKeys::forget() {
  if (is_terminal_) {
    g_resumed = 0;
    typed_.clear();
    tcflush(STDIN_FILENO, TCIFLUSH);
  }
}

Key TerminalKeys::next(const shiftcut::Control& control) {
  if (!is_terminal_) {
    return next_word(control);
  }
  if (typed_.empty() && !fill(control)) {
    return ended_ || control.stop_requested() ? Key::end : Key::resumed;
  }
  const char key = typed_.front();
  // Arrows and the like come as several bytes.
  typed_.erase(0, key == kEscape ? typed_.size() : 1);
  return key == kEndOfInput ? Key::end : key_of(std::string(1, key));
}

Key TerminalKeys::next_word(const shiftcut::Control& control) {
  for (;;) {
    const std::size_t end = typed_.find('\n');
    if (end == std::string::npos && typed_.size() < kLongestWord && fill(control)) {
      continue;
    }
    if (control.stop_requested() || typed_.empty()) {
      return Key::end;
    }
    std::string word = typed_.substr(0, end);
    typed_.erase(0, end == std::string::npos ? end : end + 1);
    std::erase_if(word, [](unsigned char c) { return std::isspace(c) != 0; });
    if (!word.empty()) {
      return key_of(word);
    }
  }
}

// Waits for bytes; false: there are no more, or something else is to be done first.
bool TerminalKeys::fill(const shiftcut::Control& control) {
  while (!ended_ && !control.stop_requested() && g_resumed == 0) {
    pollfd input = {STDIN_FILENO, POLLIN, 0};
    if (poll(&input, 1, kLookEvery) <= 0) {
      continue;
    }
    std::array<char, 4096> bytes{};
    const ssize_t got = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (got > 0) {
      typed_.append(bytes.data(), static_cast<std::size_t>(got));
      return true;
    }
    ended_ = got == 0 || (errno != EINTR && errno != EAGAIN);
  }
  return false;
}

Key TerminalKeys::key_of(const std::string& word) {
  static const std::map<std::string, Key> kWords = {
      {"y", Key::same},      {"yes", Key::same},      {"same", Key::same},
      {"n", Key::different}, {"no", Key::different},  {"different", Key::different},
      {"u", Key::unsure},    {"unsure", Key::unsure}, {"b", Key::back},
      {"back", Key::back},   {"a", Key::all},         {"all", Key::all},
      {"q", Key::quit},      {"quit", Key::quit},     {"?", Key::help},
      {"h", Key::help},      {"help", Key::help},
  };
  std::string lower = word;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto found = kWords.find(lower);
  if (found != kWords.end()) {
    return found->second;
  }
  other_ = word;
  return Key::other;
}
