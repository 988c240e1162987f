// A dense array as an Input of the wanted shape, once it has proved to be one.
#pragma once

#include "input/bytes/byte_source.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// Whether somebody has made sure already that every value is finite.
enum class FiniteCheck { needed, done };

/// `automatic` is the shape where `choice` leaves it open. Similarities and distances must be
/// square and symmetric (to 1e-8 of the largest absolute value), distances non-negative with zeros
/// on the diagonal; the nonzeros of a symmetric matrix are the edges of a graph. Throws
/// std::invalid_argument.
Input dense_input(DenseArray values, ShapeChoice choice, Shape automatic, const ByteSource& source,
                  FiniteCheck finite);

}  // namespace shiftcut
