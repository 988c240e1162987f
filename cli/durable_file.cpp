#include "durable_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "parse.hpp"

namespace {

[[noreturn]] void fail(const std::string& path, const char* what, int error) {
  throw std::runtime_error(
      fmt::format("{}: can't be {}: {}", printable(path), what, std::strerror(error)));
}

// A link stays one: what it leads to is replaced.
std::string behind_links(const std::string& path) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::canonical(path, error);
  return error ? path : target.string();
}

// 0, or the error.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) {
      return errno;
    }
    text.remove_prefix(static_cast<std::size_t>(written < 0 ? 0 : written));
  }
  return ::fsync(file) == 0 ? 0 : errno;
}

int write_new(const std::string& path, const std::string& like, std::string_view text) {
  const int file =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) {
    return errno;
  }
  struct stat old = {};
  if (::stat(like.c_str(), &old) == 0) {
    (void)::fchmod(file, old.st_mode & 07777);
  }
  const int error = write_all(file, text);
  const int close_error = ::close(file) == 0 ? 0 : errno;
  return error != 0 ? error : close_error;
}

// So that the new name is on disk too. Some file systems know no such thing for folders.
void sync_folder(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int descriptor =
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    (void)::fsync(descriptor);
    ::close(descriptor);
  }
}

bool is_still_at(const std::string& path, int descriptor) {
  struct stat here = {};
  struct stat there = {};
  return ::fstat(descriptor, &here) == 0 && ::stat(path.c_str(), &there) == 0 &&
         here.st_ino == there.st_ino && here.st_dev == there.st_dev;
}

}  // namespace

void replace_file(const std::string& path, std::string_view text) {
  const std::string target = behind_links(path);
  const std::string fresh = target + ".tmp";
  int error = write_new(fresh, target, text);
  if (error == 0 && std::rename(fresh.c_str(), target.c_str()) != 0) {
    error = errno;
  }
  if (error != 0) {
    ::unlink(fresh.c_str());
    fail(path, "written", error);
  }
  sync_folder(target);
}

FileLock::FileLock(const std::string& path) : lock_path_(behind_links(path) + ".lock") {
  for (;;) {
    descriptor_ = ::open(lock_path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
      fail(lock_path_, "written", errno);
    }
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      ::close(descriptor_);
      if (error == EWOULDBLOCK) {
        throw std::runtime_error(
            fmt::format("{}: found another shiftcut label that writes it; allowed: one at a time",
                        printable(path)));
      }
      fail(lock_path_, "locked", error);
    }
    // Its last holder may have removed the file between the two calls.
    if (is_still_at(lock_path_, descriptor_)) {
      return;
    }
    ::close(descriptor_);
  }
}

FileLock::~FileLock() {
  ::unlink(lock_path_.c_str());
  ::close(descriptor_);
}
