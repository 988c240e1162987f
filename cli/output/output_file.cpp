#include "output/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>

#include <fmt/core.h>

#include "output/standard_output.hpp"
#include "parse.hpp"

namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;
constexpr int kMostNames = 100;  // tried for a new file

// ---- Where it leads ----

// The descriptor that such a path stands for. Opened by its path, a file that standard output goes
// to would be written from its beginning.
std::optional<int> descriptor_of(const std::string& path) {
  for (const std::string_view folder : {"/proc/self/fd/", "/dev/fd/"}) {
    const std::string number = path.starts_with(folder) ? path.substr(folder.size()) : "";
    if (!number.empty() && number.size() < 6 &&
        number.find_first_not_of("0123456789") == std::string::npos) {
      return std::stoi(number);
    }
  }
  return std::nullopt;
}

// Also where nothing is there yet.
std::string behind_links(const std::string& path) {
  fs::path target = path;
  for (int links = 0; links < kMostLinks && !descriptor_of(target.string()); ++links) {
    std::error_code error;
    const fs::path next = fs::read_symlink(target, error);
    if (error) {
      break;
    }
    target = target.parent_path() / next;
  }
  // The links of other processes' descriptors can be followed, but not read.
  std::error_code error;
  const bool is_lost = !descriptor_of(target.string()) && !fs::exists(target, error);
  return is_lost && fs::exists(path, error) ? path : target.string();
}

// Looked at without being taken as this process's own.
bool is_terminal(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  const bool found = descriptor >= 0 && ::isatty(descriptor) == 1;
  if (descriptor >= 0) {
    ::close(descriptor);
  }
  return found;
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// ---- New files ----

// An empty file of a name nobody could know in that folder; -1 and errno where there can't be one.
int make_in(const std::string& folder, mode_t mode, std::string& path) {
  std::random_device random;
  for (int i = 0; i < kMostNames; ++i) {
    path = fmt::format("{}/.shiftcut-{:08x}{:08x}.tmp", folder, random(), random());
    const int file =
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (file >= 0 || errno != EEXIST) {
      return file;
    }
  }
  return -1;
}

// 0, or the error.
int try_to_make_in(const std::string& folder) {
  std::string path;
  const int file = make_in(folder, 0600, path);
  if (file < 0) {
    return errno;
  }
  ::close(file);
  ::unlink(path.c_str());
  return 0;
}

bool is_not_permitted(int error) {
  return error == EACCES || error == EPERM || error == EROFS || error == EBUSY;
}

// ---- Writing: each returns 0, or the error ----

int closed(int file, int error) {
  const int close_error = ::close(file) == 0 ? 0 : errno;
  return error != 0 ? error : close_error;
}

// Owner and permissions as before; a group that can't be kept gets none.
void make_like(int file, const struct stat& old) {
  const bool same_owner = ::fchown(file, old.st_uid, old.st_gid) == 0;
  (void)::fchmod(file, old.st_mode & (same_owner ? 0777 : 0707));
}

// So that the new name is on disk too. Some file systems know no such thing for folders.
void sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    (void)::fsync(descriptor);
    ::close(descriptor);
  }
}

int write_in_place(const std::string& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (file < 0) {
    return errno;
  }
  struct stat old = {};
  if (::fstat(file, &old) != 0 || !S_ISREG(old.st_mode)) {
    return closed(file, write_all(file, text));
  }
  // Room for it first: where there is none, nothing is lost.
  const auto size = static_cast<off_t>(text.size());
  int error = size > old.st_size ? ::posix_fallocate(file, old.st_size, size - old.st_size) : 0;
  if (error != 0) {
    return closed(file, ::ftruncate(file, old.st_size) == 0 ? error : errno);
  }
  error = write_all(file, text);
  // What is cut off might look whole.
  if (::ftruncate(file, error == 0 ? size : 0) != 0 && error == 0) {
    error = errno;
  }
  if (error == 0 && ::fsync(file) != 0) {
    error = errno;
  }
  return closed(file, error);
}

int replace(const std::string& path, std::string_view text) {
  struct stat old = {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  const std::string folder = folder_of(path);
  std::string fresh;
  const int file = make_in(folder, exists ? 0600 : 0666, fresh);
  if (file < 0) {
    return exists && is_not_permitted(errno) ? write_in_place(path, text) : errno;
  }
  if (exists) {
    make_like(file, old);
  }
  int error = write_all(file, text);
  if (error == 0 && ::fsync(file) != 0) {
    error = errno;
  }
  error = closed(file, error);
  if (error == 0 && std::rename(fresh.c_str(), path.c_str()) == 0) {
    sync_folder(folder);
    return 0;
  }
  const int rename_error = error == 0 ? errno : 0;
  ::unlink(fresh.c_str());
  // Somebody else's file in a folder like /tmp, or a file that is mounted.
  if (exists && is_not_permitted(rename_error)) {
    return write_in_place(path, text);
  }
  return error != 0 ? error : rename_error;
}

// ---- Which file it is ----

// Empty for what is no regular file: others can be read and written at once.
std::optional<std::pair<dev_t, ino_t>> identity(const std::string& path, int descriptor) {
  struct stat found = {};
  const int result = descriptor >= 0 ? ::fstat(descriptor, &found) : ::stat(path.c_str(), &found);
  if (result != 0 || !S_ISREG(found.st_mode)) {
    return std::nullopt;
  }
  return std::pair(found.st_dev, found.st_ino);
}

}  // namespace

OutputFile::OutputFile(std::string option, std::string path)
    : option_(std::move(option)), path_(std::move(path)) {
  if (path_.empty()) {
    return;
  }
  const auto reject = [&](const std::string& why) {
    throw std::runtime_error(fmt::format(
        "{}: found '{}', which {}; allowed: a file in a folder that exists and can be written to",
        option_, printable(path_), why));
  };
  const auto reject_error = [&](int error) {
    reject(fmt::format("can't be written to: {}", std::strerror(error)));
  };
  target_ = is_standard_output() ? "/dev/fd/1" : behind_links(path_);
  if (const auto descriptor = descriptor_of(target_)) {
    how_ = How::descriptor;
    descriptor_ = *descriptor;
    is_regular_ = false;
    const int flags = ::fcntl(descriptor_, F_GETFL);
    if (!is_standard_output() && (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)) {
      reject_error(EBADF);
    }
    is_terminal_ = ::isatty(descriptor_) == 1;
    return;
  }
  struct stat found = {};
  const bool exists = ::stat(target_.c_str(), &found) == 0;
  if (!exists && errno != ENOENT && errno != ENOTDIR) {
    reject_error(errno);
  }
  if (exists && S_ISDIR(found.st_mode)) {
    reject("is a folder");
  }
  if (exists && (S_ISSOCK(found.st_mode) || ::access(target_.c_str(), W_OK) != 0)) {
    reject_error(S_ISSOCK(found.st_mode) ? ENXIO : errno);
  }
  is_regular_ = !exists || S_ISREG(found.st_mode);
  if (!is_regular_) {
    how_ = How::in_place;
    is_terminal_ = S_ISCHR(found.st_mode) && is_terminal(target_);
    return;
  }
  const int error = try_to_make_in(folder_of(target_));
  if (exists && is_not_permitted(error)) {
    how_ = How::in_place;
  } else if (error == ENOENT || error == ENOTDIR) {
    reject("is in a folder that does not exist");
  } else if (error != 0) {
    reject(fmt::format("is in a folder where no file can be created: {}", std::strerror(error)));
  }
}

void OutputFile::require_other_than(const std::string& option, const std::string& path) const {
  if (!is_given() || path.empty()) {
    return;
  }
  const auto mine = identity(target_, descriptor_);
  if (mine && mine == identity(path, path == "-" ? STDIN_FILENO : -1)) {
    refuse(option_, path_, "a file other than " + option);
  }
}

void OutputFile::require_other_than(const OutputFile& output) const {
  if (!is_given() || !output.is_given()) {
    return;
  }
  std::error_code error;
  const bool same_descriptor = descriptor_ >= 0 && descriptor_ == output.descriptor_;
  const auto place = [&](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(path), error);
  };
  const bool same_name =
      is_regular_ && output.is_regular_ && place(target_) == place(output.target_);
  const auto mine = identity(target_, descriptor_);
  if (same_descriptor || same_name ||
      (mine && mine == identity(output.target_, output.descriptor_))) {
    refuse(option_, path_, "a file other than " + output.option_);
  }
}

void OutputFile::write(std::string_view text) const {
  if (is_terminal_) {
    write_bytes(harmless_lines(text));
  } else {
    write_bytes(text);
  }
}

void OutputFile::write_bytes(std::string_view text) const {
  if (descriptor_ == STDOUT_FILENO) {
    write_output(text);
    return;
  }
  int error = 0;
  switch (how_) {
    case How::replaced:
      error = replace(target_, text);
      break;
    case How::in_place:
      error = write_in_place(target_, text);
      break;
    case How::descriptor:
      error = write_all(descriptor_, text);
      break;
  }
  if (error != 0) {
    throw std::runtime_error(
        fmt::format("{}: can't be written: {}", printable(path_), std::strerror(error)));
  }
}
