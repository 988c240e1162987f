#include "constraints/conflicts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "constraints/tuning.hpp"

namespace shiftcut {

namespace {

using namespace constraints_tuning;

// Pieces of the conflict graph: objects with conflicts, connected by them.
std::vector<std::vector<ObjectId>> pieces_of(const ConflictLists& conflicts) {
  std::vector<std::vector<ObjectId>> pieces;
  std::vector<bool> seen(conflicts.size(), false);
  for (ObjectId first = 0; first < conflicts.size(); ++first) {
    if (seen[first] || conflicts[first].empty()) {
      continue;
    }
    std::vector<ObjectId> piece{first};
    seen[first] = true;
    for (std::size_t i = 0; i < piece.size(); ++i) {
      for (const ObjectId u : conflicts[piece[i]]) {
        if (!seen[u]) {
          seen[u] = true;
          piece.push_back(u);
        }
      }
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

// One piece, coloured object by object: next is always the one with the most colours around it.
class PieceColouring {
 public:
  PieceColouring(const ConflictLists& conflicts, const std::vector<ObjectId>& piece,
                 std::size_t most, std::vector<ClusterId>& colours)
      : conflicts_(conflicts), most_(most), colours_(colours), around_(conflicts.size()) {
    for (const ObjectId v : piece) {
      colours_[v] = kNoCluster;
      waiting_.insert(key(v));
    }
  }

  // Without ever going back; whether `most` colours were enough.
  bool greedily() {
    while (!waiting_.empty()) {
      const ObjectId v = first();
      const ClusterId colour = free_colour(v, 0);
      if (colour >= most_) {
        return false;
      }
      paint(v, colour);
    }
    return true;
  }

  Colouring::Verdict exhaustively() {
    if (waiting_.empty()) {
      return Colouring::Verdict::found;
    }
    if (++steps_ > kMostColouringSteps) {
      return Colouring::Verdict::unknown;
    }
    const ObjectId v = first();
    // One colour that nobody has yet is as good as another.
    const ClusterId end = static_cast<ClusterId>(std::min<std::size_t>(most_, used() + 1));
    for (ClusterId colour = free_colour(v, 0); colour < end; colour = free_colour(v, colour + 1)) {
      paint(v, colour);
      const Colouring::Verdict verdict = exhaustively();
      if (verdict != Colouring::Verdict::impossible) {
        return verdict;
      }
      unpaint(v);
    }
    return Colouring::Verdict::impossible;
  }

 private:
  using Key = std::tuple<std::size_t, std::size_t, ObjectId>;  // the largest comes next

  Key key(ObjectId v) const { return {around_[v].size(), conflicts_[v].size(), ~v}; }
  ObjectId first() const { return ~std::get<2>(*waiting_.rbegin()); }
  std::size_t used() const { return in_use_.size(); }

  ClusterId free_colour(ObjectId v, ClusterId from) const {
    std::vector<ClusterId> taken;
    for (const ObjectId u : conflicts_[v]) {
      taken.push_back(colours_[u]);
    }
    ClusterId colour = from;
    while (std::find(taken.begin(), taken.end(), colour) != taken.end()) {
      ++colour;
    }
    return colour;
  }

  void paint(ObjectId v, ClusterId colour) {
    waiting_.erase(key(v));
    colours_[v] = colour;
    in_use_.insert(colour);
    update_around(v, colour, true);
  }

  void unpaint(ObjectId v) {
    const ClusterId colour = colours_[v];
    colours_[v] = kNoCluster;
    in_use_.erase(in_use_.find(colour));
    update_around(v, colour, false);
    waiting_.insert(key(v));
  }

  void update_around(ObjectId v, ClusterId colour, bool add) {
    for (const ObjectId u : conflicts_[v]) {
      const bool waits = colours_[u] == kNoCluster;
      if (waits) {
        waiting_.erase(key(u));
      }
      if (add) {
        ++around_[u].counts[colour];
      } else if (--around_[u].counts[colour] == 0) {
        around_[u].counts.erase(colour);
      }
      if (waits) {
        waiting_.insert(key(u));
      }
    }
  }

  struct Around {
    std::map<ClusterId, int> counts;  // of neighbours, by colour
    [[nodiscard]] std::size_t size() const { return counts.size(); }
  };

  const ConflictLists& conflicts_;
  std::size_t most_;
  std::vector<ClusterId>& colours_;
  std::vector<Around> around_;
  std::set<Key> waiting_;
  std::multiset<ClusterId> in_use_;
  std::size_t steps_ = 0;
};

bool in_conflict(const ConflictLists& conflicts, ObjectId a, ObjectId b) {
  return std::binary_search(conflicts[a].begin(), conflicts[a].end(), b);
}

// Each the lowest colour that nobody before it in conflict with it has: quick, and enough where
// conflicts are few beside colours. Whether it was.
bool colour_first_fit(const ConflictLists& conflicts, std::size_t most,
                      std::vector<ClusterId>& colours) {
  std::vector<ObjectId> used_by(most, static_cast<ObjectId>(conflicts.size()));
  for (ObjectId v = 0; v < conflicts.size(); ++v) {
    for (const ObjectId u : conflicts[v]) {
      if (u < v) {
        used_by[colours[u]] = v;
      }
    }
    ClusterId colour = 0;
    while (colour < most && used_by[colour] == v) {
      ++colour;
    }
    if (colour == most) {
      return false;
    }
    colours[v] = colour;
  }
  return true;
}

}  // namespace

std::vector<ObjectId> find_clique(const ConflictLists& conflicts) {
  std::vector<ObjectId> best;
  for (ObjectId v = 0; v < conflicts.size(); ++v) {
    if (conflicts[v].size() + 1 <= best.size()) {
      continue;
    }
    std::vector<ObjectId> others = conflicts[v];
    std::stable_sort(others.begin(), others.end(), [&](ObjectId a, ObjectId b) {
      return conflicts[a].size() > conflicts[b].size();
    });
    std::vector<ObjectId> clique{v};
    for (const ObjectId u : others) {
      if (std::all_of(clique.begin(), clique.end(),
                      [&](ObjectId w) { return in_conflict(conflicts, u, w); })) {
        clique.push_back(u);
      }
    }
    if (clique.size() > best.size()) {
      best = std::move(clique);
    }
  }
  std::sort(best.begin(), best.end());
  return best;
}

Colouring colour(const ConflictLists& conflicts, std::size_t most) {
  Colouring out;
  out.colours.assign(conflicts.size(), 0);
  if (colour_first_fit(conflicts, most, out.colours)) {
    return out;
  }
  out.colours.assign(conflicts.size(), 0);
  for (const std::vector<ObjectId>& piece : pieces_of(conflicts)) {
    if (PieceColouring(conflicts, piece, most, out.colours).greedily()) {
      continue;
    }
    std::vector<ObjectId> clique = find_clique(conflicts);
    if (clique.size() > most) {
      clique.resize(most + 1);
      return {Colouring::Verdict::impossible, {}, clique, clique};
    }
    out.verdict = PieceColouring(conflicts, piece, most, out.colours).exhaustively();
    if (out.verdict != Colouring::Verdict::found) {
      return {out.verdict, {}, {}, piece};
    }
  }
  return out;
}

bool Conflicts::in_conflict(ObjectId v, std::span<const ClusterId> labels) const {
  return std::any_of(lists_[v].begin(), lists_[v].end(),
                     [&](ObjectId u) { return labels[u] == labels[v]; });
}

bool Conflicts::satisfied_by(std::span<const ClusterId> labels) const {
  for (ObjectId v = 0; v < labels.size(); ++v) {
    if (in_conflict(v, labels)) {
      return false;
    }
  }
  return true;
}

// The colours of a whole component can be used: no conflict leads out of it.
void Conflicts::paint_piece(ObjectId v, std::span<ClusterId> labels) const {
  std::vector<ObjectId> piece{v};
  std::vector<bool> seen(labels.size(), false);
  seen[v] = true;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    labels[piece[i]] = colours_[piece[i]];
    for (const ObjectId u : lists_[piece[i]]) {
      if (!seen[u]) {
        seen[u] = true;
        piece.push_back(u);
      }
    }
  }
}

void Conflicts::repair(std::span<ClusterId> labels, std::optional<std::size_t> clusters) const {
  const std::size_t largest = *std::max_element(labels.begin(), labels.end());
  std::vector<std::size_t> sizes(std::max({clusters.value_or(0), labels.size(), largest + 1}), 0);
  for (const ClusterId k : labels) {
    ++sizes[k];
  }
  ClusterId empty = 0;
  for (ObjectId v = 0; v < labels.size(); ++v) {
    if (!in_conflict(v, labels)) {
      continue;
    }
    const auto is_open = [&](ClusterId k) {
      return std::none_of(lists_[v].begin(), lists_[v].end(),
                          [&](ObjectId u) { return labels[u] == k; });
    };
    ClusterId to = kNoCluster;
    while (empty < clusters.value_or(sizes.size()) && sizes[empty] > 0) {
      ++empty;
    }
    if (empty < clusters.value_or(sizes.size())) {
      to = empty;
    } else if (clusters) {
      for (std::size_t step = 1; step < *clusters && to == kNoCluster; ++step) {
        const auto k = static_cast<ClusterId>((labels[v] + step) % *clusters);
        to = is_open(k) ? k : to;
      }
    }
    if (to == kNoCluster) {
      paint_piece(v, labels);
      continue;
    }
    if (--sizes[labels[v]] == 0 && labels[v] < empty) {
      empty = labels[v];
    }
    ++sizes[to];
    labels[v] = to;
  }
}

}  // namespace shiftcut
