// How much memory there is, so that what can't fit is refused before it is begun.
#pragma once

#include <cstddef>
#include <string>

#include "shiftcut/message.hpp"

namespace shiftcut {

/// Bytes this process can still get: the least of what the system has available, what its control
/// groups leave and what the limits on its address space and data leave; a large number where
/// nothing says.
std::size_t available_memory();

/// What the control groups of `cgroup_file` (in the form of /proc/self/cgroup), mounted at `mount`,
/// leave: limit less use in each group up to the root, versions 1 and 2. Cached pages of files
/// count as free, for the kernel drops them when memory gets tight.
std::size_t cgroup_memory(const std::string& cgroup_file, const std::string& mount);

/// Throws ResourceError, with both sizes and `advice` (the text of a message without facts), if
/// `purpose` would take more than four fifths of the available memory.
void require_memory(double bytes, Message purpose, const std::string& advice);

/// The same for an n x n matrix of doubles; `purpose` is a text like `advice`.
void require_square_fits(std::size_t n, const std::string& purpose, const std::string& advice);

}  // namespace shiftcut
