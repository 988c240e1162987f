// The members of a ZIP archive one after another, stored or deflated, as they stream by. Format:
// PKWARE's APPNOTE.TXT; of it, what zipfile and numpy.savez write, ZIP64 included.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "input/bytes/byte_source.hpp"

struct z_stream_s;

namespace shiftcut {

class ZipReader {
 public:
  explicit ZipReader(ByteSource& source);
  ZipReader(const ZipReader&) = delete;
  ZipReader& operator=(const ZipReader&) = delete;
  ZipReader(ZipReader&&) = delete;
  ZipReader& operator=(ZipReader&&) = delete;
  ~ZipReader();

  /// Advances to the next member, past what is left of the current one; false after the last.
  /// Throws std::invalid_argument for an archive that is damaged, or has members that are
  /// encrypted or compressed in another way.
  bool next();

  /// Of the current member.
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Puts up to `size` bytes of the member at `out` and returns how many; fewer only at its end.
  std::size_t read(char* out, std::size_t size);

 private:
  void take(char* out, std::size_t size);
  std::size_t fill();
  std::size_t read_some(char* out, std::size_t size);
  std::size_t read_stored(char* out, std::size_t size);
  std::size_t read_deflated(char* out, std::size_t size);
  void read_sizes(const std::string& extra);
  void end_member();

  ByteSource& source_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;      // in the buffer
  std::size_t filled_ = 0;  // bytes in the buffer
  std::unique_ptr<z_stream_s> stream_;
  std::string name_;
  bool is_inside_ = false;
  bool is_deflated_ = false;
  bool has_descriptor_ = false;  // sizes and checksum follow the member
  std::uint64_t packed_left_ = 0;
  std::uint64_t unpacked_size_ = 0;
  std::uint64_t unpacked_ = 0;  // so far
  std::uint32_t checksum_ = 0;  // promised
  std::uint32_t computed_ = 0;
};

}  // namespace shiftcut
