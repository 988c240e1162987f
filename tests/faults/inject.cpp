// Makes one call of a kind fail, as if memory, threads or the disk had run out just then.
//
// Preloaded (LD_PRELOAD) it stands before the C library. From main() on, the calls of each kind are
// counted; the one that SHIFTCUT_FAULT_KIND and SHIFTCUT_FAULT_AT (from 1) name fails, and with
// SHIFTCUT_FAULT_ON=1 all later ones do, too. At the end the counts are appended to the file that
// SHIFTCUT_FAULT_COUNTS names; "path N" there says that the N-th allocation is the first of its
// call path (SHIFTCUT_FAULT_PATHS=1). In a Python process nothing is counted until fault_arm() is
// called, and only allocations of the extension module and of the C++ library are.
//
// Linked into a program that is built with the address sanitizer (SHIFTCUT_FAULTS_LINKED), it
// leaves malloc to that and replaces operator new.
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

namespace {

enum Kind { kAlloc, kThread, kOpen, kRead, kWrite, kSync, kRename, kMap, kShort, kInterrupt };

constexpr std::array kNames{"alloc", "thread", "open", "read",  "write",
                            "sync",  "rename", "map",  "short", "interrupt"};
constexpr std::size_t kKinds = kNames.size();

struct Range {
  std::uintptr_t begin;
  std::uintptr_t end;
};

std::array<std::atomic<long>, kKinds> g_counts{};
std::atomic<bool> g_armed{false};
int g_kind = -1;
long g_at = 0;
bool g_stays_on = false;
std::array<Range, 8> g_callers{};  // those whose allocations count; none: everybody's
int g_caller_count = 0;

bool fails(Kind kind) {
  if (!g_armed.load(std::memory_order_relaxed)) {
    return false;
  }
  const long number = g_counts[kind].fetch_add(1) + 1;
  return kind == g_kind && (number == g_at || (g_stays_on && number > g_at));
}

// ---- Call paths of allocations ----

constexpr std::size_t kMostPaths = std::size_t{1} << 16;
constexpr int kMostFrames = 30;

int g_frames = 0;  // 0: nobody asks
std::atomic_flag g_paths_lock = ATOMIC_FLAG_INIT;
std::array<std::uint64_t, 2 * kMostPaths> g_path_table{};  // hashes; 0: free
std::array<long, kMostPaths> g_first_of_path{};
std::array<std::uint64_t, kMostPaths> g_hash_of_path{};
std::size_t g_path_count = 0;
thread_local bool t_is_inside = false;  // backtrace() may allocate

// The same in every process: relative to where its library was loaded.
std::uintptr_t place_of(void* frame) {
  Dl_info info = {};
  const auto at = reinterpret_cast<std::uintptr_t>(frame);
  return dladdr(frame, &info) != 0 ? at - reinterpret_cast<std::uintptr_t>(info.dli_fbase) : at;
}

void note_path(long number) {
  if (t_is_inside) {
    return;
  }
  t_is_inside = true;
  std::array<void*, kMostFrames> frames{};
  const int depth = backtrace(frames.data(), g_frames + 2);
  std::uint64_t hash = 14695981039346656037U;
  for (int i = 2; i < depth; ++i) {
    hash = (hash ^ place_of(frames[i])) * 1099511628211U;
  }
  hash += hash == 0 ? 1 : 0;
  while (g_paths_lock.test_and_set()) {
  }
  std::size_t at = (hash >> 20) % g_path_table.size();
  while (g_path_table[at] != 0 && g_path_table[at] != hash) {
    at = (at + 1) % g_path_table.size();
  }
  if (g_path_table[at] == 0 && g_path_count < kMostPaths) {
    g_path_table[at] = hash;
    g_hash_of_path[g_path_count] = hash;
    g_first_of_path[g_path_count++] = number;
  }
  g_paths_lock.clear();
  t_is_inside = false;
}

bool alloc_fails(const void* caller) {
  if (t_is_inside) {
    return false;
  }
  if (g_caller_count > 0) {
    const auto at = reinterpret_cast<std::uintptr_t>(caller);
    const auto holds = [at](const Range& range) { return range.begin <= at && at < range.end; };
    if (std::none_of(g_callers.begin(), g_callers.begin() + g_caller_count, holds)) {
      return false;
    }
  }
  const bool failed = fails(kAlloc);
  if (g_frames > 0 && g_armed.load(std::memory_order_relaxed)) {
    note_path(g_counts[kAlloc].load());
  }
  if (failed) {
    errno = ENOMEM;
    return true;
  }
  return false;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

void choose(const char* kind, long at, bool stays_on) {
  g_kind = -1;
  for (std::size_t i = 0; kind != nullptr && i < kKinds; ++i) {
    g_kind = std::strcmp(kind, kNames[i]) == 0 ? static_cast<int>(i) : g_kind;
  }
  g_at = at;
  g_stays_on = stays_on;
}

std::string g_counts_path;  // set before calls are counted

void write_counts() {
  g_armed = false;
  if (g_counts_path.empty()) {
    return;
  }
  std::FILE* file = std::fopen(g_counts_path.c_str(), "a");
  if (file == nullptr) {
    return;
  }
  for (std::size_t i = 0; i < kKinds; ++i) {
    (void)std::fprintf(file, "%s %ld\n", kNames[i], g_counts[i].load());
  }
  for (std::size_t i = 0; i < g_path_count; ++i) {
    (void)std::fprintf(file, "path %ld %016llx\n", g_first_of_path[i],
                       static_cast<unsigned long long>(g_hash_of_path[i]));
  }
  (void)std::fclose(file);
}

}  // namespace

extern "C" void fault_find_paths(int frames);

namespace {

using Main = int (*)(int, char**, char**);
Main g_main = nullptr;

// The programs that this one starts are to run undisturbed.
void hide_from_children() {
  for (const char* name : {"SHIFTCUT_FAULT_KIND", "SHIFTCUT_FAULT_AT", "SHIFTCUT_FAULT_ON",
                           "SHIFTCUT_FAULT_COUNTS", "SHIFTCUT_FAULT_PATHS"}) {
    unsetenv(name);
  }
}

int main_with_faults(int argc, char** argv, char** environment) {
  const char* counts = std::getenv("SHIFTCUT_FAULT_COUNTS");
  if (counts != nullptr || std::getenv("SHIFTCUT_FAULT_KIND") != nullptr) {
    g_counts_path = counts != nullptr ? counts : "";
    const char* at = std::getenv("SHIFTCUT_FAULT_AT");
    choose(std::getenv("SHIFTCUT_FAULT_KIND"), at != nullptr ? std::atol(at) : 0,
           std::getenv("SHIFTCUT_FAULT_ON") != nullptr);
    if (const char* frames = std::getenv("SHIFTCUT_FAULT_PATHS"); frames != nullptr) {
      fault_find_paths(std::atoi(frames));
    }
    hide_from_children();
    g_armed = true;
  }
  const int code = g_main(argc, argv, environment);
  write_counts();
  return code;
}

}  // namespace

extern "C" {

int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  g_main = main;
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  return next<Start>("__libc_start_main")(main_with_faults, argc, argv, init, fini, rtld_fini,
                                          stack_end);
}

// ---- For Python, through ctypes ----

void fault_arm(const char* kind, long at, int stays_on) {
  g_armed = false;
  g_caller_count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void*) {
        const char* name = std::strrchr(info->dlpi_name, '/');
        if (name == nullptr ||
            (std::strncmp(name, "/_core.", 7) != 0 && std::strncmp(name, "/libstdc++.", 11) != 0)) {
          return 0;
        }
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0 &&
              g_caller_count < static_cast<int>(g_callers.size())) {
            const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
            g_callers[g_caller_count++] = {begin, begin + part.p_memsz};
          }
        }
        return 0;
      },
      nullptr);
  for (auto& count : g_counts) {
    count = 0;
  }
  choose(kind, at, stays_on != 0);
  g_armed = true;
}

void fault_disarm() { g_armed = false; }

void fault_find_paths(int frames) {
  std::array<void*, 1> here{};
  backtrace(here.data(), 1);  // loads what it needs
  g_path_table.fill(0);
  g_path_count = 0;
  g_frames = std::min(frames, kMostFrames - 2);
}

long fault_path_count() { return static_cast<long>(g_path_count); }
long fault_path(long i) { return g_first_of_path[static_cast<std::size_t>(i)]; }

long fault_count(const char* kind) {
  for (std::size_t i = 0; i < kKinds; ++i) {
    if (std::strcmp(kind, kNames[i]) == 0) {
      return g_counts[i].load();
    }
  }
  return -1;
}

// ---- Memory ----

#ifndef SHIFTCUT_FAULTS_LINKED
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  return alloc_fails(__builtin_return_address(0)) ? nullptr : __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  return alloc_fails(__builtin_return_address(0)) ? nullptr : __libc_calloc(count, size);
}

void* realloc(void* old, std::size_t size) {
  return alloc_fails(__builtin_return_address(0)) ? nullptr : __libc_realloc(old, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return alloc_fails(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}

int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  if (alloc_fails(__builtin_return_address(0))) {
    return ENOMEM;
  }
  *out = __libc_memalign(alignment, size);
  return *out != nullptr ? 0 : ENOMEM;
}
#endif

void* mmap(void* address, std::size_t size, int protection, int flags, int file, off_t offset) {
  if (fails(kMap)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return next<void* (*)(void*, std::size_t, int, int, int, off_t)>("mmap")(
      address, size, protection, flags, file, offset);
}

// ---- Threads ----

#ifdef SHIFTCUT_FAULTS_LINKED
int __interceptor_pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
#endif

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  if (fails(kThread)) {
    return EAGAIN;
  }
#ifdef SHIFTCUT_FAULTS_LINKED
  return __interceptor_pthread_create(thread, attributes, start, argument);
#else
  return next<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>(
      "pthread_create")(thread, attributes, start, argument);
#endif
}

// ---- Files ----

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
    std::va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  if (fails(kOpen)) {
    errno = EMFILE;
    return -1;
  }
  static const auto real = next<int (*)(const char*, int, ...)>("open");
  return real(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
    std::va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  return open(path, flags, mode);
}

int __open_2(const char* path, int flags) { return open(path, flags); }
int __open64_2(const char* path, int flags) { return open(path, flags); }

ssize_t read(int file, void* out, std::size_t size) {
  if (fails(kRead)) {
    errno = EIO;
    return -1;
  }
  if (fails(kInterrupt)) {
    errno = EINTR;
    return -1;
  }
  static const auto real = next<ssize_t (*)(int, void*, std::size_t)>("read");
  return real(file, out, size > 1 && fails(kShort) ? size / 2 : size);
}

ssize_t __read_chk(int file, void* out, std::size_t size, std::size_t /*room*/) {
  return read(file, out, size);
}

// What goes to standard error is how the program tells of the fault.
ssize_t write(int file, const void* bytes, std::size_t size) {
  static const auto real = next<ssize_t (*)(int, const void*, std::size_t)>("write");
  if (file == STDERR_FILENO) {
    return real(file, bytes, size);
  }
  if (fails(kWrite)) {
    errno = ENOSPC;
    return -1;
  }
  if (fails(kInterrupt)) {
    errno = EINTR;
    return -1;
  }
  return real(file, bytes, size > 1 && fails(kShort) ? size / 2 : size);
}

int fsync(int file) {
  if (fails(kSync)) {
    errno = EIO;
    return -1;
  }
  return next<int (*)(int)>("fsync")(file);
}

int fdatasync(int file) { return fsync(file); }

int rename(const char* from, const char* to) {
  if (fails(kRename)) {
    errno = EIO;
    return -1;
  }
  return next<int (*)(const char*, const char*)>("rename")(from, to);
}

}  // extern "C"

// ---- Memory, where malloc is the sanitizer's ----

#ifdef SHIFTCUT_FAULTS_LINKED
namespace {

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (alloc_fails(nullptr)) {
    return nullptr;
  }
  if (alignment <= alignof(std::max_align_t)) {
    return std::malloc(size > 0 ? size : 1);
  }
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* found = allocate(size, alignment);
  if (found == nullptr) {
    throw std::bad_alloc();
  }
  return found;
}

}  // namespace

void* operator new(std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new(std::size_t size, std::align_val_t a) {
  return allocate_or_throw(size, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t size, std::align_val_t a) {
  return allocate_or_throw(size, static_cast<std::size_t>(a));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }
#endif
