// Most peers of peers lie in cells that the row has been compared with. The others are measured
// cell by cell, since rows are stored relative to the centre of their cell.
#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "core/kernels/kernels.hpp"
#include "neighbors/cells/rough_lists.hpp"
#include "neighbors/reverse_lists.hpp"
#include "neighbors/tuning.hpp"
#include "similarity/row_chunks.hpp"

namespace shiftcut {

namespace {

// The peers of every row: the nearest `most` of its list, and of the rows on whose list it is near
// the top, the nearest `most`.
class Peers {
 public:
  Peers(const RoughLists& lists, std::size_t n, std::size_t most, ThreadTeam& team)
      : room_(2 * most), counts_(n), all_(n * room_) {
    std::vector<RoughNeighbor> reverse;
    const std::vector<std::size_t> offsets = reverse_lists(
        n, team,
        [&](std::size_t p, const auto& use) {
          for (std::size_t e = 0; e < most; ++e) {
            use(lists.of(p)[e].place, e);
          }
        },
        [&](std::size_t count) { reverse.resize(count); },
        [&](std::size_t at, std::size_t p, std::size_t e) {
          reverse[at] = {static_cast<ObjectId>(p), lists.of(p)[e].squared};
        });
    for_each_row_chunk(n, kRowsPerTask, team, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t p = begin; p < end; ++p) {
        const auto first = reverse.begin() + static_cast<std::ptrdiff_t>(offsets[p]);
        const auto last = reverse.begin() + static_cast<std::ptrdiff_t>(offsets[p + 1]);
        const std::size_t others = std::min(offsets[p + 1] - offsets[p], most);
        if (others == most) {
          std::nth_element(first, first + static_cast<std::ptrdiff_t>(most) - 1, last);
        }
        ObjectId* out = &all_[p * room_];
        for (std::size_t e = 0; e < most; ++e) {
          *out++ = lists.of(p)[e].place;
        }
        for (std::size_t e = 0; e < others; ++e) {
          *out++ = first[static_cast<std::ptrdiff_t>(e)].place;
        }
        counts_[p] = static_cast<std::uint32_t>(most + others);
      }
    });
  }

  [[nodiscard]] std::span<const ObjectId> of(std::size_t place) const {
    return std::span(all_).subspan(place * room_, counts_[place]);
  }
  void prefetch(std::size_t place) const {
    for (std::size_t e = 0; e < room_; e += 64 / sizeof(ObjectId)) {
      __builtin_prefetch(&all_[place * room_ + e]);
    }
    __builtin_prefetch(&counts_[place]);
  }

 private:
  std::size_t room_;
  std::vector<std::uint32_t> counts_;
  std::vector<ObjectId> all_;
};

// The work of one thread, row after row.
class Improver {
 public:
  Improver(const RoughLists& lists, const Peers& peers, const Cells& cells)
      : lists_(lists),
        peers_(peers),
        cells_(cells),
        step_(cells.length()),
        row_(cells.length()),
        state_(cells.size()),
        seen_(cells.rows(), 0) {}

  void improve(std::size_t place, RoughLists& out) {
    gather(place);
    RoughList list(lists_.length);
    keys_.clear();
    for (std::size_t e = 0; e < lists_.length; ++e) {
      keys_.push_back(lists_.of(place)[e].key());
    }
    list.push(keys_);
    keys_.clear();
    for (const std::uint32_t cell : touched_) {
      measure(place, cell);
    }
    list.push(keys_);
    list.finish(&out.all[place * out.length]);
  }

 private:
  struct CellState {
    std::uint32_t mark = 0;  // the row that it was last touched by, counting from 1
    bool is_new = false;     // whether that row has not been compared with it
    std::vector<ObjectId> candidates;
  };

  // Gathers the peers of peers from cells that the row has not been compared with, cell by cell.
  void gather(std::size_t place) {
    const auto mark = static_cast<std::uint32_t>(place + 1);
    touched_.clear();
    const auto take = [&](ObjectId candidate) {
      const std::uint32_t cell = cells_.cell_of(candidate);
      CellState& state = state_[cell];
      if (state.mark != mark) {
        touch(place, cell);
      }
      if (state.is_new && seen_[candidate] != mark) {
        seen_[candidate] = mark;
        state.candidates.push_back(candidate);
      }
    };
    seen_[place] = mark;
    for (std::size_t e = 0; e < lists_.length; ++e) {
      seen_[lists_.of(place)[e].place] = mark;
    }
    const auto own = peers_.of(place);
    for (const ObjectId peer : own) {
      peers_.prefetch(peer);
    }
    for (const ObjectId peer : own) {
      take(peer);
      for (const ObjectId other : peers_.of(peer)) {
        take(other);
      }
    }
  }

  void touch(std::size_t place, std::uint32_t cell) {
    CellState& state = state_[cell];
    state.mark = static_cast<std::uint32_t>(place + 1);
    state.candidates.clear();
    state.is_new = move_to(place, cell) > lists_.reach[place];
    if (state.is_new) {
      touched_.push_back(cell);
    }
  }

  // The row as the rows of another cell are stored, in row_; returns its squared length.
  float move_to(std::size_t place, std::uint32_t cell) {
    float squared = 0;
    cells_.step(cells_.cell_of(place), cell, step_.data());
    shift_rows(cells_.row(place), 1, cells_.length(), step_.data(), row_.data(), &squared);
    return squared;
  }

  // Adds the candidates of a cell that are near enough to keys_.
  void measure(std::size_t place, std::uint32_t cell) {
    const std::vector<ObjectId>& candidates = state_[cell].candidates;
    move_to(place, cell);
    squared_.resize(candidates.size());
    squared_distances(row_.data(), cells_.row(0), candidates.data(), candidates.size(),
                      cells_.length(), squared_.data());
    const float last = lists_.of(place)[lists_.length - 1].squared;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      if (squared_[c] <= last) {
        keys_.push_back(RoughNeighbor{candidates[c], squared_[c]}.key());
      }
    }
  }

  const RoughLists& lists_;
  const Peers& peers_;
  const Cells& cells_;
  std::vector<float> step_;
  std::vector<float> row_;
  std::vector<CellState> state_;
  std::vector<std::uint32_t> seen_;     // the row that a row was last seen from, counting from 1
  std::vector<std::uint32_t> touched_;  // cells not compared with the row
  std::vector<float> squared_;
  std::vector<std::int64_t> keys_;
};

}  // namespace

RoughLists improved(const RoughLists& lists, const Cells& cells, ThreadTeam& team,
                    WorkMeter& meter) {
  const std::size_t most =
      std::min(lists.length, std::clamp(lists.length - lists.length / 4, kLeastPeers, kMostPeers));
  const Peers peers(lists, cells.rows(), most, team);
  RoughLists out(cells.rows(), lists.length);
  out.reach = lists.reach;
  std::vector<std::optional<Improver>> improvers(static_cast<std::size_t>(team.threads()));
  team.for_each(cells.size(), [&](std::size_t cell, int worker) {
    meter.add(kImproveWork * cells.count(cell));
    std::optional<Improver>& improver = improvers[static_cast<std::size_t>(worker)];
    if (!improver) {
      improver.emplace(lists, peers, cells);
    }
    for (std::size_t place = cells.begin(cell); place < cells.end(cell); ++place) {
      improver->improve(place, out);
    }
  });
  return out;
}

}  // namespace shiftcut
