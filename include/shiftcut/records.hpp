// Objects as somebody can look at them and compare them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shiftcut/control.hpp"
#include "shiftcut/data.hpp"
#include "shiftcut/read.hpp"

namespace shiftcut {

/// One thing that is known of both.
struct Trait {
  std::string name;
  std::string left;
  std::string right;

  [[nodiscard]] bool differs() const { return left != right; }
};

struct RecordPair {
  std::string left;  // what the objects are called
  std::string right;
  std::string heading;  // over the names of the traits
  std::vector<Trait> traits;
};

/// How messages and screens call an object: its id, or "row 7".
std::string name_of(std::uint32_t object, const Input& input);

/// Finds what there is to show. For tables in a file the cells as they stand there, which is read
/// again each time; for arrays the numbers; for matrices and graphs what each is most similar to.
class Records {
 public:
  /// `path`, read with these options, is what `input` came from; empty: it came from no file.
  explicit Records(const Input& input, std::string path = {}, ReadOptions options = {});

  /// Throws what read_cells() does; std::runtime_error if the file has changed.
  [[nodiscard]] RecordPair pair(std::uint32_t a, std::uint32_t b, const Control& control) const;
  /// The cells of these objects; no columns for matrices and graphs.
  [[nodiscard]] TableCells rows(std::span<const std::size_t> objects, const Control& control) const;
  /// Of a table in a file: as find_cells().
  [[nodiscard]] std::vector<FoundCell> search(std::string_view text, std::size_t most,
                                              const Control& control) const;

 private:
  [[nodiscard]] bool is_table() const;
  [[nodiscard]] bool has_names(std::size_t columns) const;
  void require_unchanged() const;

  const Input& input_;
  std::string path_;
  ReadOptions options_;
  std::filesystem::file_time_type written_;
};

}  // namespace shiftcut
