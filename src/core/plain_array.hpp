// A large array of numbers that is not written to before it is filled: whole pages, large ones
// where the system has them, first touched by the thread that fills them.
#pragma once

#include <cstddef>
#include <memory>

namespace shiftcut {

struct FreeMemory {
  void operator()(void* memory) const;
};

/// Throws std::bad_alloc where memory can't be had.
void* allocate_pages(std::size_t bytes);

template <class T>
class PlainArray {
 public:
  void allocate(std::size_t count) {
    values_.reset(static_cast<T*>(allocate_pages(count * sizeof(T))));
  }
  T* data() { return values_.get(); }
  [[nodiscard]] const T* data() const { return values_.get(); }

 private:
  std::unique_ptr<T, FreeMemory> values_;
};

}  // namespace shiftcut
