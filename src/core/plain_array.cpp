#include "core/plain_array.hpp"

#include <sys/mman.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace shiftcut {

namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;

// Says how much was asked for, without asking for more.
class NoRoom : public std::bad_alloc {
 public:
  explicit NoRoom(std::size_t bytes) {
    (void)std::snprintf(text_.data(), text_.size(), "an array of %.2g GB",
                        static_cast<double>(bytes) / 1e9);
  }
  [[nodiscard]] const char* what() const noexcept override { return text_.data(); }

 private:
  std::array<char, 40> text_{};
};

}  // namespace

void FreeMemory::operator()(void* memory) const { std::free(memory); }

void* allocate_pages(std::size_t bytes) {
  const std::size_t alignment = bytes >= kLargePage ? kLargePage : 64;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded > 0 ? rounded : alignment);
  if (memory == nullptr) {
    throw NoRoom(bytes);
  }
  if (bytes >= kLargePage) {
    (void)madvise(memory, rounded, MADV_HUGEPAGE);  // a wish: refused, it only costs speed
  }
  return memory;
}

}  // namespace shiftcut
