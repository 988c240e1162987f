#include "feedback/choose_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "core/kernels/elementary.hpp"
#include "feedback/object_chances.hpp"
#include "feedback/pair_scores.hpp"
#include "feedback/tuning.hpp"

namespace shiftcut {

namespace {

using namespace feedback_tuning;

struct Scored {
  ObjectId a = 0;
  ObjectId b = 0;
  double score = 0;
  double chance = 0.5;
};

class Chooser {
 public:
  Chooser(const PairView& view, std::span<const ClusterId> labels, Rng& rng, ThreadTeam& team)
      : view_(view),
        labels_(labels),
        graph_(std::get_if<GraphProblem>(&view.problem())),
        rng_(rng),
        team_(team) {}

  std::vector<Question> choose(Strategy strategy, std::size_t count) {
    std::vector<Scored> scored;
    switch (strategy) {
      case Strategy::random:
        break;
      case Strategy::uncertainty:
        scored = by_uncertainty();
        break;
      case Strategy::maxmin:
      case Strategy::maxexp:
        scored = by_triangles(strategy == Strategy::maxexp);
        break;
      case Strategy::entropy:
        scored = by_entropy(count);
        break;
    }
    std::sort(scored.begin(), scored.end(), [](const Scored& x, const Scored& y) {
      return x.score != y.score ? x.score > y.score
                                : PairView::key(x.a, x.b) < PairView::key(y.a, y.b);
    });
    const bool explores = strategy == Strategy::maxmin || strategy == Strategy::maxexp;
    return taken(scored, count, explores ? kExploredShare : 0);
  }

 private:
  ObjectId any() { return rng_.below(static_cast<std::uint32_t>(view_.size())); }

  // An open pair, if a good number of tries finds one; else the first there is.
  std::optional<Scored> any_pair(const std::unordered_set<std::uint64_t>& used) {
    const auto is_new = [&](ObjectId a, ObjectId b) {
      return a != b && view_.is_open(a, b) && !used.contains(PairView::key(a, b));
    };
    for (int attempt = 0; attempt < kTriesForOpenPair; ++attempt) {
      const ObjectId a = any();
      const ObjectId b = any();
      if (is_new(a, b)) {
        return Scored{a, b, 0, labels_[a] == labels_[b] ? 0.75 : 0.25};
      }
    }
    for (ObjectId a = 0; a < view_.size() && view_.size() <= kScoredPairs; ++a) {
      for (ObjectId b = a + 1; b < view_.size(); ++b) {
        if (is_new(a, b)) {
          return Scored{a, b, 0, labels_[a] == labels_[b] ? 0.75 : 0.25};
        }
      }
    }
    return std::nullopt;
  }

  // The best, first with no object twice; then any pair.
  std::vector<Question> taken(const std::vector<Scored>& scored, std::size_t count,
                              double explore) {
    std::vector<Question> out;
    std::unordered_set<std::uint64_t> used;
    std::unordered_set<ObjectId> objects;
    const auto take = [&](const Scored& pair) {
      if (used.insert(PairView::key(pair.a, pair.b)).second) {
        out.push_back({pair.a, pair.b, pair.chance});
        objects.insert(pair.a);
      }
    };
    for (const bool only_new_objects : {true, false}) {
      for (const Scored& pair : scored) {
        if (out.size() < count && explore > 0 && rng_.uniform() < explore) {
          if (const auto other = any_pair(used)) {
            take(*other);
          }
        }
        if (out.size() < count && (!only_new_objects || !objects.contains(pair.a))) {
          take(pair);
        }
      }
    }
    while (out.size() < count) {
      const auto other = any_pair(used);
      if (!other) {
        break;
      }
      take(*other);
    }
    return out;
  }

  // ---- uncertainty ----

  // A neighbour of the object, or of one of these; itself where it has none.
  ObjectId near(ObjectId i) {
    if (graph_ == nullptr || graph_->neighbors(i).empty()) {
      return any();
    }
    const auto first = graph_->neighbors(i);
    const ObjectId j = first[rng_.below(static_cast<std::uint32_t>(first.size()))];
    const auto second = graph_->neighbors(j);
    return second.empty() ? j : second[rng_.below(static_cast<std::uint32_t>(second.size()))];
  }

  std::vector<Scored> by_uncertainty() {
    std::vector<Scored> scored;
    for (std::size_t p = 0; p < kScoredPairs; ++p) {
      const ObjectId a = any();
      const ObjectId b = p % 2 == 0 ? any() : near(a);
      if (a != b && view_.is_open(a, b)) {
        const double s = view_.similarity(a, b);
        scored.push_back({a, b, -std::abs(s), 0.5 + s / 2});
      }
    }
    return scored;
  }

  // ---- maxmin, maxexp ----

  [[nodiscard]] bool violates(ObjectId i, ObjectId j) const {
    return i != j && (view_.similarity(i, j) > 0) != (labels_[i] == labels_[j]);
  }

  std::vector<std::pair<ObjectId, ObjectId>> violating_pairs() {
    std::vector<std::pair<ObjectId, ObjectId>> pairs;
    const std::size_t most = std::min(view_.size(), kViolatingPairs);
    for (std::size_t attempt = 0; attempt < 20 * most && pairs.size() < most; ++attempt) {
      const ObjectId i = any();
      ObjectId j = any();
      if (attempt % 2 == 0 && graph_ != nullptr && !graph_->neighbors(i).empty()) {
        const auto row = graph_->neighbors(i);
        j = row[rng_.below(static_cast<std::uint32_t>(row.size()))];
      }
      if (violates(i, j)) {
        pairs.emplace_back(i, j);
      }
    }
    return pairs;
  }

  std::vector<ObjectId> thirds_of(ObjectId i, ObjectId j) {
    std::vector<ObjectId> thirds;
    for (const ObjectId end : {i, j}) {
      if (graph_ != nullptr) {
        const auto row = graph_->neighbors(end);
        const std::size_t stride = row.size() / kThirdsOfNeighbors + 1;
        for (std::size_t e = 0; e < row.size(); e += stride) {
          thirds.push_back(row[e]);
        }
      }
    }
    for (std::size_t t = 0; t < (graph_ != nullptr ? kRandomThirds : 2 * kThirdsOfNeighbors); ++t) {
      thirds.push_back(any());
    }
    return thirds;
  }

  std::vector<Scored> by_triangles(bool expected) {
    std::unordered_map<std::uint64_t, Scored> best;
    for (const auto& [i, j] : violating_pairs()) {
      for (const ObjectId k : thirds_of(i, j)) {
        if (k == i || k == j) {
          continue;
        }
        const Sides sides = {view_.similarity(i, j), view_.similarity(i, k),
                             view_.similarity(j, k)};
        if (!is_inconsistent(sides)) {
          continue;
        }
        const std::size_t side = weakest_side(sides);
        const ObjectId a = side == 2 ? j : i;
        const ObjectId b = side == 0 ? j : k;
        if (!view_.is_open(a, b)) {
          continue;
        }
        const double score = expected ? expected_cost(sides) : std::abs(sides[side]);
        Scored& known = best.try_emplace(PairView::key(a, b), Scored{a, b, -1, 0.5}).first->second;
        known.score = std::max(known.score, score);
        known.chance = 0.5 + sides[side] / 2;
      }
    }
    std::vector<Scored> scored;
    scored.reserve(best.size());
    for (const auto& [key, pair] : best) {
      scored.push_back(pair);
    }
    return scored;
  }

  // ---- entropy ----

  // Each doubtful object with the exemplars of the clusters it may be in.
  std::vector<Scored> by_entropy(std::size_t count) {
    const Doubts doubts(view_, labels_, std::max(kDoubtfulObjects, 2 * count), rng_, team_);
    std::vector<Scored> scored;
    for (std::size_t i = 0; i < doubts.objects().size(); ++i) {
      const ObjectId a = doubts.objects()[i];
      for (std::size_t c = 0; c < doubts.clusters().size(); ++c) {
        const double chance = doubts.chances().of(i)[c];
        const ObjectId b = doubts.exemplar(doubts.clusters()[c]);
        const double score = binary_entropy(chance);
        if (score <= 0 || a == b || !view_.is_open(a, b)) {
          continue;
        }
        const double noise =
            count > 1 ? -kScoreNoise * portable_log(-portable_log(rng_.uniform() + 1e-300)) : 0;
        scored.push_back({a, b, portable_log(score) + noise, chance});
      }
    }
    return scored;
  }

  const PairView& view_;
  std::span<const ClusterId> labels_;
  const GraphProblem* graph_;
  Rng& rng_;
  ThreadTeam& team_;
};

}  // namespace

std::vector<Question> choose_pairs(const PairView& view, std::span<const ClusterId> labels,
                                   Strategy strategy, std::size_t count, Rng& rng,
                                   ThreadTeam& team) {
  return view.size() < 2 ? std::vector<Question>{}
                         : Chooser(view, labels, rng, team).choose(strategy, count);
}

}  // namespace shiftcut
