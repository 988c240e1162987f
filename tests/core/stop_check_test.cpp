#include "core/stop_check.hpp"

#include <gtest/gtest.h>

namespace shiftcut {
namespace {

using std::chrono::hours;

TEST(stop_check, goes_on_without_a_flag_and_a_limit) {
  const Control control;
  StopCheck stop(control, Clock::now() - hours(1), 0);
  EXPECT_FALSE(stop.should_stop());
  EXPECT_EQ(stop.reason(), StopReason::converged);
}

TEST(stop_check, stops_at_the_flag) {
  std::atomic<bool> flag{false};
  Control control;
  control.stop = &flag;
  StopCheck stop(control, Clock::now(), 0);
  EXPECT_FALSE(stop.should_stop());
  flag = true;
  EXPECT_TRUE(stop.should_stop());
  EXPECT_EQ(stop.reason(), StopReason::interrupted);
  flag = false;
  EXPECT_TRUE(stop.should_stop()) << "once said, it stays";
}

TEST(stop_check, stops_when_the_time_is_over) {
  const Control control;
  StopCheck early(control, Clock::now(), 3600);
  EXPECT_FALSE(early.should_stop());
  StopCheck late(control, Clock::now() - hours(2), 3600);
  EXPECT_TRUE(late.should_stop());
  EXPECT_EQ(late.reason(), StopReason::max_seconds);
}

TEST(stop_check, keeps_the_first_reason) {
  std::atomic<bool> flag{false};
  Control control;
  control.stop = &flag;
  StopCheck timed_out(control, Clock::now() - hours(1), 1);
  EXPECT_TRUE(timed_out.should_stop());
  flag = true;
  EXPECT_TRUE(timed_out.should_stop());
  EXPECT_EQ(timed_out.reason(), StopReason::max_seconds);

  StopCheck interrupted(control, Clock::now() - hours(1), 1);
  EXPECT_TRUE(interrupted.should_stop());
  flag = false;
  EXPECT_TRUE(interrupted.should_stop());
  EXPECT_EQ(interrupted.reason(), StopReason::interrupted);
}

TEST(stop_check, does_not_stop_before_it_is_asked) {
  std::atomic<bool> flag{true};
  Control control;
  control.stop = &flag;
  const StopCheck stop(control, Clock::now(), 0);
  EXPECT_EQ(stop.reason(), StopReason::converged);
}

}  // namespace
}  // namespace shiftcut
