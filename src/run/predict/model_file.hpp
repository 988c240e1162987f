// The frame of a model file, and whether what it holds makes sense.
//
//   8 bytes    "SHIFTCUT"
//   4 bytes    version of the format
//   8 bytes    length of the whole file
//   sections   4 letters, 8 bytes of length, that many bytes
//   8 bytes    checksum of all before it
// All numbers are little-endian.
#pragma once

#include <string>
#include <string_view>

#include "shiftcut/model.hpp"

namespace shiftcut {

/// The frame around these sections.
std::string sealed(std::string_view sections);

/// The sections in the frame. Throws std::invalid_argument, naming `name`.
std::string_view unsealed(std::string_view bytes, const std::string& name);

/// Throws std::invalid_argument, naming `name`, where parts of a model contradict each other:
/// afterwards no index in it leads outside.
void check_model(const Model& model, const std::string& name);

}  // namespace shiftcut
