#include "core/thread_team.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "input/message_of.hpp"

namespace shiftcut {
namespace {

const std::vector<int> kTeamSizes = {1, 2, 7};

TEST(thread_team, does_every_task_exactly_once) {
  for (const int threads : kTeamSizes) {
    ThreadTeam team(threads);
    EXPECT_EQ(team.threads(), threads);
    for (const std::size_t count : {0U, 1U, 2U, 6U, 7U, 8U, 1000U, 30000U}) {
      std::vector<std::atomic<int>> done(count);
      std::atomic<int> strangers{0};
      team.for_each(count, [&](std::size_t i, int worker) {
        done[i].fetch_add(1);
        strangers += worker < 0 || worker >= threads ? 1 : 0;
      });
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(done[i].load(), 1) << i << " of " << count << " on " << threads;
      }
      EXPECT_EQ(strangers.load(), 0);
    }
  }
}

TEST(thread_team, gives_a_worker_one_task_at_a_time) {
  for (const int threads : kTeamSizes) {
    ThreadTeam team(threads);
    std::vector<std::atomic<int>> inside(static_cast<std::size_t>(threads));
    std::atomic<int> clashes{0};
    team.for_each(5000, [&](std::size_t, int worker) {
      auto& mine = inside[static_cast<std::size_t>(worker)];
      clashes += mine.fetch_add(1) == 0 ? 0 : 1;
      mine.fetch_sub(1);
    });
    EXPECT_EQ(clashes.load(), 0);
  }
}

TEST(thread_team, of_zero_has_one_thread_per_core) {
  const ThreadTeam team(0);
  EXPECT_EQ(team.threads(), available_cores());
  EXPECT_GE(available_cores(), 1);
}

// What one job writes the next one reads: no job begins before the last one has ended.
TEST(thread_team, does_many_tiny_jobs_in_a_row) {
  for (const int threads : kTeamSizes) {
    ThreadTeam team(threads);
    const int jobs = threads == 1 ? 20000 : 2000;
    std::vector<int> now(3, 0);
    std::vector<int> next(3, 0);
    for (int job = 0; job < jobs; ++job) {
      team.for_each(3, [&](std::size_t i, int) { next[i] = now[(i + 1) % 3] + 1; });
      std::swap(now, next);
    }
    EXPECT_EQ(now, std::vector<int>(3, jobs)) << "on " << threads;
  }
}

TEST(thread_team, throws_the_exception_of_a_task_again_and_stays_usable) {
  for (const int threads : kTeamSizes) {
    ThreadTeam team(threads);
    for (int round = 0; round < 200; ++round) {
      const std::size_t count = 1 + static_cast<std::size_t>(round) % 20;
      const std::size_t bad = static_cast<std::size_t>(round) % count;
      const std::string message = message_of([&] {
        team.for_each(count, [&](std::size_t i, int) {
          if (i == bad) {
            throw std::invalid_argument("task " + std::to_string(i));
          }
        });
      });
      ASSERT_EQ(message, "task " + std::to_string(bad)) << "on " << threads;
      std::atomic<std::size_t> done{0};
      team.for_each(count, [&](std::size_t, int) { ++done; });
      ASSERT_EQ(done.load(), count) << "on " << threads;
    }
  }
}

TEST(thread_team, throws_one_exception_where_all_tasks_throw) {
  for (const int threads : kTeamSizes) {
    ThreadTeam team(threads);
    for (int round = 0; round < 100; ++round) {
      EXPECT_THROW(
          team.for_each(50, [](std::size_t, int) { throw std::runtime_error("every one"); }),
          std::runtime_error);
    }
    std::atomic<int> done{0};
    team.for_each(50, [&](std::size_t, int) { ++done; });
    EXPECT_EQ(done.load(), 50);
  }
}

TEST(thread_team, begins_no_further_tasks_after_an_exception) {
  ThreadTeam team(2);
  std::atomic<bool> throwing{false};
  std::atomic<int> done{0};
  const auto task = [&](std::size_t i, int) {
    if (i == 0) {
      throwing = true;
      throw std::runtime_error("first");
    }
    while (!throwing) {
      std::this_thread::yield();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++done;
  };
  EXPECT_THROW(team.for_each(2000, task), std::runtime_error);
  EXPECT_LT(done.load(), 1999);
}

TEST(thread_team, may_use_other_teams_in_its_tasks) {
  ThreadTeam outer(3);
  std::vector<std::unique_ptr<ThreadTeam>> inner;
  for (int i = 0; i < outer.threads(); ++i) {
    inner.push_back(std::make_unique<ThreadTeam>(2));
  }
  std::vector<std::atomic<int>> done(40 * 25);
  outer.for_each(40, [&](std::size_t i, int worker) {
    inner[static_cast<std::size_t>(worker)]->for_each(
        25, [&](std::size_t j, int) { done[i * 25 + j].fetch_add(1); });
  });
  for (const auto& count : done) {
    ASSERT_EQ(count.load(), 1);
  }
  std::atomic<int> made_inside{0};
  outer.for_each(6, [&](std::size_t, int) {
    ThreadTeam team(2);
    team.for_each(10, [&](std::size_t, int) { ++made_inside; });
  });
  EXPECT_EQ(made_inside.load(), 60);
}

TEST(thread_team, passes_an_exception_on_through_nested_teams) {
  ThreadTeam outer(2);
  ThreadTeam inner(3);
  const std::string message = message_of([&] {
    outer.for_each(2, [&](std::size_t i, int) {
      if (i == 1) {
        inner.for_each(9, [](std::size_t j, int) {
          if (j == 8) {
            throw std::runtime_error("from within");
          }
        });
      }
    });
  });
  EXPECT_EQ(message, "from within");
}

TEST(thread_team, ends_without_ever_having_worked) {
  for (int round = 0; round < 50; ++round) {
    const ThreadTeam team(7);
  }
}

// While it lives, new threads ask for larger stacks than the address space can hold.
class HugeStacks {
 public:
  explicit HugeStacks(std::size_t bytes) {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    pthread_getattr_default_np(&huge);
    pthread_attr_setstacksize(&huge, bytes);
    pthread_setattr_default_np(&huge);
    pthread_attr_destroy(&huge);
  }
  ~HugeStacks() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  HugeStacks(const HugeStacks&) = delete;
  HugeStacks& operator=(const HugeStacks&) = delete;

 private:
  pthread_attr_t before_{};
};

TEST(thread_team, goes_on_with_the_threads_that_could_be_started) {
  for (const int bits : {44, 47, 60}) {  // a few of 16 TB may be had; none of the others
    const HugeStacks stacks(std::size_t{1} << bits);
    ThreadTeam team(64);
    EXPECT_GT(team.missing(), 0);
    EXPECT_EQ(team.threads() + team.missing(), 64);
    std::vector<std::atomic<int>> done(1000);
    std::atomic<int> strangers{0};
    team.for_each(done.size(), [&](std::size_t i, int worker) {
      done[i].fetch_add(1);
      strangers += worker < 0 || worker >= team.threads() ? 1 : 0;
    });
    EXPECT_EQ(strangers.load(), 0);
    for (const auto& count : done) {
      ASSERT_EQ(count.load(), 1);
    }
  }
  const ThreadTeam team(3);
  EXPECT_EQ(team.threads(), 3);
  EXPECT_EQ(team.missing(), 0);
}

}  // namespace
}  // namespace shiftcut
