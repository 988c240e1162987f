// The body of every fuzz target: pass the bytes to a reader, which may reject them with a one-line
// message.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "input/bytes/byte_source.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

inline void expect_one_line(const char* message) {
  if (std::strchr(message, '\n') != nullptr) {
    std::abort();
  }
}

/// The first byte selects the chunk size and `variant`; the rest is the file.
template <class Read>
int fuzz_reader(const std::uint8_t* data, std::size_t size, Read read) {
  if (size == 0) {
    return 0;
  }
  const unsigned variant = data[0] >> 3;
  const std::size_t chunk = (data[0] & 7) == 0 ? 4096 : data[0] & 7;
  try {
    const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    ByteSource source = ByteSource::memory(bytes, "fuzz", chunk);
    read(source, variant);
  } catch (const std::invalid_argument& error) {
    expect_one_line(error.what());
  } catch (const std::runtime_error& error) {
    expect_one_line(error.what());
  }
  return 0;
}

/// Reads any shape; `describe` examines all of it.
inline ShapeChoice fuzz_shape(unsigned variant) { return static_cast<ShapeChoice>(variant % 5); }

}  // namespace shiftcut
