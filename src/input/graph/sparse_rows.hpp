// From a list of entries in any order to compressed sparse rows, and what a sparse file may hold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/thread_team.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// The entries of a sparse matrix in the order of the file, in blocks: 8 bytes each in a block
/// whose values are all 1, else 16.
class EntryList {
 public:
  struct Place {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
  };
  struct Block {
    std::vector<Place> places;
    std::vector<double> values;  // none: all 1

    void add(std::uint32_t row, std::uint32_t column, double value) {
      if (value != 1 && values.empty()) {
        values.reserve(places.capacity());
        values.assign(places.size(), 1.0);
      }
      places.push_back({row, column});
      if (value != 1 || !values.empty()) {
        values.push_back(value);
      }
    }
  };

  void add(std::uint32_t row, std::uint32_t column, double value) {
    if (blocks_.empty() || blocks_.back().places.size() >= kLargestBlock) {
      blocks_.emplace_back();
    }
    blocks_.back().add(row, column, value);
    ++size_;
  }
  void append(Block block) {
    size_ += block.places.size();
    blocks_.push_back(std::move(block));
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool all_ones() const {
    return std::ranges::all_of(blocks_, [](const Block& block) { return block.values.empty(); });
  }
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }

 private:
  static constexpr std::size_t kLargestBlock = std::size_t{1} << 20;
  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

/// Whether an entry off the diagonal stands for its mirror image, too.
enum class Mirror { no, yes };

/// Sorts the entries, whose rows and columns are in range, into rows by counting, and leaves the
/// list empty. Entries of the same cell are added up in the order given, so that both directions of
/// an edge get the same sum to the last bit; sums of 0 are left out. Throws std::invalid_argument,
/// which names `file`, if a sum is not finite. The number of threads does not change the result.
SparseMatrix sparse_rows(EntryList& entries, std::size_t rows, std::size_t columns, Mirror mirror,
                         const std::string& file, ThreadTeam& team);

/// Throws std::invalid_argument, which names an entry, if the square matrix is not symmetric to
/// 1e-8 of its largest absolute value; otherwise makes it symmetric to the last bit.
void symmetrise(SparseMatrix& matrix, const std::string& file);

/// Graph unless features were asked for: similarities of pairs that are not listed are 0. Throws
/// std::invalid_argument for distances, since pairs that are not listed have none.
Shape sparse_shape(ShapeChoice choice, const std::string& file);

/// Throws std::invalid_argument unless there are 1 to kMostObjects objects, and no more of them for
/// each entry than limits.hpp allows.
void check_objects(std::size_t objects, std::size_t entries, const std::string& file);

}  // namespace shiftcut
