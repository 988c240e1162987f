// Memory of large jobs: arrays on whole pages that are not touched before they are filled, and how
// much memory is left, so that a job that cannot fit is refused before it begins.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "shiftcut/message.hpp"

namespace shiftcut {

/// Uninitialised memory, on huge pages where it is large and the system has them. Throws
/// std::bad_alloc, naming the size, if there is not enough.
void* allocate_pages(std::size_t bytes);

struct FreePages {
  void operator()(void* memory) const;
};

/// A large array whose pages are first touched by the thread that fills them.
template <class T>
class UninitializedArray {
 public:
  void allocate(std::size_t count) {
    values_.reset(static_cast<T*>(allocate_pages(count * sizeof(T))));
  }
  T* data() { return values_.get(); }
  [[nodiscard]] const T* data() const { return values_.get(); }

 private:
  std::unique_ptr<T, FreePages> values_;
};

/// For vectors read in random order: huge pages save address translations. Numbers that are given
/// no value are not set to zero, so that the thread that fills a page is the first to touch it.
template <class T>
struct PageAllocator {
  using value_type = T;

  PageAllocator() = default;
  template <class U>
  explicit PageAllocator(const PageAllocator<U>& /*other*/) {}

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_pages(count * sizeof(T))); }
  void deallocate(T* values, std::size_t /*count*/) { FreePages{}(values); }
  template <class U, class... Values>
  void construct(U* place, Values&&... values) {
    if constexpr (sizeof...(Values) == 0) {
      ::new (static_cast<void*>(place)) U;
    } else {
      ::new (static_cast<void*>(place)) U(std::forward<Values>(values)...);
    }
  }

  template <class U>
  bool operator==(const PageAllocator<U>& /*other*/) const {
    return true;
  }
};

template <class T>
using PagedVector = std::vector<T, PageAllocator<T>>;

/// Bytes this process can still allocate: the smallest of what the system has available and what
/// the control groups and the limits on address space and data leave. A huge number if nothing
/// limits it.
std::size_t available_memory();

/// Bytes of this process that are in memory now; 0 if that cannot be told.
std::size_t resident_memory();

/// What the control groups of `cgroup_file` (in the format of /proc/self/cgroup), mounted at
/// `mount`, leave: the smallest limit minus usage from the group up to the root, for versions 1 and
/// 2. Cached file pages count as free, since the kernel drops them when memory gets tight.
std::size_t cgroup_memory(const std::string& cgroup_file, const std::string& mount);

/// Throws ResourceError, with both sizes and `advice` (the text of a message without facts), if
/// `purpose` would take more than four fifths of the available memory.
void require_memory(double bytes, Message purpose, const std::string& advice);

/// The same for an n x n matrix of doubles; `purpose` is a text like `advice`.
void require_square_fits(std::size_t n, const std::string& purpose, const std::string& advice);

}  // namespace shiftcut
