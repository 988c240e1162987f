// Options by name, the names and words of the command line.
#pragma once

#include <nanobind/nanobind.h>

#include "shiftcut/options.hpp"

namespace shiftcut_python {

/// What is not named, or None, keeps its default. Throws std::invalid_argument for a name or a word
/// that there is not. A dense shift matrix is looked at where it lies: the caller keeps the
/// dictionary alive.
shiftcut::Options options_from(const nanobind::dict& given);

/// The other way round, without threads and a shift matrix; what is not set is not there.
nanobind::dict dict_from(const shiftcut::Options& options);

}  // namespace shiftcut_python
