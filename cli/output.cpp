#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "commands.hpp"
#include "parse.hpp"

void write_text(const std::string& path, const std::string& text) {
  std::FILE* file = path == "-" ? stdout : std::fopen(path.c_str(), "wb");
  if (file == nullptr) {
    throw std::runtime_error(
        fmt::format("{}: can't be written: {}", printable(path), std::strerror(errno)));
  }
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = path == "-" ? std::fflush(file) == 0 : std::fclose(file) == 0;
  if (!written || !closed) {
    throw std::runtime_error(
        fmt::format("{}: can't be written: {}", printable(path), std::strerror(errno)));
  }
}

void check_writable(const std::string& option, const std::string& path) {
  if (path.empty() || path == "-") {
    return;
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const std::string where = folder.empty() ? "." : folder.string();
  const bool is_folder = std::filesystem::is_directory(path);
  if (is_folder || access(where.c_str(), W_OK) != 0) {
    throw std::runtime_error(fmt::format(
        "{}: found '{}', which {}; allowed: a file in a folder that exists and can be written to",
        option, printable(path), is_folder ? "is a folder" : "is in no such folder"));
  }
}
