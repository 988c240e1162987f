// The input of the paper's other methods: symmetric similarities of n objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "shiftcut/data.hpp"

namespace shiftcut::methods {

/// n x n, symmetric, finite: a matrix of double, or a graph (objects that share no edge have
/// similarity 0). Not copied.
using Similarities = std::variant<DenseArray, SparseMatrix>;

using Labels = std::vector<std::int32_t>;

[[nodiscard]] std::size_t objects(const Similarities& similarities);

}  // namespace shiftcut::methods
