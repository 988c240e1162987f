// The bytes of a file, a gzipped file (known by its first two bytes), standard input or a string,
// in chunks: nothing of the text stays in memory but the chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "input/bytes/gunzip.hpp"
#include "input/bytes/reading_meter.hpp"
#include "shiftcut/control.hpp"

namespace shiftcut {

class ByteSource {
 public:
  static constexpr std::size_t kChunk = std::size_t{1} << 20;

  /// "-" is standard input. Throws std::runtime_error if there is nothing to read.
  static ByteSource open(const std::string& path, const Control& control = {},
                         std::size_t chunk = kChunk);
  static ByteSource memory(std::string bytes, const std::string& name, std::size_t chunk = kChunk);

  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  ~ByteSource();

  /// Puts up to `size` bytes at `out`, and says how many; 0 is the end. Throws Interrupted,
  /// std::runtime_error (the system fails to read) or std::invalid_argument (broken gzip).
  std::size_t read(char* out, std::size_t size);

  /// Reads until `size` bytes are there or the source ends; says how many came.
  std::size_t read_fully(char* out, std::size_t size);

  /// As it stands in messages: the path on one line, or "standard input".
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Control& control() const { return meter_.control(); }
  [[nodiscard]] std::size_t chunk() const { return chunk_; }

  /// A regular, uncompressed file, and its size in bytes when it was opened.
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
             std::size_t chunk);

  void look_for_gzip();
  std::size_t read_raw(char* out, std::size_t size);
  std::size_t read_descriptor(char* out, std::size_t size);

  std::string name_;
  int descriptor_;  // -1: `bytes_` is the source
  bool regular_;
  std::uint64_t file_size_;
  std::string bytes_;
  std::size_t position_ = 0;  // in bytes_
  std::string head_;          // read to look for gzip, not handed out yet
  std::uint64_t done_ = 0;
  ReadingMeter meter_;
  std::size_t chunk_;
  std::unique_ptr<Gunzip> gunzip_;
};

}  // namespace shiftcut
