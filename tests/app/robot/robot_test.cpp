// The robot that a program holds, on backends kinematic, sim and boards.

#include "app/robot/robot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "control/exchange/robot_client.h"

namespace jointrig {
namespace {

using Values = std::vector<double>;

/// The way that a program takes on each backend. A joint's sensed position may differ from its
/// reference by `follows` there: on kinematic by what it moves in the delay of a cycle.
struct Place {
  const char* backend;
  double follows;              // [rad]
  const char* told = backend;  // its name once it runs
};

class OnBackends : public testing::TestWithParam<Place> {
 protected:
  OnBackends() : robot("franka", {.backend = GetParam().backend}), arm(robot.part("arm")) {
    robot.initialize();
  }
  void run(double seconds) {
    const double end = robot.clock() + seconds - 1e-9;
    while (robot.clock() < end) robot.step();
  }
  void expect_near(const Values& a, const Values& b, double tolerance) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
  }
  Robot robot;
  RobotPart arm;
};
INSTANTIATE_TEST_SUITE_P(Robot, OnBackends,
                         testing::Values(Place{"kinematic", 3e-3}, Place{"sim", 3e-3},
                                         Place{"boards", 3e-3, "hw"}),
                         [](const auto& place) { return std::string(place.param.backend); });

TEST_P(OnBackends, InitializeHoldsTheRobotWhereItStands) {
  EXPECT_EQ(robot.status(), "ok");
  EXPECT_EQ(robot.backend(), GetParam().told);
  EXPECT_DOUBLE_EQ(robot.control_rate(), 1000.0);
  const Values here = robot.sensed_position();
  run(0.3);
  expect_near(robot.sensed_position(), here, 1e-4);
  EXPECT_FALSE(robot.is_moving());
}

TEST_P(OnBackends, WaitReturnsWhenTheMoveHasArrivedAndNotBefore) {
  Values goal = arm.commanded_position();
  goal[0] += 0.3;
  goal[3] -= 0.2;
  arm.move_to(goal, 0.4);
  EXPECT_EQ(arm.destination(), goal);
  const double expected = arm.destination_time();
  // By hand: a path of least jerk of d = 0.3 at a peak of 0.4 · 2.175 rad/s takes 15/8 d / v; its
  // acceleration, 10/√3 d/T² = 4.2, is below the joint's 15 rad/s².
  EXPECT_NEAR(expected - robot.clock(), 15.0 / 8.0 * 0.3 / (0.4 * 2.175), 2e-3);
  robot.wait();
  EXPECT_NEAR(robot.clock(), expected, 5e-3);
  expect_near(arm.commanded_position(), goal, 1e-9);
  expect_near(arm.sensed_position(), goal, GetParam().follows);
}

TEST_P(OnBackends, AVelocityWithTimeToLiveGoesItsWayAndHolds) {
  const double q = arm.commanded_position()[0];
  Values v(arm.joint_count(), 0.0);
  v[0] = 0.5;
  arm.set_velocity(v, 0.4);
  robot.wait();
  // It ramps up and down at the same acceleration: the way is that of a velocity without ramps.
  EXPECT_NEAR(arm.commanded_position()[0], q + 0.5 * 0.4, 1e-3);
  const Values held = arm.commanded_position();
  run(0.5);
  expect_near(arm.commanded_position(), held, 1e-12);
  expect_near(arm.sensed_position(), held, GetParam().follows);
}

TEST_P(OnBackends, AVelocityWithoutTimeToLiveGoesOnBeyondTheCommandTimeout) {
  const double q = arm.commanded_position()[0];
  Values v(arm.joint_count(), 0.0);
  v[0] = 0.2;
  arm.set_velocity(v);
  run(1.0);
  EXPECT_NEAR(arm.commanded_velocity()[0], 0.2, 1e-9);
  // Less what the ramp loses: v²/2a.
  EXPECT_NEAR(arm.commanded_position()[0], q + 0.2 - 0.04 / 30.0, 1e-3);
  EXPECT_THROW(robot.wait(), std::runtime_error);
  arm.stop();
  robot.wait();
  EXPECT_EQ(arm.commanded_velocity()[0], 0.0);
}

TEST_P(OnBackends, APositionIsReachedAtOnceAndHeld) {
  Values q = arm.commanded_position();
  q[1] += 0.1;
  arm.set_position(q);
  robot.wait();
  expect_near(arm.commanded_position(), q, 2e-6);
  run(0.5);
  expect_near(arm.sensed_position(), q, GetParam().follows);
}

TEST_P(OnBackends, ARefusedCommandSaysWhyAndChangesNothing) {
  Values goal = arm.commanded_position();
  goal[0] += 0.4;
  arm.move_to(goal, 0.2);
  run(0.2);
  Values far = goal;
  far[3] = 1.0;  // the elbow ends at -4°
  Values fast(arm.joint_count(), 0.0);
  fast[2] = 50.0;
  const Values not_a_number(arm.joint_count(), std::nan(""));
  const auto told = [](const auto& command) -> std::string {
    try {
      command();
    } catch (const Refused& refused) {
      return refused.what();
    }
    return "not refused";
  };
  EXPECT_NE(told([&] { arm.move_to(far); }).find("panda_joint4: rejected move (out_of_range)"),
            std::string::npos);
  EXPECT_NE(told([&] { arm.set_position(far); }).find("panda_joint4: rejected stream_position"),
            std::string::npos);
  EXPECT_NE(told([&] { arm.set_velocity(fast, 1.0); }).find("panda_joint3: rejected velocity"),
            std::string::npos);
  EXPECT_NE(told([&] { arm.set_torque(not_a_number); }).find("not_finite"), std::string::npos);
  EXPECT_NE(told([&] { arm.set_piecewise_linear({1.0}, {far}); }).find("plan_position"),
            std::string::npos);
  EXPECT_NE(told([&] { arm.set_piecewise_linear({1e-3}, {goal}); }).find("follow_plan"),
            std::string::npos);
  EXPECT_THROW(arm.move_to({0.0}), std::invalid_argument);
  EXPECT_THROW(arm.move_to(goal, 1.5), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(robot.part("amr")), std::invalid_argument);
  robot.wait();  // the move that was there goes on
  expect_near(arm.commanded_position(), goal, 1e-9);
}

TEST_P(OnBackends, APiecewiseCubicPassesItsPointsAtItsTimesWithItsVelocities) {
  const Values start = arm.commanded_position();
  std::vector<Values> q(3, start);
  std::vector<Values> v(3, Values(arm.joint_count(), 0.0));
  q[0][0] += 0.2;
  v[0][0] = 0.3;
  q[1][0] += 0.3;
  q[1][1] -= 0.1;
  v[1][1] = -0.1;
  q[2][1] -= 0.15;
  const Values times{0.8, 1.6, 2.6};
  const double begin = robot.clock();
  arm.set_piecewise_cubic(times, q, v);
  EXPECT_NEAR(arm.destination_time(), begin + 2.6, 1e-9);
  for (std::size_t k = 0; k < times.size(); ++k) {
    while (robot.clock() < begin + times[k] - 1e-9) robot.step();
    // Half a cycle of either side, at up to 0.5 rad/s and 3 rad/s².
    expect_near(arm.commanded_position(), q[k], 0.5e-3 * 0.5);
    expect_near(arm.commanded_velocity(), v[k], 0.5e-3 * 3.0);
    expect_near(arm.sensed_position(), q[k], GetParam().follows);
  }
  robot.wait();
  expect_near(arm.commanded_position(), q[2], 1e-9);
}

TEST_P(OnBackends, APiecewiseLinearGoesStraightAndAnAppendedOneBeginsAtItsEnd) {
  const Values start = arm.commanded_position();
  Values first = start;
  first[0] += 0.2;
  first[1] += 0.1;
  const double begin = robot.clock();
  arm.set_piecewise_linear({0.0, 1.0}, {start, first});
  arm.append_piecewise_linear({0.8}, {start});
  EXPECT_EQ(arm.destination(), start);
  EXPECT_NEAR(arm.destination_time(), begin + 1.8, 1e-9);
  while (robot.clock() < begin + 1.0 - 1e-9) {
    robot.step();
    const Values q = arm.commanded_position();
    EXPECT_NEAR(q[0] - start[0], 2.0 * (q[1] - start[1]), 1e-9);
  }
  expect_near(arm.commanded_position(), first, 1e-6);
  robot.wait();
  expect_near(arm.commanded_position(), start, 1e-9);
  EXPECT_NEAR(robot.clock(), begin + 1.8, 5e-3);
}

TEST_P(OnBackends, AMotionIsReplacedInItsMidstWithoutAStep) {
  const Values start = arm.commanded_position();
  Values there = start;
  there[0] += 0.4;
  arm.set_piecewise_linear({1.0}, {there});
  run(0.5);
  const double now = robot.clock();
  arm.set_piecewise_cubic({1.5}, {start}, {Values(arm.joint_count(), 0.0)});
  double last = arm.commanded_velocity()[0];
  while (robot.is_moving() || robot.clock() < now + 0.1) {
    robot.step();
    const double v = arm.commanded_velocity()[0];
    EXPECT_LE(std::abs(v - last), 15.0 * 1e-3 + 1e-9);  // its acceleration_max
    last = v;
  }
  EXPECT_NEAR(robot.clock(), now + 1.5, 5e-3);
  expect_near(arm.commanded_position(), start, 1e-9);
}

TEST_P(OnBackends, AnEmergencyStopBrakesAndRefusesUntilItIsReset) {
  Values goal = arm.commanded_position();
  goal[0] += 1.0;
  arm.move_to(goal);
  run(0.3);
  robot.estop();
  EXPECT_NE(robot.status().find("emergency stop"), std::string::npos);
  EXPECT_THROW(arm.move_to(goal), Refused);
  robot.wait();
  EXPECT_LT(arm.commanded_position()[0], goal[0] - 0.2);
  robot.reset();
  EXPECT_EQ(robot.status(), "ok");
  arm.move_to(goal);
  robot.wait();
  expect_near(arm.commanded_position(), goal, 1e-9);
}

TEST_P(OnBackends, AnEmergencyStopGoesOutThoughTheInboxIsFull) {
  arm.set_velocity(Values(arm.joint_count(), 0.3));
  run(0.5);
  const auto fill = [&] {
    const Values gains(arm.joint_count(), 1.0);
    for (int i = 0; i < 1000; ++i) arm.set_pid_gains(gains, gains, gains);
  };
  EXPECT_THROW(fill(), Refused) << "no command has room any more";
  robot.estop();
  for (int i = 0; i < 700; ++i) {
    try {
      robot.step();
    } catch (const Refused&) {  // of the gains
    }
  }
  for (const double v : arm.commanded_velocity()) EXPECT_EQ(v, 0.0);
}

TEST(Robot, ComesOnAStepAtATimeAndAStopComesBetween) {
  Robot robot("franka", {.backend = "kinematic"});
  EXPECT_FALSE(robot.come_on(5.0));
  robot.step();
  robot.estop();
  EXPECT_THROW(robot.come_on(5.0), Refused);
}

TEST_P(OnBackends, PartsMoveApartFromOneAnother) {
  RobotPart hand = robot.part("hand");
  EXPECT_EQ(hand.joint_names(), std::vector<std::string>{"panda_finger_joint1"});
  Values goal = arm.commanded_position();
  goal[0] += 0.2;
  arm.set_piecewise_linear({1.0}, {goal});
  hand.move_to({0.01});
  robot.wait();
  expect_near(arm.commanded_position(), goal, 1e-9);
  EXPECT_NEAR(hand.commanded_position()[0], 0.01, 1e-9);
  EXPECT_EQ(robot.joint_count(), arm.joint_count() + hand.joint_count());
}

TEST_P(OnBackends, APartOfOnesOwnIsOneOfTheRobot) {
  RobotPart wrist = robot.add_part("wrist", {"panda_joint7", "panda_joint5"});
  EXPECT_EQ(wrist.joint_names(), (std::vector<std::string>{"panda_joint5", "panda_joint7"}));
  Values goal = wrist.commanded_position();
  goal[1] += 0.2;
  const Values before = robot.commanded_position();
  robot.part("wrist").move_to(goal);
  robot.wait();
  Values expected = before;
  expected[6] += 0.2;
  expect_near(robot.commanded_position(), expected, 1e-6);
  const std::vector<std::string> names = robot.part_names();
  EXPECT_NE(std::find(names.begin(), names.end(), "wrist"), names.end());
  EXPECT_THROW(robot.add_part("wrist", {"panda_joint1"}), std::invalid_argument);
  EXPECT_THROW(robot.add_part("arm", {"panda_joint1"}), std::invalid_argument);
  EXPECT_THROW(robot.add_part("none", {}), std::invalid_argument);
  EXPECT_THROW(robot.add_part("other", {"panda_joint77"}), UnknownName);
}

TEST_P(OnBackends, AStepRunsItsCycleThoughTheFunctionThrows) {
  const double before = robot.clock();
  int calls = 0;
  robot.step([&] { ++calls; });
  EXPECT_THROW(robot.step([&] { throw std::domain_error("no idea"); }), std::domain_error);
  EXPECT_EQ(calls, 1);
  EXPECT_NEAR(robot.clock() - before, 2.0 / robot.control_rate(), 1e-9);
  EXPECT_THROW(robot.step([&] {
    Values q = arm.commanded_position();
    q[3] = 1.0;  // the elbow ends at -4 degrees
    arm.set_position(q);
  }),
               Refused);
  robot.step();
}

TEST_P(OnBackends, ATimedRunCountsTheStepsAndThoseThatTookTooLong) {
  int calls = 0;
  const TimedRun run = run_timed(robot, [&](Robot&) {
    if (++calls == 3) std::this_thread::sleep_for(std::chrono::milliseconds(3));
    return calls < 10;
  });
  EXPECT_EQ(run.steps, 10U);
  EXPECT_GE(run.overruns, 1U);
  EXPECT_GE(run.longest, 3e-3);
}

TEST_P(OnBackends, EqualProgramsGiveEqualRuns) {
  const auto hash = [] {
    Robot other("franka", {.backend = GetParam().backend});
    other.initialize();
    Values v(other.joint_count(), 0.0);
    v[1] = -0.2;
    other.set_velocity(v, 0.2);
    other.wait();
    return other.hash();
  };
  EXPECT_EQ(hash(), hash());
}

TEST(RobotOnSim, ATorqueWithTimeToLiveEndsInAHold) {
  Robot robot("franka", {.backend = "sim"});
  robot.initialize();
  RobotPart arm = robot.part("arm");
  const double q = arm.sensed_position()[0];
  Values tau(arm.joint_count(), 0.0);
  tau[0] = 6.0;  // N·m about the vertical axis
  arm.set_torque(tau, 0.2);
  for (int i = 0; i < 150; ++i) robot.step();
  EXPECT_EQ(robot.snapshot().joints[arm.indices()[0]].mode, JointMode::kTorque);
  EXPECT_GT(arm.sensed_velocity()[0], 0.1);
  robot.wait();
  EXPECT_EQ(robot.snapshot().joints[arm.indices()[0]].mode, JointMode::kPosition);
  EXPECT_GT(arm.sensed_position()[0], q + 0.01);
  const Values held = arm.commanded_position();
  for (int i = 0; i < 1000; ++i) robot.step();
  EXPECT_NEAR(arm.sensed_position()[0], held[0], 1e-3);
}

TEST(RobotOnKinematic, ATorqueIsRefusedByTheLoopAndNothingMoves) {
  Robot robot("franka", {.backend = "kinematic"});
  robot.initialize();
  const Values here = robot.commanded_position();
  robot.begin_step();
  robot.set_torque(Values(robot.joint_count(), 0.0));
  try {
    robot.end_step();
    FAIL() << "not refused";
  } catch (const Refused& refused) {
    EXPECT_NE(std::string(refused.what()).find("unsupported"), std::string::npos) << refused.what();
  }
  robot.step();  // once: the torque isn't sent again
  EXPECT_EQ(robot.commanded_position(), here);
  EXPECT_FALSE(robot.is_moving());
}

TEST(RobotOptions, ABackendThatIsNotThereIsToldWithThoseThatAre) {
  try {
    const Robot robot("franka", {.backend = "simm"});
    FAIL() << "taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("sim, kinematic, boards, hw"), std::string::npos);
  }
}

TEST(RobotSteps, BeginAndEndComeInTurn) {
  Robot robot("franka", {.backend = "kinematic"});
  EXPECT_THROW(robot.end_step(), std::logic_error);
  robot.begin_step();
  EXPECT_THROW(robot.begin_step(), std::logic_error);
  EXPECT_THROW(robot.wait(), std::logic_error);
  const double before = robot.clock();
  robot.end_step();
  EXPECT_NEAR(robot.clock(), before + 1e-3, 1e-12);
}

}  // namespace
}  // namespace jointrig
