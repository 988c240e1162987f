// Reads files of answers.
#pragma once

#include "input/bytes/byte_source.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// Lines a,b,answer, where answer is same, different or unsure; a first line that says just this,
/// and blank lines, are passed over. Throws std::invalid_argument.
AnswerFile read_answer_source(ByteSource& source);

}  // namespace shiftcut
