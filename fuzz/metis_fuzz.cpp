// Fuzzes the reader of METIS graphs.
#include "fuzz_reader.hpp"
#include "input/readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shiftcut;
  return fuzz_reader(data, size, [](ByteSource& source, unsigned variant) {
    ReadOptions options;
    options.shape = fuzz_shape(variant);
    describe(read_metis(source, options));
  });
}
