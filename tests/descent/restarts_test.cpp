#include "descent/restarts.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "shiftcut/checkpoint.hpp"
#include "support/search_support.hpp"

namespace shiftcut {
namespace {

using namespace search_testing;

class FolderOfTest {
 public:
  FolderOfTest()
      : path_(std::filesystem::temp_directory_path() /
              ("shiftcut-kept-" +
               std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()))) {}
  FolderOfTest(const FolderOfTest&) = delete;
  FolderOfTest& operator=(const FolderOfTest&) = delete;
  ~FolderOfTest() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string name() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

Solution of_two_restarts() {
  Solution solution;
  solution.labels = {2, 0, 1, 0};
  solution.cost = -3.25;
  solution.restarts = {{"local-search", -3.25, 4, 17, 0.5}, {"annealing", -3, 2, 9, 0.25}};
  return solution;
}

// Counts how often the work is done, which takes long enough to be kept.
class Work {
 public:
  Solution kept_in(Checkpoint& checkpoint, std::size_t objects = 4, bool is_stopped = false) {
    const std::atomic<bool> flag{is_stopped};
    const Control control{{}, &flag, &checkpoint};
    StopCheck stop(control, Clock::now(), 0);
    ThreadTeam team(1);
    Rng rng(1);
    Context context{rng, team, stop};
    context.kept_as = "search";
    return kept(context, 7, objects, [&] {
      ++times_;
      std::this_thread::sleep_for(std::chrono::milliseconds(80));
      return of_two_restarts();
    });
  }
  [[nodiscard]] int times() const { return times_; }

 private:
  int times_ = 0;
};

TEST(kept, work_is_found_again_as_it_was_made_and_not_done_twice) {
  const FolderOfTest folder;
  Work work;
  {
    Checkpoint checkpoint(folder.name());
    checkpoint.begin(1);
    EXPECT_EQ(work.kept_in(checkpoint, 4, true).labels, of_two_restarts().labels);
    work.kept_in(checkpoint);
    EXPECT_EQ(work.times(), 2) << "what a stop has cut short is not kept";
  }
  Checkpoint checkpoint(folder.name());
  checkpoint.begin(1);
  const Solution found = work.kept_in(checkpoint);
  EXPECT_EQ(work.times(), 2);
  const Solution made = of_two_restarts();
  EXPECT_EQ(found.labels, made.labels);
  EXPECT_EQ(found.cost, made.cost);
  ASSERT_EQ(found.restarts.size(), made.restarts.size());
  for (std::size_t r = 0; r < made.restarts.size(); ++r) {
    EXPECT_EQ(found.restarts[r].method, made.restarts[r].method);
    EXPECT_EQ(found.restarts[r].cost, made.restarts[r].cost);
    EXPECT_EQ(found.restarts[r].sweeps, made.restarts[r].sweeps);
    EXPECT_EQ(found.restarts[r].moves, made.restarts[r].moves);
    EXPECT_EQ(found.restarts[r].seconds, made.restarts[r].seconds);
  }
  // Of another number of objects it can't be the same work.
  work.kept_in(checkpoint, 5);
  EXPECT_EQ(work.times(), 3);
  work.kept_in(checkpoint, 2);
  EXPECT_EQ(work.times(), 4);
}

TEST(kept, without_a_checkpoint_work_is_done) {
  NoLimit limit;
  ThreadTeam team(1);
  int times = 0;
  for (int i = 0; i < 2; ++i) {
    kept(limit.with(team), 0, 4, [&] {
      ++times;
      return of_two_restarts();
    });
  }
  EXPECT_EQ(times, 2);
}

}  // namespace
}  // namespace shiftcut
