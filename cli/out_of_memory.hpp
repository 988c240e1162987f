// What to say where memory has run out.
#pragma once

#include <new>
#include <string>

/// How much there was and what needed more, as far as that is known, and what to try.
std::string out_of_memory(const std::bad_alloc& error) noexcept;
