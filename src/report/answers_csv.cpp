// Answers as a file that read_answers() reads.
#include <fmt/format.h>

#include <cstdint>
#include <iterator>

#include "report/csv_cell.hpp"
#include "shiftcut/report.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut {

namespace {

void append_object(std::string& out, std::uint32_t object, const Input& input) {
  if (input.ids.empty()) {
    out += std::to_string(object);
  } else {
    append_cell(out, input.ids[object]);
  }
}

}  // namespace

std::string answers_csv(std::span<const Answer> answers, const Input& input) {
  std::string out = "a,b,answer\n";
  for (const Answer& answer : answers) {
    append_object(out, answer.a, input);
    out += ',';
    append_object(out, answer.b, input);
    out += ',';
    out += word_of(answer.says);
    out += '\n';
  }
  return out;
}

}  // namespace shiftcut
