#include "app/gui/motion_file.h"

#include <gtest/gtest.h>

#include <numbers>

#include "app/rig/rig.h"
#include "app/run/scenario_job.h"
#include "control/exchange/robot_client.h"
#include "gui/panel/tool_angles.h"
#include "harness/config/file_error.h"
#include "harness/runner/scenario_reader.h"
#include "tests/app/gui/scratch.h"

namespace jointrig::app {
namespace {

struct MotionFileTest : ::testing::Test {
  static constexpr double kDegree = std::numbers::pi / 180.0;
  RobotConfig config = load_robot(harness::find_robot("franka")).config;
  testing::Scratch scratch;

  [[nodiscard]] gui::MotionWaypoint joints(const std::string& label, double shoulder,
                                           double elbow) const {
    gui::MotionWaypoint waypoint;
    waypoint.label = label;
    waypoint.q.resize(config.joints.size());
    waypoint.q[joint_named(config, "panda_joint1")] = shoulder * kDegree;
    waypoint.q[joint_named(config, "panda_joint4")] = elbow * kDegree;
    return waypoint;
  }
  [[nodiscard]] gui::MotionList of_joints() const {
    gui::MotionList list;
    list.name = "reach";
    list.waypoints = {joints("over: the \"bin\"", -30.25, -110.0), joints("", 40.0, -120.5)};
    list.waypoints[1].speed = 0.25;
    list.speed = 0.5;
    list.acceleration = 0.75;
    list.checks_collisions = false;
    list.goal_tolerance = {0.01, 0.0};
    list.execution = PlanExecution::kVelocity;
    return list;
  }
  static gui::MotionWaypoint pose(const gui::ToolNumbers& numbers) {
    gui::MotionWaypoint waypoint;
    waypoint.label = "pose";
    waypoint.tool = gui::as_pose(numbers);
    return waypoint;
  }
  [[nodiscard]] gui::MotionList of_tool() const {
    gui::MotionList list;
    list.name = "lines";
    list.arm = 0;
    list.waypoints = {pose({0.45, 0.2, 0.5, std::numbers::pi, 0.0, 0.0}),
                      pose({0.45, 0.2, 0.4, std::numbers::pi, 0.0, 0.3})};
    list.waypoints[1].q.resize(config.joints.size());
    list.waypoints[1].q[joint_named(config, "panda_joint3")] = 10.0 * kDegree;
    list.corner_distance = 0.02;
    list.linear_speed = 0.1;
    list.rotational_speed = 0.5;
    list.speed = list.acceleration = 1.0;
    return list;
  }
  gui::MotionList again(const gui::MotionList& list) {
    const std::string text = to_scenario(list, config, "franka");
    return read_motion(scratch.write(list.name + ".yaml", text), config);
  }
  std::string why_not(const std::string& steps) {
    const std::string file =
        scratch.write("other.yaml", "schema: 1\nscenario: other\nrobot: franka\nsteps:\n" + steps);
    try {
      static_cast<void>(read_motion(file, config));
    } catch (const std::exception& error) {
      return error.what();
    }
    return {};
  }
};

void expect_same(const gui::MotionList& is, const gui::MotionList& was) {
  EXPECT_EQ(is.name, was.name);
  EXPECT_EQ(is.arm, was.arm);
  EXPECT_EQ(is.speed, was.speed);
  EXPECT_EQ(is.acceleration, was.acceleration);
  EXPECT_EQ(is.checks_collisions, was.checks_collisions);
  EXPECT_EQ(is.goal_tolerance, was.goal_tolerance);
  EXPECT_EQ(is.execution, was.execution);
  EXPECT_EQ(is.corner_distance, was.corner_distance);
  EXPECT_EQ(is.linear_speed, was.linear_speed);
  EXPECT_EQ(is.rotational_speed, was.rotational_speed);
  ASSERT_EQ(is.waypoints.size(), was.waypoints.size());
  for (std::size_t n = 0; n < is.waypoints.size(); ++n) {
    SCOPED_TRACE(n);
    EXPECT_EQ(is.waypoints[n].label, was.waypoints[n].label);
    EXPECT_EQ(is.waypoints[n].speed, was.waypoints[n].speed);
    EXPECT_EQ(is.waypoints[n].tool, was.waypoints[n].tool);
    ASSERT_EQ(is.waypoints[n].q.size(), was.waypoints[n].q.size());
    for (std::size_t i = 0; i < is.waypoints[n].q.size(); ++i) {
      ASSERT_EQ(is.waypoints[n].q[i].has_value(), was.waypoints[n].q[i].has_value());
      EXPECT_NEAR(is.waypoints[n].q[i].value_or(0.0), was.waypoints[n].q[i].value_or(0.0), 1e-12);
    }
  }
}

TEST_F(MotionFileTest, WhatIsSavedIsOpenedAgainTheSame) {
  expect_same(again(of_joints()), of_joints());
  expect_same(again(of_tool()), of_tool());
}

TEST_F(MotionFileTest, RunHeadlessItPassesAndTheRobotGetsThere) {
  const std::string file = scratch.write(
      "reach.yaml", to_scenario(of_joints(), config, "franka") +
                        "  at_end:\n    - {expr: abs(panda_joint4.q + 120.5 deg) < 0.6 deg}\n"
                        "    - {expr: abs(panda_joint1.q - 40 deg) < 0.6 deg}\n");
  const JobResult job = run_scenario(harness::read_scenarios(file).front(), JobOptions{});
  EXPECT_EQ(job.result.outcome, harness::Outcome::kPassed) << job.result.reason;
}

TEST_F(MotionFileTest, APathOfAToolRunsHeadlessToo) {
  const std::string file = scratch.write("lines.yaml", to_scenario(of_tool(), config, "franka"));
  const JobResult job = run_scenario(harness::read_scenarios(file).front(), JobOptions{});
  EXPECT_EQ(job.result.outcome, harness::Outcome::kPassed) << job.result.reason;
}

TEST_F(MotionFileTest, AHandWrittenTrajectoryIsOpened) {
  const std::string file = scratch.write("hand.yaml", R"(schema: 1
scenario: by_hand
robot: franka
steps:
  - wait: 200 ms
  - trajectory:
      speed: 40 %
      goal_tolerance: {arm: 0.5 deg}
      waypoints:
        - {label: up, joints: {panda_joint1: 0.5, panda_joint2: 10 deg}}
        - {pose: home, speed: 10 %}
)");
  const gui::MotionList list = read_motion(file, config);
  ASSERT_EQ(list.waypoints.size(), 2U);
  EXPECT_DOUBLE_EQ(list.speed, 0.4);
  EXPECT_DOUBLE_EQ(list.acceleration, 1.0);
  EXPECT_NEAR(list.goal_tolerance[0], 0.5 * kDegree, 1e-12);
  EXPECT_EQ(list.waypoints[0].label, "up");
  EXPECT_DOUBLE_EQ(list.waypoints[0].q[0].value(), 0.5);
  EXPECT_FALSE(list.waypoints[0].q[2].has_value());
  EXPECT_DOUBLE_EQ(list.waypoints[1].q[3].value(), -2.356194);
  EXPECT_DOUBLE_EQ(list.waypoints[1].speed.value(), 0.1);
}

TEST_F(MotionFileTest, WhatThePanelHasNoPlaceForIsRefusedWithItsPlace) {
  const std::string way = "waypoints: [{joints: {panda_joint1: 0.5}}]";
  for (const auto& [text, word] : {
           std::pair{"  - trajectory: {replace: true, " + way + "}\n", "replace"},
           std::pair{"  - trajectory: {path_tolerance: {arm: 1 deg}, " + way + "}\n",
                     "path_tolerance"},
           std::pair{"  - trajectory: {settling_time: 2 s, " + way + "}\n", "settling_time"},
           std::pair{std::string("  - trajectory: {waypoints: [{joints: {panda_joint1: 0.5}, "
                                 "tolerance: {panda_joint1: 1 deg}}]}\n"),
                     "tolerance of a waypoint"},
           std::pair{std::string("  - trajectory: {waypoints: [{joints: {panda_joint1: 0.5}, "
                                 "max_acceleration: {panda_joint1: 1 rad/s^2}}]}\n"),
                     "max_acceleration"},
           std::pair{std::string("  - trajectory: {waypoints: [{time: 1 s, joints: "
                                 "{panda_joint1: 0.5}}]}\n"),
                     "time"},
           std::pair{std::string("  - trajectory: {arm: arm, waypoints: [{by: [0, 0, 1 cm]}]}\n"),
                     "by"},
           std::pair{"  - trajectory: {" + way + "}\n  - trajectory: {" + way + "}\n", "second"},
           std::pair{std::string("  - move: {joints: {panda_joint1: 0.5}}\n"), "beside"},
           std::pair{std::string("  - wait: 1 s\n"), "no step"},
           std::pair{std::string("  - trajectory: {waypoints: [{joints: {panda_jiont1: 0.5}}]}\n"),
                     "panda_joint1"},
       }) {
    SCOPED_TRACE(text);
    const std::string why = why_not(text);
    EXPECT_NE(why.find(word), std::string::npos) << why;
    EXPECT_NE(why.find("other.yaml"), std::string::npos) << why;
  }
}

}  // namespace
}  // namespace jointrig::app
