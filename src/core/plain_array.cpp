#include "core/plain_array.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace shiftcut {

namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;

}  // namespace

void FreeMemory::operator()(void* memory) const { std::free(memory); }

void* allocate_pages(std::size_t bytes) {
  const std::size_t alignment = bytes >= kLargePage ? kLargePage : 64;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded > 0 ? rounded : alignment);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  if (bytes >= kLargePage) {
    (void)madvise(memory, rounded, MADV_HUGEPAGE);  // a wish: refused, it only costs speed
  }
  return memory;
}

}  // namespace shiftcut
