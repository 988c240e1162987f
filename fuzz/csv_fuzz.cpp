// Fuzzes the reader of CSV and TSV tables.
#include "fuzz_reader.hpp"
#include "input/readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shiftcut;
  return fuzz_reader(data, size, [](ByteSource& source, unsigned variant) {
    ReadOptions options;
    options.header = (variant & 1) == 0;
    if ((variant & 2) != 0) {
      options.label_column = options.header ? "a" : "c0";
    }
    if ((variant & 4) != 0) {
      options.categorical = {options.header ? "b" : "c1"};
    }
    if ((variant & 8) != 0) {
      options.shape = fuzz_shape(variant / 2);
    }
    if ((variant & 24) == 24) {
      options.delimiter = ';';
    }
    describe(read_table(source, options, (variant & 16) != 0 ? '\t' : ','));
  });
}
