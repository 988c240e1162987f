// One program at a time writes a file.
#pragma once

#include <string>

#include "output/output_file.hpp"

/// Keeps others from taking the lock of the same file while it lives, or until the program ends in
/// any way. The lock is a file beside it, PATH.lock, where the file itself is replaced again and
/// again.
class FileLock {
 public:
  /// Throws std::runtime_error if another program has it.
  explicit FileLock(const OutputFile& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  FileLock(FileLock&&) = delete;
  FileLock& operator=(FileLock&&) = delete;

 private:
  std::string lock_path_;
  bool is_beside_;
  int descriptor_ = -1;
};
