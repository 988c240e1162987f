#include "core/spill_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "core/message.hpp"
#include "core/text.hpp"

namespace shiftcut {

namespace {

std::string folder() {
  const char* given = std::getenv("TMPDIR");
  return given != nullptr && *given != '\0' ? given : "/tmp";
}

[[noreturn]] void fail(const char* what, int error) {
  throw ResourceError(message("no_temporary_file", "",
                              "a temporary file in {} could not be {}: {}; set TMPDIR to a folder "
                              "on a disk with enough room",
                              quoted(folder(), 200), what, std::generic_category().message(error)));
}

}  // namespace

SpillFile::SpillFile() {
  descriptor_ = ::open(folder().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor_ < 0) {  // a file system without files that have no name
    std::string name = folder() + "/shiftcut-XXXXXX";
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0) {
      fail("made", errno);
    }
    ::unlink(name.c_str());
  }
}

SpillFile::SpillFile(SpillFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

SpillFile& SpillFile::operator=(SpillFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

SpillFile::~SpillFile() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

std::uint64_t SpillFile::append(const void* bytes, std::size_t count) {
  const std::uint64_t begin = size_;
  const char* from = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = ::pwrite(descriptor_, from, count, static_cast<off_t>(size_));
    if (written < 0 && errno != EINTR) {
      fail("written to", errno);
    }
    if (written > 0) {
      from += written;
      size_ += static_cast<std::uint64_t>(written);
      count -= static_cast<std::size_t>(written);
    }
  }
  return begin;
}

void SpillFile::read(std::uint64_t from, void* out, std::size_t count) const {
  char* to = static_cast<char*>(out);
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, to, count, static_cast<off_t>(from));
    if (got == 0 || (got < 0 && errno != EINTR)) {
      fail("read", got == 0 ? EIO : errno);
    }
    if (got > 0) {
      to += got;
      from += static_cast<std::uint64_t>(got);
      count -= static_cast<std::size_t>(got);
    }
  }
}

}  // namespace shiftcut
