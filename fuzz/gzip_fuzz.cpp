// Fuzzes decompression, and reading lines from its output.
#include "fuzz_reader.hpp"
#include "input/bytes/line_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shiftcut;
  return fuzz_reader(data, size, [](ByteSource& source, unsigned) {
    LineReader lines(source);
    while (lines.next()) {
    }
  });
}
