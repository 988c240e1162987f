// A list that grows without ever copying what it holds: memory stays near the size of the data.
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
  /// Appends `count` zeros in one piece and says where.
  T* append(std::size_t count) {
    if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < count) {
      // Blocks of 64 MiB come from and go back to the system one by one; small lists stay small.
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

  /// Calls `use` with each block in order and frees it afterwards; the list is empty then.
  template <class Use>
  void consume(Use use) {
    for (std::vector<T>& block : blocks_) {
      use(std::span<T>(block));
      block = std::vector<T>();
    }
    blocks_.clear();
    size_ = 0;
  }

  /// All of it in one vector; the list is empty then.
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
