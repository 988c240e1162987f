// One function, several processors: the loader picks the best version. The sanitizers can't cope
// with functions chosen that early.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(SHIFTCUT_SANITIZED)
#define SHIFTCUT_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), flatten))
#else
#define SHIFTCUT_CLONES
#endif

#define SHIFTCUT_INLINE inline __attribute__((always_inline))
