#include "output/standard_output.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/core.h>

#include "label/text_width.hpp"

OutputError::OutputError(int error)
    : std::runtime_error(
          fmt::format("standard output: can't be written: {}", std::strerror(error))),
      code(error) {}

int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {  // a terminal or pipe that another program made so
      pollfd room = {descriptor, POLLOUT, 0};
      (void)::poll(&room, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

void write_output(std::string_view bytes) {
  if (const int error = write_all(STDOUT_FILENO, bytes); error != 0) {
    throw OutputError(error);
  }
}

std::string harmless_lines(std::string_view text) {
  std::string out;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    out += harmless(text.substr(0, end)) + '\n';
    text.remove_prefix(end + 1);
  }
  return out + harmless(text);
}

void print_lines(std::string_view text) { write_output(harmless_lines(text)); }

void show(std::string_view kind, const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) {
    (void)write_all(STDERR_FILENO, fmt::format("shiftcut: {}: {}\n", kind, harmless(sentence)));
  }
}

void close_output() {
  if (::close(STDOUT_FILENO) != 0) {
    throw OutputError(errno);
  }
}
