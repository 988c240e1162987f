#include "label/label_screen.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include <fmt/core.h>

#include "label/text_width.hpp"

namespace {

constexpr std::size_t kRowsAround = 7;  // of the screen, for what stands around the traits
constexpr std::size_t kFewestTraits = 5;
constexpr std::size_t kNarrowest = 4;  // columns of a cell
constexpr const char* kBold = "\x1b[1m";
constexpr const char* kPlain = "\x1b[0m";

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

std::size_t from_environment(const char* variable, std::size_t otherwise) {
  const char* text = std::getenv(variable);
  std::size_t value = 0;
  if (text == nullptr || std::from_chars(text, text + std::strlen(text), value).ec != std::errc() ||
      value == 0) {
    return otherwise;
  }
  return value;
}

// The traits to show, in the order to show them.
std::vector<const shiftcut::Trait*> chosen(const shiftcut::RecordPair& pair, std::size_t most) {
  std::vector<const shiftcut::Trait*> shown;
  for (const shiftcut::Trait& trait : pair.traits) {
    shown.push_back(&trait);
  }
  if (shown.size() > most) {
    std::stable_partition(shown.begin(), shown.end(),
                          [](const shiftcut::Trait* trait) { return trait->differs(); });
    shown.resize(most);
  }
  return shown;
}

std::string left_out(const shiftcut::RecordPair& pair,
                     const std::vector<const shiftcut::Trait*>& shown) {
  const std::size_t all = pair.traits.size() - shown.size();
  std::size_t differing = 0;
  for (const shiftcut::Trait& trait : pair.traits) {
    differing += trait.differs() ? 1 : 0;
  }
  for (const shiftcut::Trait* trait : shown) {
    differing -= trait->differs() ? 1 : 0;
  }
  if (all == 0) {
    return "";
  }
  const std::string more =
      differing > 0 ? fmt::format("{} that differ and {} equal", differing, all - differing)
                    : fmt::format("{} equal", all);
  return fmt::format("  left out: {} (a shows all)\n", more);
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

Screen screen_of_terminal() {
  Screen screen = {from_environment("COLUMNS", 80), from_environment("LINES", 24), false};
  winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
    screen.columns = size.ws_col;
    screen.rows = size.ws_row;
  }
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::strcmp(terminal, "dumb") == 0;
  screen.colour = isatty(STDOUT_FILENO) == 1 && !is_set("NO_COLOR") && !dumb;
  return screen;
}

std::string side_by_side(const shiftcut::RecordPair& pair, const Screen& screen, bool all) {
  const std::size_t room =
      std::max(kFewestTraits, screen.rows > kRowsAround ? screen.rows - kRowsAround : 0);
  const std::vector<const shiftcut::Trait*> shown = chosen(pair, all ? pair.traits.size() : room);

  struct Line {
    std::string name;
    std::string left;
    std::string right;
    bool differs;
  };
  std::vector<Line> lines = {
      {harmless(pair.heading), harmless(pair.left), harmless(pair.right), false}};
  for (const shiftcut::Trait* trait : shown) {
    lines.push_back(
        {harmless(trait->name), harmless(trait->left), harmless(trait->right), trait->differs()});
  }
  const auto widest = [&](std::string Line::* cell) {
    std::size_t width = 0;
    for (const Line& line : lines) {
      width = std::max(width, width_of(line.*cell));
    }
    return width;
  };
  // "* name  left  right": six columns are marks and gaps.
  const std::size_t name = std::min(widest(&Line::name), std::max(kNarrowest, screen.columns / 3));
  const std::size_t rest = screen.columns > name + 6 ? screen.columns - name - 6 : 0;
  const std::size_t left = std::min(widest(&Line::left), std::max(kNarrowest, rest / 2));
  const std::size_t right =
      std::min(widest(&Line::right), std::max(kNarrowest, rest > left ? rest - left : 0));

  std::string text;
  for (const Line& line : lines) {
    const std::string plain = without_trailing_blanks(
        fmt::format("{} {}  {}  {}", line.differs ? '*' : ' ', fitted(line.name, name),
                    fitted(line.left, left), fitted(line.right, right)));
    text += line.differs && screen.colour ? fmt::format("{}{}{}\n", kBold, plain, kPlain)
                                          : plain + '\n';
  }
  return text + left_out(pair, shown);
}
