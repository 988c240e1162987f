// Fuzzes the reader of answer files.
#include <algorithm>

#include "fuzz_reader.hpp"
#include "input/readers.hpp"
#include "shiftcut/report.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shiftcut;
  return fuzz_reader(data, size, [](ByteSource& source, unsigned variant) {
    const AnswerFile file = read_answer_source(source);
    Input input;
    input.values = DenseArray::own(std::vector<double>(4), 4, 1);
    if ((variant & 1) != 0) {
      input.ids = {"a", "b,c", "\"", "two\nlines"};
    }
    // Accepted answers must survive writing and reading back.
    const std::vector<Answer> answers = answers_from(file, input);
    ByteSource again = ByteSource::memory(answers_csv(answers, input), "again");
    const std::vector<Answer> back = answers_from(read_answer_source(again), input);
    const auto same = [](const Answer& x, const Answer& y) {
      return x.a == y.a && x.b == y.b && x.says == y.says;
    };
    if (!std::equal(answers.begin(), answers.end(), back.begin(), back.end(), same)) {
      std::abort();
    }
  });
}
