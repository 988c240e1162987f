// A large array of numbers that is not written to before it is filled: whole pages, large ones
// where the system has them, first touched by the thread that fills them.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

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

/// For vectors that are read here and there: with large pages fewer addresses are looked up.
template <class T>
struct PageAllocator {
  using value_type = T;

  PageAllocator() = default;
  template <class U>
  explicit PageAllocator(const PageAllocator<U>& /*other*/) {}

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_pages(count * sizeof(T))); }
  void deallocate(T* values, std::size_t /*count*/) { FreeMemory{}(values); }

  template <class U>
  bool operator==(const PageAllocator<U>& /*other*/) const {
    return true;
  }
};

template <class T>
using PagedVector = std::vector<T, PageAllocator<T>>;

}  // namespace shiftcut
