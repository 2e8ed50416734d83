// Piecewise motions: what is looked for on their way, and times of the robot's clock.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include "tests/app/robot/franka_at_home.h"
#include "tests/support/told.h"

namespace jointrig {
namespace {

using Values = std::vector<double>;

using odd::told;

class Piecewise : public FrankaAtHome {};

TEST_F(Piecewise, AWayOnWhichBodiesMeetIsRefusedWithBothTheMilestoneAndTheTime) {
  put_a_ball();
  const std::vector<Values> milestones{home_with(from + 0.1), home_with(from + 1.3)};
  const Values times{1.0, 2.5};
  for (const bool is_cubic : {false, true}) {
    SCOPED_TRACE(is_cubic);
    const auto ask = [&](const PiecewiseOptions& options) {
      if (is_cubic) arm.set_piecewise_cubic(times, milestones, {rest, rest}, options);
      if (!is_cubic) arm.set_piecewise_linear(times, milestones, options);
      robot.step();
    };
    const std::string why = told([&] { ask({}); });
    EXPECT_NE(why.find("plan_collision"), std::string::npos) << why;
    EXPECT_TRUE(std::regex_search(why, std::regex("panda_\\w+ and ball"))) << why;
    EXPECT_NE(why.find("waypoint 2"), std::string::npos) << why;
    std::smatch time;
    ASSERT_TRUE(std::regex_search(why, time, std::regex("([0-9.]+) s from its start"))) << why;
    // The ball's middle is met at 0.8 rad at the latest, where 1.2 σ = 0.7: 0.55 of the second way.
    EXPECT_GT(std::stod(time[1]), 1.0);
    EXPECT_LT(std::stod(time[1]), 1.0 + 0.57 * 1.5);
    for (int k = 0; k < 50; ++k) robot.step();
    EXPECT_EQ(arm.commanded_position(), home) << "nothing has moved";
    EXPECT_FALSE(robot.is_moving());

    EXPECT_EQ(told([&] { ask({{.checks_collisions = false}}); }), "");
    EXPECT_TRUE(robot.is_moving());
    for (int k = 0; k < 700; ++k) robot.step();
    EXPECT_GT(arm.commanded_position()[0], from + 1e-3);
    arm.move_to(home);
    robot.wait();
  }
}

TEST_F(Piecewise, DenseMilestonesAreOneMotionWhereCornersAreRounded) {
  // A turn of the first joint by 0.8 rad as a planner samples it, at 100 Hz.
  std::vector<Values> milestones;
  Values times;
  for (int k = 1; k <= 100; ++k) {
    const double s = 0.01 * k;
    milestones.push_back(home_with(from + 0.8 * s * s * s * (10.0 + s * (-15.0 + 6.0 * s))));
    times.push_back(s);
  }
  EXPECT_NE(told([&] {
              arm.set_piecewise_linear(times, milestones);
            }).find("rejected follow_plan (plan_"),
            std::string::npos)
      << "at rest in each of them";
  const double began = robot.clock();
  PiecewiseOptions rounded;
  rounded.rounds_corners = true;
  arm.set_piecewise_linear(times, milestones, rounded);
  double off = 0.0;
  double jump = 0.0;
  double last = 0.0;
  do {
    robot.step();
    const double s = std::min(robot.clock() - began, 1.0);
    const double wanted = from + 0.8 * s * s * s * (10.0 + s * (-15.0 + 6.0 * s));
    off = std::max(off, std::abs(arm.commanded_position()[0] - wanted));
    jump = std::max(jump, std::abs(arm.commanded_velocity()[0] - last));
    last = arm.commanded_velocity()[0];
  } while (robot.is_moving());
  EXPECT_LT(off, 2e-3 * 1.5 + 1e-4) << "two cycles at its greatest speed, 1.5 rad/s";
  EXPECT_LE(jump, robot.config().joints[0].limits.a_max * 1e-3 + 1e-9);
  EXPECT_NEAR(robot.clock(), began + 1.0, 5e-3);
}

TEST_F(Piecewise, AnAppendedWayOnWhichBodiesMeetIsRefusedAndTheMotionBeforeGoesOn) {
  put_a_ball();
  arm.set_piecewise_linear({1.0}, {home_with(from - 0.2)});
  arm.append_piecewise_cubic({1.0, 3.0}, {home_with(from), home_with(from + 1.3)}, {rest, rest});
  const std::string why = told([&] { robot.wait(); });
  EXPECT_NE(why.find("and ball"), std::string::npos) << why;
  EXPECT_NE(why.find("waypoint 2"), std::string::npos) << why;
  EXPECT_NEAR(arm.destination()[0], from - 0.2, 1e-9);
  robot.wait();
  EXPECT_NEAR(arm.commanded_position()[0], from - 0.2, 1e-9);
}

TEST_F(Piecewise, TimesOfTheClockAreKeptFromRestAndInTheMidstOfAnother) {
  for (int k = 0; k < 137; ++k) robot.step();
  const double start = robot.clock();
  arm.set_piecewise_linear({start + 0.6, start + 1.2},
                           {home_with(from + 0.2), home_with(from + 0.3)}, {{}, true});
  EXPECT_NEAR(arm.destination_time(), start + 1.2, 1e-9);
  const auto run_to = [&](double clock) {
    while (robot.clock() < clock - 1e-9) robot.step();
  };
  run_to(start + 0.6);
  EXPECT_NEAR(arm.commanded_position()[0], from + 0.2, 1e-6);
  run_to(start + 0.9);  // half of the way: at its peak speed
  arm.set_piecewise_cubic({start + 1.4, start + 2.0}, {home_with(from + 0.3), home}, {rest, rest},
                          {{}, true});
  EXPECT_NEAR(arm.destination_time(), start + 2.0, 1e-9);
  run_to(start + 1.4);
  EXPECT_NEAR(arm.commanded_position()[0], from + 0.3, 1e-5);
  run_to(start + 2.0);
  EXPECT_NEAR(arm.commanded_position()[0], from, 1e-5);
}

TEST_F(Piecewise, AClocksTimeThatHasPassedIsRefusedAndNothingIsSent) {
  for (int k = 0; k < 500; ++k) robot.step();
  const std::string why = told([&] {
    arm.set_piecewise_linear({0.25, 2.0}, {home, home}, {{}, true});
  });
  EXPECT_NE(why.find("a milestone's time of 0.25 s has passed"), std::string::npos) << why;
  EXPECT_FALSE(robot.is_moving());
}

}  // namespace
}  // namespace jointrig
