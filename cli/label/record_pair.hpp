// Two objects as somebody can compare them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "commands.hpp"
#include "shiftcut/shiftcut.hpp"

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
std::string name_of(std::uint32_t object, const shiftcut::Input& input);

/// Finds what there is to show. For tables the cells as they stand in the file, which is read again
/// for each pair; for arrays the numbers; for matrices and graphs what each is most similar to.
class Records {
 public:
  Records(const shiftcut::Input& input, const ReadArguments& read);

  /// Throws what read_cells() does; std::runtime_error if the file has changed.
  [[nodiscard]] RecordPair pair(std::uint32_t a, std::uint32_t b,
                                const shiftcut::Control& control) const;

 private:
  [[nodiscard]] std::vector<Trait> cells(std::uint32_t a, std::uint32_t b,
                                         const shiftcut::Control& control) const;
  void require_unchanged() const;

  const shiftcut::Input& input_;
  std::string path_;
  shiftcut::ReadOptions options_;
  std::filesystem::file_time_type written_;
};
