// Compressed sparse rows out of a list of entries, by counting: no sort of the whole list.
#pragma once

#include <cstddef>
#include <string>

#include "input/graph/entry_list.hpp"
#include "shiftcut/data.hpp"

namespace shiftcut {

/// Whether an entry off the diagonal stands for its mirror image, too.
enum class Mirror { no, yes };

/// Empties `entries`, whose rows and columns are in range. Entries of one cell add up in the order
/// given, so that both directions of an edge get the same sum to the last bit; sums of 0 are left
/// out. Throws std::invalid_argument, naming `file`, if a sum is not finite.
SparseMatrix csr_rows(EntryList& entries, std::size_t rows, std::size_t columns, Mirror mirror,
                      const std::string& file);

/// Throws std::invalid_argument, naming an entry, if the square matrix is not symmetric to 1e-8 of
/// its largest absolute value; otherwise makes it symmetric to the last bit.
void require_symmetric(SparseMatrix& matrix, const std::string& file);

}  // namespace shiftcut
