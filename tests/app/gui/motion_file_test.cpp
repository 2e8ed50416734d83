#include "app/gui/motion_file.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <numbers>

#include "app/gui/motion_reader.h"
#include "app/gui/motion_request.h"
#include "app/rig/rig.h"
#include "app/run/scenario_job.h"
#include "control/exchange/robot_client.h"
#include "gui/panel/tool_angles.h"
#include "harness/config/file_error.h"
#include "harness/runner/arm_command.h"
#include "harness/runner/interaction_setting.h"
#include "harness/runner/scenario_reader.h"
#include "harness/runner/signals.h"
#include "harness/runner/trajectory_command.h"
#include "tests/app/gui/scratch.h"
#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::app {
namespace {

struct MotionFileTest : ::testing::Test {
  static constexpr double kDegree = std::numbers::pi / 180.0;
  RobotConfig config = load_robot(harness::find_robot("franka")).config;
  testing::Scratch scratch;
  testing::RigWithPanel panel;  // of other joints: its desk alone is used

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
    list.goal_tolerance.resize(config.joints.size());
    list.goal_tolerance[joint_named(config, "panda_joint1")] = 0.01;
    list.execution = PlanExecution::kVelocity;
    return list;
  }
  static gui::MotionWaypoint pose(const gui::ToolNumbers& numbers) {
    gui::MotionWaypoint waypoint;
    waypoint.label = "pose";
    waypoint.tool = gui::MotionPose::at(gui::as_pose(numbers));
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
    list.bounds.corner_distance = 0.02;
    list.bounds.linear_speed = 0.1;
    list.bounds.rotational_speed = 0.5;
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
  EXPECT_EQ(is.bounds, was.bounds);
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
  EXPECT_NEAR(list.goal_tolerance[0].value(), 0.5 * kDegree, 1e-12);
  EXPECT_NEAR(list.goal_tolerance[6].value(), 0.5 * kDegree, 1e-12);
  EXPECT_FALSE(list.goal_tolerance[7].has_value()) << "a finger is none of the arm's";
  EXPECT_EQ(list.waypoints[0].label, "up");
  EXPECT_DOUBLE_EQ(list.waypoints[0].q[0].value(), 0.5);
  EXPECT_FALSE(list.waypoints[0].q[2].has_value());
  EXPECT_DOUBLE_EQ(list.waypoints[1].q[3].value(), -2.356194);
  EXPECT_DOUBLE_EQ(list.waypoints[1].speed.value(), 0.1);
  EXPECT_EQ(list.waypoints[1].pose, "home");
}

// All that a scenario can say --------------------------------------------------------------------

std::string text_of(const std::vector<double>& numbers) {
  std::string text = "[";
  for (const double number : numbers) text += fmt::format("{:.10g} ", number);
  return text + "]";
}
template <std::size_t n>
std::string text_of(const std::optional<std::array<double, n>>& numbers) {
  return numbers ? text_of(std::vector<double>(numbers->begin(), numbers->end())) : "-";
}
std::string text_of(const std::optional<double>& number) {
  return number ? fmt::format("{:.10g}", *number) : "-";
}

std::string text_of(const std::optional<SetInteractionControl>& control) {
  return control ? fmt::format("{} {}", control->arm, harness::written_text(*control)) : "-";
}

/// Everything in it, with ten digits: a joint's degrees are rounded once more on their way.
std::string text_of(const AskedTrajectory& asked) {
  std::string text = fmt::format(
      "joints {} times {} corners {} behind {} stays {} settling {:.10g} execution {} "
      "collisions {}\n",
      asked.joints.to_string(), asked.has_times, asked.rounds_corners, asked.brakes_behind,
      asked.nan_stays, asked.settling_time, to_string(asked.execution), asked.checks_collisions);
  for (const AskedTrajectory::Tolerance& one : asked.tolerances) {
    text += fmt::format("within {:.10g} {:.10g}\n", one.path, one.goal);
  }
  for (const AskedWaypoint& to : asked.waypoints) {
    text += fmt::format(
        "q {} speed {:.10g} {:.10g} time {:.10g} v {} a {} within {} a_max {} "
        "control {}\n",
        text_of(to.q), to.speed, to.acceleration, to.time, text_of(to.v), text_of(to.a),
        text_of(to.tolerance), text_of(to.a_max), text_of(to.interaction));
  }
  if (!asked.tool) return text;
  text += fmt::format("arm {} frame {} endpoint {} free {}\n", asked.tool->arm,
                      to_string(asked.tool->frame), asked.tool->endpoint,
                      to_string(asked.tool->free_rotation));
  for (const ArmWaypoint& to : asked.tool->waypoints) {
    text += fmt::format(
        "{} by {} {} turn {} corner {:.10g} {} {} {} {} ratios {:.10g} {:.10g} {} within {} "
        "control {}\n",
        text_of(to.position), text_of(to.by), text_of(to.orientation), text_of(to.turn),
        to.corner_distance, text_of(to.linear_speed), text_of(to.linear_acceleration),
        text_of(to.rotational_speed), text_of(to.rotational_acceleration), to.speed_ratio,
        to.acceleration_ratio, text_of(to.posture), text_of(to.tolerance), text_of(to.interaction));
  }
  return text;
}

/// The witness: a run of scenarios on a robot, which asks its planner.
class Asker {
 public:
  explicit Asker(const RobotConfig& config)
      : signals_(config), binder_(config, signals_, bounds_) {}

  [[nodiscard]] AskedTrajectory asked(const harness::TrajectoryStep& step) const {
    return harness::BoundTrajectory(step, binder_).asked();
  }
  [[nodiscard]] std::optional<SetInteractionControl> interaction(
      const harness::TrajectoryStep& step) const {
    if (step.interaction.empty()) return std::nullopt;
    const ArmIndex arm = harness::arm_of_interaction(
        step, step.interaction.front(), harness::BoundTrajectory(step, binder_).joints(),
        binder_.config());
    const harness::BoundArmCommand command(step.interaction.front(), arm, binder_);
    return std::get<SetInteractionControl>(command.make(0).request);
  }

 private:
  harness::SignalTable signals_;
  std::vector<harness::SignalBound> bounds_;
  harness::Binder binder_;
};

const harness::TrajectoryStep& trajectory_of(const harness::Scenario& scenario) {
  for (const harness::Step& step : scenario.steps) {
    if (const auto* found = std::get_if<harness::TrajectoryStep>(&step.what)) return *found;
  }
  throw std::runtime_error("no trajectory");
}

/// The list asks for what the step does.
void expect_asks_the_same(const gui::MotionList& list, const harness::TrajectoryStep& step,
                          const RobotConfig& config, const Asker& asker) {
  EXPECT_EQ(text_of(asked_of(list, config, false)), text_of(asker.asked(step)));
  EXPECT_EQ(list.interaction, asker.interaction(step));
  EXPECT_EQ(list.replaces, step.replace);
  EXPECT_EQ(list.waits, step.wait);
  for (std::size_t i = 0; i < step.waypoints.size(); ++i) {
    EXPECT_EQ(list.waypoints.at(i).label, step.waypoints[i].label);
  }
}

/// Read, written anew and read again it asks for the same each time.
void expect_kept(const harness::Step& step, const RobotConfig& config, const Asker& asker,
                 testing::Scratch& scratch) {
  const auto& trajectory = std::get<harness::TrajectoryStep>(step.what);
  MotionReader reader(config);
  reader.take(step);
  harness::Scenario named;
  named.name = "kept";
  const gui::MotionList list = reader.list(named);
  expect_asks_the_same(list, trajectory, config, asker);
  EXPECT_EQ(list.timeout, trajectory.timeout);
  const std::string text = to_scenario(list, config, "franka");
  const std::string file = scratch.write("kept.yaml", text);
  const harness::Scenario written = harness::read_scenarios(file).front();
  const harness::TrajectoryStep& again = trajectory_of(written);
  EXPECT_EQ(text_of(asker.asked(again)), text_of(asker.asked(trajectory))) << text;
  EXPECT_EQ(asker.interaction(again), asker.interaction(trajectory)) << text;
  EXPECT_EQ(again.timeout, trajectory.timeout);
  expect_asks_the_same(read_motion(file, config), again, config, asker);
}

TEST_F(MotionFileTest, EveryKeyOfATrajectoryIsReadAndWrittenWithoutLoss) {
  const std::string of_joints = "{panda_joint1: 0.5, panda_joint2: 10 deg}";
  const Asker asker(config);
  for (const std::string& text : {
           "{waypoints: [{time: 1 s, joints: " + of_joints +
               ", velocities: {panda_joint1: 0.2}, accelerations: {panda_joint1: 0.3}, tolerance: "
               "{panda_joint2: 2 deg}}, {time: 2.5 s, joints: {panda_joint1: 0.7}, velocities: "
               "{panda_joint1: 0}, accelerations: {panda_joint1: 0}}], path_tolerance: {arm: 3 "
               "deg}, settling_time: 250 ms}",
           "{waypoints: [{time: 1 s, joints: " + of_joints + "}, {time: 2 s, pose: home}]}",
           "{speed: 40 %, waypoints: [{joints: " + of_joints +
               ", acceleration: 20 %, max_acceleration: {panda_joint1: 3 rad/s^2}, tolerance: "
               "{panda_joint1: 1 deg}}, {pose: home, speed: 0.1}], goal_tolerance: {panda_joint1: "
               "1 "
               "deg, panda_joint2: 2 deg}, execution: position, replace: true, wait: false}",
           std::string("{arm: arm, waypoints: [{by: [0, 0, 1 cm]}, {turn: [0, 0, 10 deg]}, "
                       "{position: [0.4, 0.1, 0.5], label: 'there, at last'}, {by: [1 cm, 0, 0], "
                       "turn: [0.1, 0, 0], linear_speed: 5 cm/s, linear_acceleration: 0.3 m/s^2, "
                       "rotational_speed: 20 deg/s, rotational_acceleration: 1 rad/s^2, "
                       "corner_distance: 0, posture: {panda_joint3: 0.1}}], corner_distance: 1 cm, "
                       "linear_acceleration: 0.5 m/s^2, timeout: 12 s}"),
           std::string("{arm: arm, frame: tool, waypoints: [{by: [0, 0, -1 cm]}]}"),
           std::string("{arm: arm, waypoints: [{by: [0, 0, 1 cm], tolerance: {panda_joint1: 1 deg, "
                       "panda_joint4: 2 deg}}, {by: [0, 0, 1 cm]}]}"),
           std::string("{arm: arm, free_rotation: tool_z, waypoints: [{by: [0, 0, -1 cm]}]}"),
           std::string("{arm: arm, free_rotation: all, waypoints: [{by: [0, 0, -1 cm]}]}"),
           std::string(
               "{arm: arm, frame: world, endpoint: panda_link7, waypoints: [{orientation: [0, 1, "
               "0, 0]}], check_collisions: false}"),
           std::string("{arm: arm, waypoints: [{by: [0, 1 cm, 0]}], interaction: {axes: [force, "
                       "impedance, impedance, impedance, impedance, impedance], force: [5 N, 0, 0, "
                       "0, 0, 0], frame: tool, max_impedance: [false, true, true, true, true, "
                       "true], damping: [75 Ns/m, 75 Ns/m, 75 Ns/m, 3 Nms/rad, 3 Nms/rad, 3 "
                       "Nms/rad], keep_reference: true}}"),
           std::string("{interaction: {damping_ratio: 0.5, stiffness: [500 N/m, 400 N/m, 300 N/m, "
                       "25 Nm/rad, 20 Nm/rad, 15 Nm/rad], point: [0, 0, 5 cm], "
                       "posture_stiffness: [10, 10, 10, 10, 5, 5, 5]}, waypoints: [{joints: {arm: "
                       "0.1}}]}"),
           std::string("{arm: arm, waypoints: [{by: [0, 1 cm, 0]}, {by: [0, 1 cm, 0], interaction: "
                       "{stiffness: [500 N/m, 400 N/m, 300 N/m, 25 Nm/rad, 20 Nm/rad, 15 "
                       "Nm/rad], damping_ratio: 0.7}}]}"),
           std::string("{waypoints: [{joints: {arm: 0.1}, interaction: {force: [1 N, 0, 0, 0, 0, "
                       "0]}}, {joints: {arm: 0.2}, interaction: {active: false}}]}"),
           std::string("{interaction: {active: false}, waypoints: [{joints: {arm: 0.1}}]}"),
       }) {
    SCOPED_TRACE(text);
    const std::string file = scratch.write("one.yaml",
                                           "schema: 1\nscenario: one\nrobot: franka\nsteps:\n  - "
                                           "trajectory: " +
                                               text + "\n");
    expect_kept(harness::read_scenarios(file).front().steps.front(), config, asker, scratch);
  }
}

TEST_F(MotionFileTest, WithEveryRotationFreeOrientationsAreNotAskedForAndWithNoneTheyAreAgain) {
  gui::MotionList list = of_tool();
  list.free_rotation = FreeRotation::kAll;
  const AskedTrajectory free = asked_of(list, config, false);
  for (const ArmWaypoint& waypoint : free.tool->waypoints) {
    EXPECT_TRUE(waypoint.position);
    EXPECT_FALSE(waypoint.orientation || waypoint.turn);
  }
  const gui::MotionList kept = again(list);  // its file would be refused with an orientation
  EXPECT_EQ(kept.free_rotation, FreeRotation::kAll);
  ASSERT_EQ(kept.waypoints.size(), 2U);
  EXPECT_FALSE(kept.waypoints[0].tool->orientation);
  list.free_rotation = FreeRotation::kToolZ;
  const AskedTrajectory held = asked_of(list, config, false);
  for (const ArmWaypoint& waypoint : held.tool->waypoints) {
    EXPECT_TRUE(waypoint.orientation);
  }
}

TEST_F(MotionFileTest, EveryTrajectoryOfTheProjectsScenariosIsReadAndWrittenWithoutLoss) {
  std::map<std::string, std::pair<RobotConfig, std::unique_ptr<Asker>>> robots;
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator("scenarios/motion")) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path().string());
    const harness::Scenario scenario = harness::read_scenarios(entry.path()).front();
    for (const harness::Step& step : scenario.steps) {
      if (!std::holds_alternative<harness::TrajectoryStep>(step.what)) continue;
      const std::string& robot = scenario.robot.text();
      if (robots.count(robot) == 0) {
        auto& [its, asker] = robots[robot];
        its = load_robot(harness::find_robot(robot)).config;
        asker = std::make_unique<Asker>(its);
      }
      expect_kept(step, robots.at(robot).first, *robots.at(robot).second, scratch);
      ++seen;
    }
  }
  EXPECT_GE(seen, 25);
}

TEST_F(MotionFileTest, SavedToItsFileOnlyTheTrajectoryChanges) {
  const std::string head = R"(# why this one is here
schema: 1
scenario: by_hand   # its name
about: kept
tags: [mine]
robot: franka
setup:
  - set_mode: {joints: arm, mode: cartesian}
steps:
  - wait: 200 ms
  - name: the way
    trajectory:)";
  const std::string old_way = R"(
      speed: 40 %
      waypoints:  # two
        - {label: up, joints: {panda_joint1: 0.5}}
        - joints:
            panda_joint1: 0.25
)";
  const std::string tail = R"(  - wait: 1 s  # it settles

assert:
  at_end:
    - {expr: "abs(panda_joint1.q - 0.25) < 0.01"}
)";
  gui::MotionDesk& desk = panel.desks.motion;
  desk.file = scratch.write("by_hand.yaml", head + old_way + tail);
  desk.opened(read_motion(desk.file, config));
  desk.table.list.waypoints[1].q[0] = 0.75;
  desk.table.list.waypoints[1].tolerance = {0.01};
  save_motion(desk, config, "franka");
  const std::string saved = scratch.read("by_hand.yaml");
  EXPECT_EQ(saved.substr(0, head.size()), head);
  EXPECT_EQ(saved.substr(saved.size() - tail.size()), tail);
  const gui::MotionList again = read_motion(desk.file, config);
  EXPECT_EQ(again.waypoints[1].q[0], 0.75);
  EXPECT_EQ(again.waypoints[1].tolerance[0], 0.01);
  EXPECT_EQ(again.waypoints[0], desk.table.list.waypoints[0]);
  EXPECT_EQ(again.name, "by_hand");

  desk.file = scratch.path("another.yaml");
  save_motion(desk, config, "franka");
  EXPECT_TRUE(asks_the_same(read_motion(desk.file, config), again));
}

TEST_F(MotionFileTest, AFileWhoseTrajectoryCantBeReplacedAloneIsNotSavedOver) {
  const std::string text = R"(schema: 1
scenario: swept
robot: franka
parameters: {far: 0.5}
steps:
  - trajectory: {waypoints: [{joints: {panda_joint1: "${far}"}}]}
)";
  gui::MotionDesk& desk = panel.desks.motion;
  desk.file = scratch.write("swept.yaml", text);
  desk.opened(read_motion(desk.file, config));
  try {
    save_motion(desk, config, "franka");
    ADD_FAILURE() << "saved";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("save it under another name"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(scratch.read("swept.yaml"), text);
}

TEST_F(MotionFileTest, WhatThePanelHasNoPlaceForIsRefusedWithItsPlace) {
  const std::string way = "waypoints: [{joints: {panda_joint1: 0.5}}]";
  for (const auto& [text, word] : {
           std::pair{"  - trajectory: {" + way + "}\n  - trajectory: {" + way + "}\n", "second"},
           std::pair{std::string("  - move: {joints: {panda_joint1: 0.5}}\n"), "beside"},
           std::pair{std::string("  - wait: 1 s\n"), "no step"},
           std::pair{std::string("  - trajectory: {waypoints: [{joints: {panda_jiont1: 0.5}}]}\n"),
                     "panda_joint1"},
           std::pair{std::string("  - trajectory: {waypoints: [{joints: {panda_joint1: "
                                 "panda_joint2.q}}]}\n"),
                     "computed while the scenario runs"},
           std::pair{"  - trajectory: {interaction: {force: [1 N, 0, 0, 0, 0, 0]}, " + way + "}\n",
                     "all joints of an arm"},
       }) {
    SCOPED_TRACE(text);
    const std::string why = why_not(text);
    EXPECT_NE(why.find(word), std::string::npos) << why;
    EXPECT_NE(why.find("other.yaml"), std::string::npos) << why;
  }
}

}  // namespace
}  // namespace jointrig::app
