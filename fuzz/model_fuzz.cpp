// Fuzzes the reader of models: what it takes in can be asked about new rows and is written as it
// was read.
#include <memory>

#include "fuzz_reader.hpp"
#include "run/predict/model_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shiftcut;
  return fuzz_reader(data, size, [](ByteSource& source, unsigned variant) {
    std::string bytes;
    char chunk[512];
    for (std::size_t count = source.read(chunk, sizeof chunk); count > 0;
         count = source.read(chunk, sizeof chunk)) {
      bytes.append(chunk, count);
    }
    // Most mutations break the checksum, so the sections are sealed again.
    constexpr std::size_t kHeader = 20;
    constexpr std::size_t kTail = 8;
    if ((variant & 1) != 0 && bytes.size() > kHeader + kTail) {
      bytes = sealed(std::string_view(bytes).substr(kHeader, bytes.size() - kHeader - kTail));
    }
    auto model = std::make_shared<const Model>(model_from_bytes(bytes, "fuzz"));
    if (model_bytes(*model) != bytes) {
      std::abort();
    }
    constexpr std::size_t kMostColumns = 1000;
    if (model->columns <= kMostColumns) {
      const Rows rows =
          DenseArray::own(std::vector<double>(2 * model->columns, 0.5), 2, model->columns);
      (void)Predictor(model, 1).predict(rows, 1);
      (void)Predictor(model, 1).judge(rows, 1);
    }
  });
}
