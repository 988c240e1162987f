#include "label/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include <fmt/core.h>

#include "parse.hpp"

namespace {

[[noreturn]] void fail(const std::string& path, const char* what, int error) {
  throw std::runtime_error(
      fmt::format("{}: can't be {}: {}", printable(path), what, std::strerror(error)));
}

// Its last holder may have removed it after it was opened.
bool is_still_at(const std::string& path, int descriptor) {
  struct stat here = {};
  struct stat there = {};
  return ::fstat(descriptor, &here) == 0 && ::stat(path.c_str(), &there) == 0 &&
         here.st_ino == there.st_ino && here.st_dev == there.st_dev;
}

}  // namespace

FileLock::FileLock(const OutputFile& file)
    : lock_path_(file.is_replaced() ? file.target() + ".lock" : file.target()),
      is_beside_(file.is_replaced()) {
  const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  for (;;) {
    descriptor_ = ::open(lock_path_.c_str(), is_beside_ ? flags | O_CREAT : flags, 0666);
    struct stat found = {};
    if (descriptor_ < 0 && errno != ELOOP) {
      fail(lock_path_, "written", errno);
    }
    // A lock of ours is an empty file; it is removed in the end.
    if (descriptor_ < 0 || ::fstat(descriptor_, &found) != 0 || !S_ISREG(found.st_mode) ||
        (is_beside_ && found.st_size > 0)) {
      ::close(descriptor_);
      throw std::runtime_error(
          fmt::format("{}: found something other than the lock of {}; allowed: no such file",
                      printable(lock_path_), printable(file.path())));
    }
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      ::close(descriptor_);
      if (error == EWOULDBLOCK) {
        throw std::runtime_error(
            fmt::format("{}: found another shiftcut writing to it; allowed: one at a time",
                        printable(file.path())));
      }
      fail(lock_path_, "locked", error);
    }
    if (is_still_at(lock_path_, descriptor_)) {
      return;
    }
    ::close(descriptor_);
  }
}

FileLock::~FileLock() {
  if (is_beside_) {
    ::unlink(lock_path_.c_str());
  }
  ::close(descriptor_);
}
