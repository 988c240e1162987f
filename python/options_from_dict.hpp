// Options by name, the names and words of the command line.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "shiftcut/neighbors.hpp"
#include "shiftcut/options.hpp"
#include "shiftcut/words.hpp"

namespace shiftcut_python {

/// The value of a word. Throws std::invalid_argument, after "name: ", for other words.
template <class Enum>
Enum enum_from(const std::string& name, const std::string& word) {
  const auto value = shiftcut::from_word<Enum>(word);
  if (!value) {
    throw std::invalid_argument(name + ": found '" + word +
                                "'; allowed: " + shiftcut::list_words<Enum>());
  }
  return *value;
}

/// What is not named, or None, keeps its default. Throws std::invalid_argument for a name or a word
/// that there is not. A dense shift matrix is looked at where it lies: the caller keeps the
/// dictionary alive.
shiftcut::Options options_from(const nanobind::dict& given);

/// The weights of rows in the same dictionary, under "sample_weight"; empty where there are none.
std::vector<double> row_weights_from(const nanobind::dict& given);

/// Neighbours found before in the same dictionary, under "known_neighbors": a list of ids and
/// squared distances, stretch by stretch. Null where there are none.
std::shared_ptr<const shiftcut::KnownNeighbors> neighbors_from(const nanobind::dict& given);

/// The other way round, without threads and a shift matrix; what is not set is not there.
nanobind::dict dict_from(const shiftcut::Options& options);

}  // namespace shiftcut_python
