// What a long run has finished, kept in a folder, so that a run that was killed goes on where it
// was and ends with the same labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shiftcut/message.hpp"

namespace shiftcut {

/// A folder of one run, made if there is none. Each part of the work is a file that is written
/// whole, beside its place, and renamed, with a checksum over all it holds. Safe to use from
/// several threads.
class Checkpoint {
 public:
  /// Throws InvalidArgument if the folder holds other files, ResourceError if it can't be made or
  /// written to, or another run uses it.
  explicit Checkpoint(std::string folder);
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;
  ~Checkpoint();

  /// `key` says what the run computes: data, options and version. Throws InvalidArgument if the
  /// parts that are there belong to another key; parts that are damaged are left out, with a
  /// message.
  void begin(std::uint64_t key);

  /// The bytes of a part, empty if there is none.
  [[nodiscard]] std::string load(const std::string& name);
  /// Keeps a part, on disk when this returns. Where it can't be, the run goes on without, with a
  /// message.
  void save(const std::string& name, std::span<const std::string_view> pieces);
  /// The part does not hold what its name says: it counts as damaged.
  void reject(const std::string& name);

  /// The run has ended and its results are written: the parts are removed.
  void remove_parts();

  /// What there is to say: how many parts an earlier run left, which were damaged, what could not
  /// be written.
  [[nodiscard]] std::vector<Message> messages() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shiftcut
