// Unpacks gzip as it streams by: one member or several after one another.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

struct z_stream_s;

namespace shiftcut {

class Gunzip {
 public:
  /// `packed(out, size)` hands out packed bytes, 0 at the end; `file` is for messages.
  Gunzip(std::function<std::size_t(char*, std::size_t)> packed, std::string file,
         std::size_t chunk);
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;
  ~Gunzip();

  /// Puts up to `size` unpacked bytes at `out`; 0 is the end. Throws std::invalid_argument if the
  /// gzip data is cut short or damaged.
  std::size_t read(char* out, std::size_t size);

 private:
  bool refill();
  bool begin_next_member();

  std::function<std::size_t(char*, std::size_t)> packed_;
  std::string file_;
  std::vector<char> buffer_;
  std::unique_ptr<z_stream_s> stream_;
  bool inside_member_ = true;
};

}  // namespace shiftcut
