// Parquet, Arrow and Feather files as the CSV that a Python with pyarrow makes of them, batch by
// batch (arrow_to_csv.py). No C++ library that reads Parquet is small, and none is in Debian.
#pragma once

#include <string>
#include <vector>

#include "input/bytes/byte_source.hpp"
#include "shiftcut/message.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// Starts the conversion. Throws InvalidArgument for options that do not apply, ResourceError where
/// there is no Python, and while reading what the conversion finds wrong.
ByteSource arrow_source(const std::string& path, const ReadOptions& options,
                        const Control& control);

struct ArrowTable {
  ReadOptions options;  // for the CSV: columns of text are codes even where they hold digits
  std::vector<Message> notes;
};

/// Reads what comes before the CSV.
ArrowTable begin_arrow_table(ByteSource& source, ReadOptions options);

}  // namespace shiftcut
