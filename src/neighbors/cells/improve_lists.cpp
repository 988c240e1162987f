// Candidates are gathered row by row and measured cell by cell, since rows are stored relative to
// the centre of their cell.
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "core/kernels/kernels.hpp"
#include "neighbors/cells/rough_lists.hpp"
#include "neighbors/reverse_lists.hpp"
#include "neighbors/tuning.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

// The rows that have a row on their list, the nearest `most` of them.
struct Reverse {
  std::vector<std::size_t> offsets;
  std::vector<std::uint32_t> counts;
  std::vector<RoughNeighbor> all;

  [[nodiscard]] std::span<const RoughNeighbor> of(std::size_t place) const {
    return std::span(all).subspan(offsets[place], counts[place]);
  }
};

Reverse reversed(const RoughLists& lists, std::size_t n, std::size_t most, ThreadTeam& team) {
  Reverse reverse;
  reverse.offsets = reverse_lists(
      n, team,
      [&](std::size_t p, const auto& use) {
        for (std::size_t e = 0; e < most; ++e) {
          use(lists.of(p)[e].place, e);
        }
      },
      [&](std::size_t count) { reverse.all.resize(count); },
      [&](std::size_t at, std::size_t p, std::size_t e) {
        reverse.all[at] = {static_cast<ObjectId>(p), lists.of(p)[e].squared};
      });
  reverse.counts.resize(n);
  for_each_row_chunk(n, kRowsPerTask, team, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t p = begin; p < end; ++p) {
      const auto first = reverse.all.begin() + static_cast<std::ptrdiff_t>(reverse.offsets[p]);
      const auto last = reverse.all.begin() + static_cast<std::ptrdiff_t>(reverse.offsets[p + 1]);
      const std::size_t count = reverse.offsets[p + 1] - reverse.offsets[p];
      if (count > most) {
        std::nth_element(first, first + static_cast<std::ptrdiff_t>(most), last);
      }
      reverse.counts[p] = static_cast<std::uint32_t>(std::min(count, most));
    }
  });
  return reverse;
}

// The work of one thread, row after row.
class Improver {
 public:
  Improver(const RoughLists& lists, const Reverse& reverse, const Cells& cells, std::size_t most)
      : lists_(lists),
        reverse_(reverse),
        cells_(cells),
        most_(most),
        next_(cells.size(), 0),
        row_(cells.length()) {}

  void improve(std::size_t place, std::vector<std::uint32_t>& seen, RoughLists& out) {
    gather(place, seen);
    RoughList list(lists_.length);
    const RoughNeighbor* own = lists_.of(place);
    for (std::size_t e = 0; e < lists_.length; ++e) {
      list.push(own[e]);
    }
    order_by_cell();
    squared_.resize(candidates_.size());
    std::size_t begin = 0;
    for (const std::uint32_t cell : touched_) {
      const std::size_t end = next_[cell];
      measure(place, cell, begin, end);
      begin = end;
      next_[cell] = 0;
    }
    const float last = own[lists_.length - 1].squared;
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      if (squared_[c] <= last) {
        list.push({candidates_[c], squared_[c]});
      }
    }
    list.finish(&out.all[place * out.length]);
  }

 private:
  // Gathers the neighbours of neighbours in both directions, without those already listed.
  void gather(std::size_t place, std::vector<std::uint32_t>& seen) {
    const auto mark = static_cast<std::uint32_t>(place + 1);
    candidates_.clear();
    seen[place] = mark;
    for (std::size_t e = 0; e < lists_.length; ++e) {
      seen[lists_.of(place)[e].place] = mark;
    }
    const auto take = [&](ObjectId candidate) {
      if (seen[candidate] != mark) {
        seen[candidate] = mark;
        candidates_.push_back(candidate);
      }
    };
    const auto ask = [&](ObjectId peer) {
      take(peer);
      for (std::size_t e = 0; e < most_; ++e) {
        take(lists_.of(peer)[e].place);
      }
      for (const RoughNeighbor& other : reverse_.of(peer)) {
        take(other.place);
      }
    };
    for (std::size_t e = 0; e < most_; ++e) {
      ask(lists_.of(place)[e].place);
    }
    for (const RoughNeighbor& other : reverse_.of(place)) {
      ask(other.place);
    }
  }

  // Brings the candidates of every cell together; next_ then has the ends of the cells touched.
  void order_by_cell() {
    touched_.clear();
    for (const ObjectId candidate : candidates_) {
      const std::uint32_t cell = cells_.cell_of(candidate);
      if (next_[cell]++ == 0) {
        touched_.push_back(cell);
      }
    }
    std::size_t begin = 0;
    for (const std::uint32_t cell : touched_) {
      begin += std::exchange(next_[cell], begin);
    }
    unordered_.swap(candidates_);
    candidates_.resize(unordered_.size());
    for (const ObjectId candidate : unordered_) {
      candidates_[next_[cells_.cell_of(candidate)]++] = candidate;
    }
  }

  void measure(std::size_t place, std::uint32_t cell, std::size_t begin, std::size_t end) {
    const std::size_t d = cells_.length();
    const std::uint32_t own = cells_.cell_of(place);
    const float* x = cells_.row(place);
    if (cell != own) {
      cells_.step(own, cell, row_.data());
      for (std::size_t j = 0; j < d; ++j) {
        row_[j] += x[j];
      }
      x = row_.data();
    }
    squared_distances(x, cells_.row(0), &candidates_[begin], end - begin, d, &squared_[begin]);
  }

  const RoughLists& lists_;
  const Reverse& reverse_;
  const Cells& cells_;
  std::size_t most_;
  std::vector<ObjectId> candidates_;
  std::vector<ObjectId> unordered_;
  std::vector<std::uint32_t> touched_;  // cells
  std::vector<std::size_t> next_;       // per cell; all 0 between rows
  std::vector<float> squared_;
  std::vector<float> row_;
};

}  // namespace

RoughLists improved(const RoughLists& lists, const Cells& cells, ThreadTeam& team,
                    WorkMeter& meter) {
  const std::size_t most =
      std::min(lists.length, std::clamp(lists.length - lists.length / 4, kLeastPeers, kMostPeers));
  const Reverse reverse = reversed(lists, cells.rows(), most, team);
  RoughLists out(cells.rows(), lists.length);
  // A row is marked with the place that it was last seen from, counting from 1.
  std::vector<std::vector<std::uint32_t>> seen(static_cast<std::size_t>(team.threads()));
  team.for_each(cells.size(), [&](std::size_t cell, int worker) {
    meter.add(kImproveWork * cells.count(cell));
    std::vector<std::uint32_t>& marks = seen[static_cast<std::size_t>(worker)];
    marks.resize(cells.rows(), 0);
    Improver improver(lists, reverse, cells, most);
    for (std::size_t place = cells.begin(cell); place < cells.end(cell); ++place) {
      improver.improve(place, marks, out);
    }
  });
  return out;
}

}  // namespace shiftcut
