// Whole lines in blocks, so that several threads can parse a text: while one thread merges what was
// parsed before, in order, and reads (or inflates) what comes next, the others parse.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string_view>
#include <utility>
#include <vector>

#include "core/thread_team.hpp"
#include "input/bytes/line_reader.hpp"

namespace shiftcut {

/// Lines of about a chunk of the source; the last one may have no line end.
struct LineBlock {
  std::vector<char> text;    // one line feed after the lines, so that a loop over them must stop
  std::size_t size = 0;      // of the lines
  bool is_too_long = false;  // the source has a line that is longer than kLongestLine here

  [[nodiscard]] std::string_view lines() const { return {text.data(), size}; }
};

/// Takes over the rest of a LineReader, by its rules on line ends. Once all blocks are read and
/// counted, the reader knows its last line and their number again.
class LineBlocks {
 public:
  explicit LineBlocks(LineReader& reader) : reader_(reader) {}

  /// Replaces `block` by the next one; false at the end. What the source throws is kept, so that
  /// the lines before can be used first.
  bool next(LineBlock& block);
  void rethrow_failure() const;

  /// Counts the lines of the next block, in order, and returns the number of its first line.
  std::uint64_t count(const LineBlock& block);

  [[nodiscard]] char line_end() const { return reader_.line_end_; }

 private:
  [[nodiscard]] bool has_ended() const { return is_at_end_ || failure_ != nullptr; }
  std::size_t fill(LineBlock& block, std::size_t filled);
  [[nodiscard]] std::size_t end_of_lines(const LineBlock& block, std::size_t filled) const;
  void remember_last_line(std::string_view text);

  LineReader& reader_;
  bool is_at_end_ = false;
  std::exception_ptr failure_;
};

/// Including a last one without a line end.
std::size_t lines_in(std::string_view text, char line_end);

/// Calls visit(line, number) for the lines of a block, without line ends.
template <class Visit>
void for_each_line(const LineBlock& block, char line_end, std::uint64_t first, const Visit& visit) {
  std::string_view rest = block.lines();
  for (std::uint64_t number = first; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find(line_end), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line_end == '\n' && line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    visit(line, number);
  }
}

/// Calls parse(block, parsed) on any thread, then merge(block, parsed, first line) in the order of
/// the text on the caller's thread, until the reader is at its end. The blocks do not depend on the
/// number of threads.
template <class Parsed, class Parse, class Merge>
void parse_blocks(LineReader& reader, ThreadTeam& team, const Parse& parse, const Merge& merge) {
  struct Slot {
    LineBlock block;
    Parsed parsed;
  };
  struct Round {
    std::vector<Slot> slots;
    std::size_t count = 0;
  };
  LineBlocks blocks(reader);
  const auto threads = static_cast<std::size_t>(team.threads());
  const std::size_t most = threads == 1 ? 1 : 2 * threads;
  Round merged{std::vector<Slot>(most)};
  Round parsed{std::vector<Slot>(most)};
  Round next{std::vector<Slot>(most)};
  const auto read = [&](Round& round) {
    for (round.count = 0; round.count < most && blocks.next(round.slots[round.count].block);) {
      round.slots[round.count++].parsed = Parsed();
    }
  };
  const auto merge_and_read = [&] {
    for (std::size_t i = 0; i < merged.count; ++i) {
      Slot& slot = merged.slots[i];
      const std::uint64_t first = blocks.count(slot.block);
      merge(slot.block, slot.parsed, first);
    }
    read(next);
  };
  read(parsed);
  while (parsed.count > 0 || merged.count > 0) {
    bool is_done = false;
    team.for_each(parsed.count, [&](std::size_t i, int worker) {
      if (worker == 0 && !is_done) {  // the caller's thread, which may call back
        is_done = true;
        merge_and_read();
      }
      parse(parsed.slots[i].block, parsed.slots[i].parsed);
    });
    if (!is_done) {
      merge_and_read();
    }
    std::swap(merged, parsed);
    std::swap(parsed, next);
  }
  blocks.rethrow_failure();
}

}  // namespace shiftcut
