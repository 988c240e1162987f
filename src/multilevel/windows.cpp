#include "multilevel/windows.hpp"

#include <algorithm>
#include <numeric>

#include "multilevel/local_moving.hpp"

namespace shiftcut {

namespace {

constexpr std::size_t kStretch = 8192;  // nodes
constexpr std::size_t kFewest = 8;      // stretches
constexpr std::size_t kSampled = 4096;  // nodes

struct Counts {
  std::size_t judged = 0;
  std::size_t moves = 0;
};

}  // namespace

bool has_short_edges(const SparseLevel& level) {
  if (level.size() < kFewest * kStretch) {
    return false;
  }
  const std::size_t stride = level.size() / kSampled;
  std::size_t edges = 0;
  std::size_t within = 0;
  for (std::size_t v = 0; v < level.size(); v += stride) {
    level.for_each_neighbor(static_cast<ObjectId>(v), [&](ObjectId u) {
      ++edges;
      within += u / kStretch == v / kStretch ? 1 : 0;
    });
  }
  return 2 * within > edges;
}

Stretched come_together_by_stretches(const SparseLevel& level, std::span<const ClusterId> parts,
                                     const Context& context) {
  const std::size_t n = level.size();
  const std::size_t stretches = (n + kStretch - 1) / kStretch;
  const std::uint64_t seed = context.rng.next();
  Stretched out;
  out.labels.resize(n);
  std::vector<Counts> counts(stretches);
  context.team.for_each(stretches, [&](std::size_t s, int) {
    const std::size_t begin = s * kStretch;
    const std::size_t end = std::min(n, begin + kStretch);
    std::vector<ClusterId> single(end - begin);
    std::iota(single.begin(), single.end(), ClusterId{0});
    const SparseLevel stretch = level.stretch(begin, end);
    ThreadTeam alone(1);
    Rng own(seed, s);
    LocalMoving<SparseLevel> moving(stretch, single, single.size(), {own, alone, context.stop});
    if (!parts.empty()) {
      moving.keep_within(parts.subspan(begin, end - begin));
    }
    counts[s].moves = moving.move_all();
    counts[s].judged = moving.judged();
    for (std::size_t v = begin; v < end; ++v) {
      out.labels[v] =
          moving.label(static_cast<ObjectId>(v - begin)) + static_cast<ClusterId>(begin);
    }
  });
  for (const Counts& count : counts) {
    out.judged += count.judged;
    out.moves += count.moves;
  }
  return out;
}

}  // namespace shiftcut
