// Where the readers get their bytes from: a file, a gzipped file (recognised by its first two
// bytes), standard input or a string, in chunks. Only the current chunk of the text is in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "input/bytes/child_process.hpp"
#include "input/bytes/reading_meter.hpp"
#include "input/limits.hpp"
#include "shiftcut/control.hpp"

namespace shiftcut {

class Gunzip;

class ByteSource {
 public:
  /// "-" is standard input. Throws std::runtime_error if the file cannot be opened.
  static ByteSource open(const std::string& path, const Control& control = {},
                         std::size_t chunk = kReadChunk);
  static ByteSource memory(std::string bytes, const std::string& name,
                           std::size_t chunk = kReadChunk);

  /// What another program makes of the file. At its end, `check(name, end)` throws if it failed.
  using CheckEnd = std::function<void(const std::string& name, const ChildProcess::End& end)>;
  static ByteSource converted(const std::string& path, const std::vector<std::string>& words,
                              CheckEnd check, const Control& control = {});

  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  ~ByteSource();

  /// Puts up to `size` bytes at `out` and returns how many; 0 is the end. Throws Interrupted,
  /// std::runtime_error (the system fails to read) or std::invalid_argument (damaged gzip data).
  std::size_t read(char* out, std::size_t size);

  /// Reads until `size` bytes are there or the source ends; returns how many were read.
  std::size_t read_fully(char* out, std::size_t size);

  /// For messages: a path on one line, or "standard input".
  static std::string name_of(const std::string& path);
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Control& control() const { return meter_.control(); }
  [[nodiscard]] std::size_t chunk() const { return chunk_; }

  /// Whether another program makes it.
  [[nodiscard]] bool is_converted() const { return check_end_ != nullptr; }

  /// Whether it is a regular, uncompressed file, and its size in bytes when it was opened.
  [[nodiscard]] bool is_plain_file() const { return regular_ && gunzip_ == nullptr; }
  [[nodiscard]] std::uint64_t file_size() const { return file_size_; }

 private:
  struct OpenFile {
    int descriptor;
    bool regular;
    std::uint64_t size;
  };
  static OpenFile open_file(const std::string& path, const std::string& name);
  ByteSource(std::string name, OpenFile file, std::string bytes, const Control& control,
             std::size_t chunk, std::unique_ptr<ChildProcess> child = nullptr,
             CheckEnd check_end = nullptr);

  void detect_gzip();
  std::size_t read_raw(char* out, std::size_t size);
  std::size_t read_descriptor(char* out, std::size_t size);

  std::string name_;
  int descriptor_;  // -1: `bytes_` is the source
  bool regular_;
  std::uint64_t file_size_;
  std::string bytes_;
  std::size_t position_ = 0;  // in bytes_
  std::string head_;          // read to detect gzip, not handed out yet
  std::uint64_t done_ = 0;
  ReadingMeter meter_;
  std::size_t chunk_;
  std::unique_ptr<Gunzip> gunzip_;
  std::unique_ptr<ChildProcess> child_;  // until its end was checked
  CheckEnd check_end_;
};

}  // namespace shiftcut
