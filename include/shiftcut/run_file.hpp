// Runs on a file whose rows do not fit into memory.
#pragma once

#include <cstddef>
#include <string>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/read.hpp"
#include "shiftcut/result.hpp"

namespace shiftcut {

struct FileRun {
  Input input;  // as read_input() describes it, but its numbers are not there
  Result result;
};

/// Groups the rows of an .npy file with at most `memory` bytes resident, and the labels of run():
/// rows are read in blocks and kept in temporary files, neighbours are searched region by region,
/// and their graph is clustered in memory. Needs Similarity::neighbors under a metric of regions
/// (blocks.hpp); pairs, bounds on sizes, a time limit and a shift matrix do not go with it. Throws
/// InvalidArgument for what is not supported, and ResourceError, before the work, if the graph or a
/// region takes more than `memory`.
FileRun run_file(const std::string& path, const ReadOptions& read, const Options& options,
                 std::size_t memory, const Control& control = {});

}  // namespace shiftcut
