// Fuzzes the reader of pair files.
#include "fuzz_reader.hpp"
#include "input/readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shiftcut;
  return fuzz_reader(data, size, [](ByteSource& source, unsigned variant) {
    Input input;
    input.values = DenseArray::own(std::vector<double>(4), 4, 1);
    if ((variant & 1) != 0) {
      input.ids = {"a", "b", "#c", "say \"x\""};
    }
    links_from(read_pair_source(source, input), {}, input);
  });
}
