#include "neighbors/improve_lists.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "core/kernels.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kMostPeers = 20;  // neighbours and reverse neighbours whose lists are read

// Who has a row on its list, among the first k.
struct Reverse {
  std::vector<std::size_t> offsets;
  std::vector<RoughNeighbor> all;

  [[nodiscard]] std::span<const RoughNeighbor> of(std::size_t place) const {
    return std::span(all).subspan(offsets[place], offsets[place + 1] - offsets[place]);
  }
};

Reverse reversed(const RoughLists& lists, std::size_t n, std::size_t k) {
  Reverse reverse;
  reverse.offsets.assign(n + 1, 0);
  for (std::size_t p = 0; p < n; ++p) {
    for (std::size_t e = 0; e < k; ++e) {
      ++reverse.offsets[lists.of(p)[e].place + 1];
    }
  }
  std::partial_sum(reverse.offsets.begin(), reverse.offsets.end(), reverse.offsets.begin());
  reverse.all.resize(n * k);
  std::vector<std::size_t> next(reverse.offsets.begin(), reverse.offsets.end() - 1);
  for (std::size_t p = 0; p < n; ++p) {
    for (std::size_t e = 0; e < k; ++e) {
      const RoughNeighbor& other = lists.of(p)[e];
      reverse.all[next[other.place]++] = {other.squared, static_cast<ObjectId>(p)};
    }
  }
  return reverse;
}

// One thread's work on one row after another.
class Improver {
 public:
  Improver(const RoughLists& lists, const Reverse& reverse, const Cells& cells, std::size_t k)
      : lists_(lists), reverse_(reverse), cells_(cells), k_(k), row_(cells.length()) {}

  void improve(std::size_t place, RoughNeighbor* out) {
    gather(place);
    RoughList list(lists_.length);
    for (std::size_t e = 0; e < lists_.length; ++e) {
      list.push(lists_.of(place)[e]);
    }
    squared_.resize(candidates_.size());
    for (std::size_t begin = 0, end = 0; begin < candidates_.size(); begin = end) {
      const std::uint32_t cell = cells_.cell_of(candidates_[begin]);
      while (end < candidates_.size() && candidates_[end] < cells_.end(cell)) {
        ++end;
      }
      measure(place, cell, begin, end);
    }
    const float last = lists_.of(place)[lists_.length - 1].squared;
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      if (squared_[c] <= last) {
        list.push({squared_[c], candidates_[c]});
      }
    }
    list.finish(out);
  }

 private:
  // The peers' neighbours, ascending, without those on the list already.
  void gather(std::size_t place) {
    peers_.assign(reverse_.of(place).begin(), reverse_.of(place).end());
    const std::size_t most = std::min(k_, kMostPeers);
    if (peers_.size() > most) {
      std::nth_element(peers_.begin(), peers_.begin() + static_cast<std::ptrdiff_t>(most),
                       peers_.end());
      peers_.resize(most);
    }
    peers_.insert(peers_.end(), lists_.of(place), lists_.of(place) + most);
    candidates_.clear();
    for (const RoughNeighbor& peer : peers_) {
      candidates_.push_back(peer.place);
      for (std::size_t e = 0; e < k_; ++e) {
        candidates_.push_back(lists_.of(peer.place)[e].place);
      }
    }
    std::sort(candidates_.begin(), candidates_.end());
    candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
    known_.assign(1, static_cast<ObjectId>(place));
    for (std::size_t e = 0; e < lists_.length; ++e) {
      known_.push_back(lists_.of(place)[e].place);
    }
    std::sort(known_.begin(), known_.end());
    auto known = known_.begin();
    std::erase_if(candidates_, [&](ObjectId candidate) {
      while (known != known_.end() && *known < candidate) {
        ++known;
      }
      return known != known_.end() && *known == candidate;
    });
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
  std::size_t k_;
  std::vector<RoughNeighbor> peers_;
  std::vector<ObjectId> candidates_;
  std::vector<ObjectId> known_;
  std::vector<float> squared_;
  std::vector<float> row_;
};

}  // namespace

RoughLists improved(const RoughLists& lists, const Cells& cells, std::size_t k, ThreadTeam& team,
                    SearchProgress& progress, std::size_t part) {
  const std::size_t most = std::min(k, lists.length);
  const Reverse reverse = reversed(lists, cells.rows(), most);
  RoughLists out{lists.length, std::vector<RoughNeighbor>(lists.all.size())};
  team.for_each(cells.size(), [&](std::size_t cell, int) {
    progress.next(part * cells.count(cell));
    Improver improver(lists, reverse, cells, most);
    for (std::size_t place = cells.begin(cell); place < cells.end(cell); ++place) {
      improver.improve(place, &out.all[place * out.length]);
    }
  });
  return out;
}

}  // namespace shiftcut
