// Reading bytes: see byte_source.hpp.
#include "input/bytes/byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include "core/text.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kLongestPath = 4096;

std::string name_of(const std::string& path) {
  if (path == "-") {
    return "standard input";
  }
  return !path.empty() && harmless(path) == path ? path : quoted(path, kLongestPath);
}

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  throw std::runtime_error(fmt::format("{}: can't be read: {}", name, why));
}

std::string error_text(int error) { return std::generic_category().message(error); }

}  // namespace

ByteSource::OpenFile ByteSource::open_file(const std::string& path, const std::string& name) {
  const int descriptor =
      path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    fail(name, error_text(errno));
  }
  struct stat status{};
  if (::fstat(descriptor, &status) != 0 || S_ISDIR(status.st_mode)) {
    const std::string why = S_ISDIR(status.st_mode) ? "it is a directory" : error_text(errno);
    ::close(descriptor);
    fail(name, why);
  }
  // Standard input may be a file, too, but one that is already read in part: its size says little.
  const bool regular = S_ISREG(status.st_mode) && path != "-";
  return {descriptor, regular, regular ? static_cast<std::uint64_t>(status.st_size) : 0};
}

ByteSource ByteSource::open(const std::string& path, const Control& control, std::size_t chunk) {
  const std::string name = name_of(path);
  return ByteSource(name, open_file(path, name), {}, control, chunk);
}

ByteSource ByteSource::memory(std::string bytes, const std::string& name, std::size_t chunk) {
  const std::uint64_t size = bytes.size();
  return ByteSource(name, {-1, false, size}, std::move(bytes), {}, chunk);
}

ByteSource::ByteSource(std::string name, OpenFile file, std::string bytes, const Control& control,
                       std::size_t chunk)
    : name_(std::move(name)),
      descriptor_(file.descriptor),
      regular_(file.regular),
      file_size_(file.size),
      bytes_(std::move(bytes)),
      meter_(control, file.size),
      chunk_(std::max<std::size_t>(chunk, 1)) {
  try {
    look_for_gzip();
  } catch (...) {  // no destructor runs for a half-built object
    if (descriptor_ >= 0) {
      ::close(descriptor_);
    }
    throw;
  }
}

ByteSource::~ByteSource() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

void ByteSource::look_for_gzip() {
  char first[2];
  std::size_t have = 0;
  while (have < 2) {
    const std::size_t got = read_raw(first + have, 2 - have);
    if (got == 0) {
      break;
    }
    have += got;
  }
  head_.assign(first, have);
  if (head_ == "\x1f\x8b") {
    gunzip_ = std::make_unique<Gunzip>(
        [this](char* out, std::size_t size) { return read_raw(out, size); }, name_, chunk_);
  }
}

std::size_t ByteSource::read(char* out, std::size_t size) {
  const std::size_t wanted = std::min(size, chunk_);
  return gunzip_ != nullptr ? gunzip_->read(out, wanted) : read_raw(out, wanted);
}

std::size_t ByteSource::read_fully(char* out, std::size_t size) {
  std::size_t have = 0;
  while (have < size) {
    const std::size_t got = read(out + have, size - have);
    if (got == 0) {
      break;
    }
    have += got;
  }
  return have;
}

std::size_t ByteSource::read_raw(char* out, std::size_t size) {
  std::size_t got = 0;
  if (!head_.empty()) {
    got = std::min(size, head_.size());
    std::memcpy(out, head_.data(), got);
    head_.erase(0, got);
    return got;
  }
  if (descriptor_ >= 0) {
    got = read_descriptor(out, size);
  } else {
    got = std::min(size, bytes_.size() - position_);
    std::memcpy(out, bytes_.data() + position_, got);
    position_ += got;
  }
  done_ += got;
  meter_.advance(done_);
  return got;
}

std::size_t ByteSource::read_descriptor(char* out, std::size_t size) {
  for (;;) {
    const ssize_t got = ::read(descriptor_, out, size);
    if (got >= 0) {
      return static_cast<std::size_t>(got);
    }
    if (errno != EINTR) {
      fail(name_, error_text(errno));
    }
    meter_.advance(done_);
  }
}

}  // namespace shiftcut
