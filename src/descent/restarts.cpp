#include "descent/restarts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

#include <fmt/core.h>

#include "core/kept_bytes.hpp"
#include "core/tuning.hpp"
#include "descent/tuning.hpp"
#include "shiftcut/checkpoint.hpp"

namespace shiftcut {

namespace {

using namespace descent_tuning;

// Reports progress to the caller, from several restarts at once.
class SearchProgress {
 public:
  SearchProgress(const Control& control, std::size_t restarts)
      : control_(control), restarts_(static_cast<int>(restarts)) {}

  [[nodiscard]] bool watched() const { return static_cast<bool>(control_.progress); }

  void restart_ended(double cost) {
    const std::scoped_lock lock(mutex_);
    best_ = std::min(best_, cost);
    ++ended_;
  }

  void after_sweep(std::size_t restart, const Restart& state, std::size_t moves) {
    const std::scoped_lock lock(mutex_);
    Progress progress;
    progress.phase = "search";
    progress.restart = static_cast<int>(restart) + 1;
    progress.restarts = restarts_;
    progress.sweep = state.sweeps;
    progress.moves = moves;
    progress.cost = state.cost < best_ ? state.cost : best_;
    progress.has_cost = std::isfinite(progress.cost);
    progress.seconds = seconds_since(start_);
    progress.seconds_left = ended_ > 0 ? progress.seconds / ended_ * (restarts_ - ended_) : -1;
    control_.progress(progress);
  }

 private:
  const Control& control_;
  int restarts_;
  int ended_ = 0;
  double best_ = std::numeric_limits<double>::infinity();
  Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
};

void save_solution(Checkpoint& checkpoint, const std::string& name, const Solution& solution) {
  KeptWriter writer;
  writer.number(solution.cost).array(solution.labels);
  writer.number<std::uint64_t>(solution.restarts.size());
  for (const Restart& restart : solution.restarts) {
    writer.text(restart.method).number(restart.cost).number(restart.sweeps).number(restart.moves);
    writer.number(restart.seconds);
  }
  checkpoint.save(name, writer.pieces());
}

// Empty if it is not there.
std::optional<Solution> load_solution(Checkpoint& checkpoint, const std::string& name,
                                      std::size_t objects) {
  const std::string bytes = checkpoint.load(name);
  if (bytes.empty()) {
    return std::nullopt;
  }
  KeptReader reader(bytes);
  Solution solution;
  solution.cost = reader.number<double>();
  solution.labels = reader.array<ClusterId>();
  const auto restarts = reader.number<std::uint64_t>();
  for (std::uint64_t r = 0; r < std::min<std::uint64_t>(restarts, bytes.size()); ++r) {
    Restart restart;
    restart.method = reader.text();
    restart.cost = reader.number<double>();
    restart.sweeps = reader.number<int>();
    restart.moves = reader.number<std::uint64_t>();
    restart.seconds = reader.number<double>();
    solution.restarts.push_back(std::move(restart));
  }
  const bool are_clusters =
      std::ranges::all_of(solution.labels, [objects](ClusterId label) { return label < objects; });
  if (!reader.is_whole() || solution.labels.size() != objects || !are_clusters) {
    checkpoint.reject(name);
    return std::nullopt;
  }
  return solution;
}

}  // namespace

std::vector<ClusterId> random_labels(const Problem& problem, std::optional<std::size_t> clusters,
                                     Rng& rng) {
  const auto n = static_cast<std::uint32_t>(size(problem));
  std::vector<ClusterId> labels(n);
  if (!clusters && std::holds_alternative<GraphProblem>(problem)) {
    for (ObjectId i = 0; i < n; ++i) {
      labels[i] = i;
    }
    return labels;
  }
  const std::uint32_t few =
      std::min(n, kMinRandomClusters + rng.below(kMaxRandomClusters - kMinRandomClusters + 1));
  const std::uint32_t count = clusters ? static_cast<std::uint32_t>(*clusters) : few;
  for (ClusterId& label : labels) {
    label = rng.below(count);
  }
  return labels;
}

int lanes_for(const Problem& problem, std::size_t attempts, const ThreadTeam& team) {
  std::size_t lanes = std::min(attempts, static_cast<std::size_t>(team.threads()));
  if (const auto* gram = std::get_if<GramProblem>(&problem)) {
    const std::size_t affordable =
        std::clamp<std::size_t>(gram->length() / kNumbersPerLane, 1, kMaxLanes);
    const bool small = gram->size() * gram->length() < kSmallFeatures;
    lanes = small ? lanes : std::min(lanes, affordable);
  }
  return static_cast<int>(std::max<std::size_t>(1, lanes));
}

Solution kept(const Context& context, std::uint64_t number, std::size_t objects,
              const std::function<Solution()>& make) {
  Checkpoint* checkpoint = context.control().checkpoint;
  if (checkpoint == nullptr || context.kept_as == nullptr) {
    return make();
  }
  const std::string name = fmt::format("{}-{}", context.kept_as, number);
  if (std::optional<Solution> found = load_solution(*checkpoint, name, objects)) {
    return std::move(*found);
  }
  const Clock::time_point start = Clock::now();
  Solution made = make();
  if (seconds_since(start) >= kLeastKeptSeconds && !context.should_stop()) {
    save_solution(*checkpoint, name, made);
  }
  return made;
}

Solution best_of(std::size_t count, int lanes, const Streams& streams, const Context& context,
                 const Attempt& attempt) {
  SearchProgress progress(context.control(), count);
  std::mutex mutex;
  std::vector<std::pair<std::size_t, std::vector<Restart>>> ran;
  Solution best;
  std::size_t winner = count;

  const auto run_one = [&](std::size_t r, ThreadTeam& own_team) {
    if (r > 0 && context.should_stop()) {
      return;
    }
    const Clock::time_point start = Clock::now();
    AfterSweep after_sweep;
    if (progress.watched()) {
      after_sweep = [&](const Restart& state, std::size_t moves) {
        progress.after_sweep(r, state, moves);
      };
    }
    Rng rng(streams.seed, streams.first + r);
    Solution solution = attempt(r, {rng, own_team, context.stop, std::move(after_sweep)});
    if (solution.restarts.size() == 1) {
      solution.restarts.front().seconds = seconds_since(start);
    }
    progress.restart_ended(solution.cost);

    const std::scoped_lock lock(mutex);
    ran.emplace_back(r, std::move(solution.restarts));
    if (winner == count || solution.cost < best.cost ||
        (solution.cost == best.cost && r < winner)) {
      winner = r;
      best.cost = solution.cost;
      best.labels = std::move(solution.labels);
    }
  };

  if (lanes == 1) {
    for (std::size_t r = 0; r < count && !(r > 0 && context.should_stop()); ++r) {
      run_one(r, context.team);
    }
  } else {
    ThreadTeam outer(lanes);
    std::vector<std::unique_ptr<ThreadTeam>> inner;
    for (int lane = 0; lane < lanes; ++lane) {
      inner.push_back(std::make_unique<ThreadTeam>(std::max(1, context.team.threads() / lanes)));
    }
    outer.for_each(count, [&](std::size_t r, int lane) {
      run_one(r, *inner[static_cast<std::size_t>(lane)]);
    });
  }

  std::sort(ran.begin(), ran.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [r, restarts] : ran) {
    std::move(restarts.begin(), restarts.end(), std::back_inserter(best.restarts));
  }
  return best;
}

}  // namespace shiftcut
