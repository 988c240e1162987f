// A list that grows without copying what it holds, so that memory stays near the size of the data.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace shiftcut {

template <class T>
class BlockList {
 public:
  /// Appends `count` zeros, contiguous in memory, and returns where they begin.
  T* append(std::size_t count) {
    if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < count) {
      // The system hands out and takes back blocks of 64 MiB one by one; small lists stay small.
      const std::size_t wanted = std::clamp(size_, kFirst, kLargest);
      blocks_.emplace_back().reserve(std::max(wanted, count));
    }
    std::vector<T>& block = blocks_.back();
    const std::size_t at = block.size();
    block.resize(at + count);
    size_ += count;
    return block.data() + at;
  }

  void push_back(const T& value) { *append(1) = value; }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::vector<std::vector<T>>& blocks() { return blocks_; }

  /// Calls `use` with each block in order and frees it afterwards; leaves the list empty.
  template <class Use>
  void consume(Use use) {
    for (std::vector<T>& block : blocks_) {
      use(std::span<T>(block));
      block = std::vector<T>();
    }
    blocks_.clear();
    size_ = 0;
  }

  /// Returns everything in one vector and leaves the list empty.
  std::vector<T> take() {
    std::vector<T> all;
    if (blocks_.size() == 1) {
      all = std::move(blocks_.front());
      blocks_.clear();
      size_ = 0;
      return all;
    }
    all.reserve(size_);
    consume([&](std::span<T> block) { all.insert(all.end(), block.begin(), block.end()); });
    return all;
  }

 private:
  static constexpr std::size_t kFirst = 512;
  static constexpr std::size_t kLargest = (std::size_t{64} << 20) / sizeof(T);
  std::vector<std::vector<T>> blocks_;
  std::size_t size_ = 0;
};

}  // namespace shiftcut
