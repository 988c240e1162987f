#include "search/small_pool.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace shiftcut {

namespace {

constexpr std::size_t kMostPieces = 64;  // that answers cut the objects into
constexpr int kPieceRestarts = 4;
constexpr std::size_t kSideBySide = 4;  // are combined before the pool changes

// Objects that are together in all answers, numbered densely, and where the first answer has them.
struct SmallPieces {
  std::vector<ClusterId> of;
  std::vector<ClusterId> labels;
};

SmallPieces pieces_of(std::span<const std::span<const ClusterId>> answers, std::size_t slots) {
  SmallPieces pieces{{answers.front().begin(), answers.front().end()}, {}};
  std::vector<ClusterId> number;
  std::size_t count = slots;
  for (std::size_t p = 1; p < answers.size(); ++p) {
    number.assign(count * slots, kNoCluster);
    pieces.labels.clear();
    for (std::size_t i = 0; i < pieces.of.size(); ++i) {
      ClusterId& piece = number[pieces.of[i] * slots + answers[p][i]];
      if (piece == kNoCluster) {
        piece = static_cast<ClusterId>(pieces.labels.size());
        pieces.labels.push_back(answers.front()[i]);
      }
      pieces.of[i] = piece;
    }
    count = pieces.labels.size();
  }
  return pieces;
}

bool is_lower(const SmallAnswer& a, const SmallAnswer& b) { return a.cost < b.cost; }

}  // namespace

SmallPool::SmallPool(const SmallMatrix& s, std::size_t slots, double tolerance,
                     const Context& context)
    : s_(s),
      slots_(slots),
      tolerance_(tolerance),
      context_(context),
      descents_(static_cast<std::size_t>(context.team.threads()),
                SmallDescent(s, slots, tolerance)) {}

SmallAnswer SmallPool::improve(const SmallAnswer& start, const PoolOptions& options) {
  pool_.assign(1, start);
  if (slots_ < 2 || s_.n < 2 || options.answers < 2) {
    return start;
  }
  fill(options.answers);
  for (std::size_t done = 0; done < options.times && pool_.size() > 1 && !context_.should_stop();
       done += kSideBySide) {
    std::vector<Parents> parents(std::min(kSideBySide, options.times - done));
    for (Parents& some : parents) {
      some = draw_parents();
    }
    std::vector<SmallAnswer> children(parents.size());
    const std::uint64_t seed = context_.rng.next();
    context_.team.for_each(parents.size(), [&](std::size_t c, int worker) {
      Rng own(seed, c);
      children[c] =
          child_of(parents[c], descents_[static_cast<std::size_t>(worker)], context_.with(own));
    });
    for (std::size_t c = 0; c < children.size(); ++c) {
      take_in(std::move(children[c]), parents[c]);
    }
  }
  return *std::min_element(pool_.begin(), pool_.end(), is_lower);
}

void SmallPool::fill(std::size_t answers) {
  pool_.resize(answers);
  const std::uint64_t seed = context_.rng.next();
  context_.team.for_each(answers - 1, [&](std::size_t a, int worker) {
    if (!context_.should_stop()) {
      SmallDescent& descent = descents_[static_cast<std::size_t>(worker)];
      Rng own(seed, a);
      descent.begin_at_random(own);
      descent.run(own);
      pool_[a + 1] = {descent.cost(), descent.labels()};
    }
  });
  std::erase_if(pool_, [](const SmallAnswer& answer) { return answer.labels.empty(); });
}

SmallPool::Parents SmallPool::draw_parents() const {
  const auto count = static_cast<std::uint32_t>(pool_.size());
  Parents parents;
  parents.one = context_.rng.below(count);
  parents.other = (parents.one + 1 + context_.rng.below(count - 1)) % count;
  parents.labels = {pool_[parents.one].labels, pool_[parents.other].labels};
  for (std::size_t cells = slots_ * slots_; cells * slots_ <= kMostPieces; cells *= slots_) {
    parents.labels.emplace_back(pool_[context_.rng.below(count)].labels);
  }
  return parents;
}

SmallAnswer SmallPool::child_of(const Parents& parents, SmallDescent& descent,
                                const Context& own) const {
  const SmallPieces pieces = pieces_of(parents.labels, slots_);
  const std::size_t count = pieces.labels.size();
  const std::vector<float> sums = group_sums(s_, pieces.of, count);
  const SmallMatrix between = between_groups(s_, sums, pieces.of, count);
  SmallDescent coarse(between, slots_, tolerance_);
  coarse.begin(pieces.labels);
  coarse.run(own.rng);
  coarse.restart(kPieceRestarts, own);
  descent.begin(pieces.of, coarse.labels(), sums);
  descent.run(own.rng);
  return {descent.cost(), descent.labels()};
}

// In place of the higher of its first two parents, unless it is known.
void SmallPool::take_in(SmallAnswer child, const Parents& parents) {
  SmallAnswer& one = pool_[parents.one];
  SmallAnswer& other = pool_[parents.other];
  SmallAnswer& higher = is_lower(other, one) ? one : other;
  const bool is_known = std::any_of(pool_.begin(), pool_.end(), [&](const SmallAnswer& answer) {
    return std::abs(answer.cost - child.cost) <= tolerance_ + s_.rounding;
  });
  if (!is_known && is_lower(child, higher)) {
    higher = std::move(child);
  }
}

}  // namespace shiftcut
