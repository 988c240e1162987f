// Files that survive whatever happens to the program, and that one program at a time writes.
#pragma once

#include <string>
#include <string_view>

/// Gives the file this text. It is on disk when this returns; whenever the program or the machine
/// stops, the file holds the old text or the new one, whole. Throws std::runtime_error where it
/// can't be written; the old text is then still there.
void replace_file(const std::string& path, std::string_view text);

/// Keeps others from taking the lock of the same path while it lives, or until the program ends in
/// any way. The lock is a file beside it, PATH.lock: `path` itself is replaced again and again.
class FileLock {
 public:
  /// Throws std::runtime_error if another program has it.
  explicit FileLock(const std::string& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  FileLock(FileLock&&) = delete;
  FileLock& operator=(FileLock&&) = delete;

 private:
  std::string lock_path_;
  int descriptor_ = -1;
};
