// Fuzzes the reader of label files.
#include "fuzz_reader.hpp"
#include "input/readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shiftcut;
  return fuzz_reader(data, size, [](ByteSource& source, unsigned variant) {
    const LabelFile file = read_label_source(source, (variant & 2) != 0   ? '\0'
                                                     : (variant & 1) != 0 ? '\t'
                                                                          : ',');
    if (file.labels.empty() || (!file.ids.empty() && file.ids.size() != file.labels.size())) {
      std::abort();
    }
  });
}
