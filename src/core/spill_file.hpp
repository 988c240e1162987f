// Arrays that do not fit into memory: written one after another to a temporary file and read back
// by their places. The file has no name, so it is gone with the process, however that ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace shiftcut {

class SpillFile {
 public:
  /// In the folder for temporary files ($TMPDIR, or /tmp). All functions throw ResourceError where
  /// the system fails.
  SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;
  SpillFile(SpillFile&& other) noexcept;
  SpillFile& operator=(SpillFile&& other) noexcept;
  ~SpillFile();

  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Returns where the bytes begin.
  std::uint64_t append(const void* bytes, std::size_t count);
  template <class T>
  std::uint64_t append(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return append(values.data(), values.size() * sizeof(T));
  }

  /// From any thread.
  void read(std::uint64_t from, void* out, std::size_t count) const;
  template <class T>
  void read(std::uint64_t from, std::span<T> out) const {
    static_assert(std::is_trivially_copyable_v<T>);
    read(from, out.data(), out.size_bytes());
  }

 private:
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace shiftcut
