// The motions of a program on arms that others publish, with their physics, on sim and on boards:
// robosuite's UR5e and KUKA LBR iiwa, and its Franka Hand.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "app/robot/filters.h"
#include "app/robot/robot.h"
#include "app/robot/robot_arm.h"
#include "app/robot/robot_core.h"
#include "app/robot/robot_gripper.h"
#include "tests/control/discovery/published_models.h"
#include "tests/support/temp_model.h"
#include "tests/support/told.h"

namespace jointrig {
namespace {

using Values = std::vector<double>;

struct Published {
  const char* name;
  std::vector<std::string> joints;
  Values start;  ///< bent, so that the tool can go anywhere
};

const std::vector<Published> kArms{
    {"ur5e",
     {"shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint", "wrist_2_joint",
      "wrist_3_joint"},
     {0.0, -1.4, 1.9, -2.0, -1.5708, 0.0}},
    {"iiwa",
     {"joint_1", "joint_2", "joint_3", "joint_4", "joint_5", "joint_6", "joint_7"},
     {0.0, 0.65, 0.0, -1.89, 0.0, 0.6, 0.0}}};

std::filesystem::path assets() { return testing::package_folder("robosuite") / "models/assets"; }

std::string model_of(const Published& arm) {
  return (assets() / "robots" / arm.name / "robot.xml").string();
}

std::string settings_of(const Published& arm) {
  std::string start;
  for (std::size_t i = 0; i < arm.joints.size(); ++i) {
    start +=
        (i == 0 ? "" : ", ") + arm.joints[i] + ": {start: " + std::to_string(arm.start[i]) + "}";
  }
  return "joints: {" + start + "}\n";
}

RobotOptions options_of(const Published& arm, const char* backend) {
  return {.backend = backend,
          .settings = settings_of(arm),
          .arms = {{.name = "arm", .joints = arm.joints, .tool = "right_hand"}}};
}

using Case = std::tuple<Published, const char*>;

class PublishedArm : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(model_of(published()))) {
      GTEST_SKIP() << "robosuite is not installed: scripts/test.sh does it";
    }
    robot = std::make_unique<Robot>(model_of(published()), options_of(published(), backend()));
    robot->initialize();
    arm = std::make_unique<RobotArm>(robot->arm("arm"));
    home = arm->commanded_position();
    rest = Values(home.size(), 0.0);
    for (const JointIndex joint : arm->indices()) {
      v_max.push_back(robot->config().joints[joint].limits.v_max);
      a_max.push_back(robot->config().joints[joint].limits.a_max);
    }
    q_was = home;
    v_was = rest;
  }
  [[nodiscard]] static const Published& published() { return std::get<0>(GetParam()); }
  [[nodiscard]] static const char* backend() { return std::get<1>(GetParam()); }

  [[nodiscard]] Values home_with(double first, double third = 0.0) const {
    Values q = home;
    q[0] += first;
    q[2] += third;
    return q;
  }
  /// A step, whose references differ from the last one's by no more than the limits allow.
  void step() {
    robot->step();
    const double dt = 1.0 / robot->control_rate();
    const Values q = arm->commanded_position();
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double v = (q[i] - q_was[i]) / dt;
      const double a = (v - v_was[i]) / dt;
      most_v = std::max(most_v, std::abs(v) / v_max[i]);
      most_a = std::max(most_a, std::abs(a) / a_max[i]);
      behind = std::max(behind, std::abs(q[i] - arm->sensed_position()[i]));
      q_was[i] = q[i];
      v_was[i] = v;
    }
  }
  void run() {
    do {
      step();
    } while (robot->is_moving());
  }
  void expect_within_limits() const {
    EXPECT_LE(most_v, 1.0 + 1e-6);
    EXPECT_LE(most_a, 1.0 + 1e-3);
  }
  void expect_at(const Values& q, double reference, double sensed) {
    for (std::size_t i = 0; i < q.size(); ++i) {
      EXPECT_NEAR(arm->commanded_position()[i], q[i], reference) << i;
      EXPECT_NEAR(arm->sensed_position()[i], q[i], sensed) << i;
    }
  }

  std::unique_ptr<Robot> robot;
  std::unique_ptr<RobotArm> arm;
  Values home;
  Values rest;
  Values v_max;
  Values a_max;
  Values q_was;
  Values v_was;
  double most_v = 0.0;  ///< share of v_max
  double most_a = 0.0;  ///< share of a_max
  double behind = 0.0;  ///< of the sensed positions behind the references [rad]
};
INSTANTIATE_TEST_SUITE_P(Robot, PublishedArm,
                         ::testing::Combine(::testing::ValuesIn(kArms),
                                            ::testing::Values("sim", "boards")),
                         [](const auto& place) {
                           return std::string(std::get<0>(place.param).name) + "_" +
                                  std::get<1>(place.param);
                         });

TEST_P(PublishedArm, PassesWaypointsAtTheirTimesWithoutStopping) {
  const std::vector<AskedWaypoint> way{{.q = home_with(0.15, 0.05), .time = 0.8},
                                       {.q = home_with(0.4, 0.15), .time = 1.6},
                                       {.q = home_with(0.5, 0.1), .time = 2.6}};
  const double begin = robot->clock();
  FollowOptions options;
  options.at_times = true;
  arm->follow(way, options);
  for (const AskedWaypoint& point : way) {
    while (robot->clock() < begin + point.time - 1e-9) step();
    // Within a cycle's way.
    expect_at(point.q, 1.5e-3 * v_max[0], 0.01);
    if (&point == &way.back()) continue;
    EXPECT_GT(arm->commanded_velocity()[0], 0.1) << "it goes through";
  }
  robot->wait();
  EXPECT_NEAR(robot->clock(), begin + 2.6, 0.01);
  expect_at(way.back().q, 1e-9, 5e-3);
  expect_within_limits();
}

// Time-optimal: at a bound of velocity or acceleration nearly always, and beyond none ever.
TEST_P(PublishedArm, GoesThroughWaypointsAsFastAsItsLimitsAllow) {
  arm->follow({{.q = home_with(0.3, 0.1)}, {.q = home_with(0.6, 0.15)}, {.q = home_with(0.2)}});
  int steps = 0;
  int at_a_bound = 0;
  do {
    most_v = most_a = 0.0;
    step();
    EXPECT_LE(most_v, 1.0 + 1e-6);
    EXPECT_LE(most_a, 1.0 + 1e-3);
    ++steps;
    if (std::max(most_v, most_a) > 0.97) ++at_a_bound;
  } while (robot->is_moving());
  EXPECT_GT(at_a_bound, 0.9 * steps);
  expect_at(home_with(0.2), 1e-9, 0.02);
  for (int i = 0; i < 500; ++i) robot->step();
  expect_at(home_with(0.2), 1e-9, 4e-3);
}

TEST_P(PublishedArm, GoesThroughChunksThatEndAtSpeedAsOneMotion) {
  const double size = 0.2;
  const double w = 2.0;  // [rad/s]
  const double chunk = 0.25;
  const auto q_at = [&](double t) { return home_with(size * (1.0 - std::cos(w * t))); };
  const auto v_at = [&](double t) {
    Values v = rest;
    v[0] = size * w * std::sin(w * t);
    return v;
  };
  const double began = robot->clock();
  arm->set_piecewise_cubic({chunk}, {q_at(chunk)}, {v_at(chunk)});
  constexpr int kChunks = 6;
  double off = 0.0;
  int asked = 1;
  do {
    if (asked < kChunks && robot->clock() > began + chunk * (asked - 0.3)) {
      const double end = chunk * ++asked;
      arm->append_piecewise_cubic({chunk}, {q_at(end)}, {asked < kChunks ? v_at(end) : rest});
    }
    step();
    const double t = robot->clock() - began;
    if (t < chunk * (kChunks - 1)) {
      off = std::max(off, std::abs(arm->commanded_position()[0] - q_at(t)[0]));
    }
  } while (robot->is_moving());
  // A cubic with the ends of a sine is off by A (w h)⁴/384; the clock by two cycles at full speed.
  EXPECT_LT(off, size * std::pow(w * chunk, 4) / 384.0 + 2e-3 * size * w);
  EXPECT_NEAR(robot->clock(), began + chunk * kChunks, 0.02) << "no rest between two";
  expect_within_limits();
  EXPECT_LT(behind, 0.02);
}

TEST_P(PublishedArm, RestsOnItsLineWhereAMoveIsCancelled) {
  TimedMove move;
  const Values goal = home_with(0.6, -0.4);
  for (std::size_t i = 0; i < goal.size(); ++i) {
    move.joints.set(arm->indices()[i]);
    move.values.push_back({goal[i], 1.5});
  }
  robot->send(SetMode{move.joints, ModeRequest::kPosition});
  step();
  const Values from = arm->commanded_position();
  robot->send(move);
  for (int k = 0; k < 700; ++k) step();
  const double v = std::abs(arm->commanded_velocity()[0]);
  ASSERT_GT(v, 0.6);
  arm->cancel();
  run();
  const Values q = arm->commanded_position();
  const double share = (q[0] - from[0]) / (goal[0] - from[0]);
  EXPECT_GT(share, 0.3);
  EXPECT_LT(share, 0.8);
  for (std::size_t i = 0; i < q.size(); ++i) {
    EXPECT_NEAR(q[i], from[i] + share * (goal[i] - from[i]), 1e-9) << i;
  }
  expect_within_limits();
}

TEST_P(PublishedArm, ReachesATargetThatReplacesAnotherOnItsWay) {
  TargetOptions bounds;
  for (const double v : v_max) bounds.speed.push_back(0.5 * v);
  arm->set_target(home_with(0.6), bounds);
  for (int i = 0; i < 250; ++i) step();
  EXPECT_GT(arm->commanded_velocity()[0], 0.1);
  arm->set_target(home_with(-0.2, 0.1), bounds);
  run();
  EXPECT_LE(most_v, 0.5 + 1e-6);
  expect_within_limits();
  for (int i = 0; i < 500; ++i) robot->step();
  expect_at(home_with(-0.2, 0.1), 1e-9, 4e-3);
}

TEST_P(PublishedArm, ItsToolGoesAlongLinesWithAnArcAtTheirCorner) {
  const ToolPose from = arm->commanded_tool_pose();
  const double corner = 0.01;  // [m]
  ArmWaypoint down;
  down.by = {{0.0, 0.0, -0.08}};
  down.corner_distance = corner;
  ArmWaypoint aside;
  aside.by = {{0.0, 0.1, 0.0}};
  arm->follow_tool({down, aside});
  double off = 0.0;      // both lines
  double nearest = 1.0;  // to their corner
  double slowest = 1.0;  // about the corner [m/s]
  ToolPose was = from;
  do {
    step();
    const ToolPose now = arm->commanded_tool_pose();
    const double x = now.position[0] - from.position[0];
    const double y = now.position[1] - from.position[1];
    const double z = now.position[2] - from.position[2];
    const double by_first = std::hypot(x, y);
    const double by_second = std::hypot(x, z + 0.08);
    off = std::max(off, std::min(by_first, by_second));
    const double to_corner = std::hypot(x, y, z + 0.08);
    nearest = std::min(nearest, to_corner);
    const double speed =
        1e3 * std::hypot(now.position[0] - was.position[0], now.position[1] - was.position[1],
                         now.position[2] - was.position[2]);
    if (to_corner < 2.0 * corner) slowest = std::min(slowest, speed);
    was = now;
  } while (robot->is_moving());
  expect_within_limits();
  // By hand: at a right corner the arc's radius is the corner distance.
  EXPECT_NEAR(nearest, (std::sqrt(2.0) - 1.0) * corner, 2e-4);
  EXPECT_NEAR(off, (1.0 - std::sqrt(0.5)) * corner, 2e-4);
  EXPECT_GT(slowest, 0.01) << "it doesn't stop there";
  const ToolPose end = arm->commanded_tool_pose();
  EXPECT_NEAR(end.position[0], from.position[0], 2e-5);
  EXPECT_NEAR(end.position[1], from.position[1] + 0.1, 2e-5);
  EXPECT_NEAR(end.position[2], from.position[2] - 0.08, 2e-5);
  for (int i = 0; i < 500; ++i) robot->step();
  const ToolPose seen = arm->sensed_tool_pose();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(seen.position[i], end.position[i], 3e-3) << i;
}

TEST_P(PublishedArm, AFilterAndNarrowedLimitsBoundWhatIsCommanded) {
  Values low = home;
  Values high = home;
  low[0] -= 0.1;
  high[0] += 0.1;
  for (std::size_t i = 1; i < home.size(); ++i) {
    low[i] -= 1.0;
    high[i] += 1.0;
  }
  arm->set_filter(FilterOn::kCommandedPosition, "box", std::make_shared<RangeLimit>(low, high));
  arm->set_position(home_with(0.4));
  robot->wait();
  expect_at(home_with(0.1), 2e-6, 4e-3);
  arm->remove_filter(FilterOn::kCommandedPosition, "box");
  arm->move_to(home);
  robot->wait();

  LimitsOfJoints bounds = arm->joint_limits();
  bounds.low[0] = home[0] - 0.2;
  bounds.high[0] = home[0] + 0.2;
  arm->set_joint_limits(bounds);
  EXPECT_NE(odd::told([&] { arm->move_to(home_with(0.3)); }).find(published().joints[0]),
            std::string::npos);
  Values v = rest;
  v[0] = 0.5;
  arm->set_velocity(v);
  for (int i = 0; i < 2000; ++i) robot->step();
  EXPECT_LE(arm->commanded_position()[0], home[0] + 0.2 + 1e-9);
  EXPECT_GT(arm->commanded_position()[0], home[0] + 0.2 - 2e-3) << "it brakes at the end";
  EXPECT_NEAR(arm->sensed_position()[0], arm->commanded_position()[0], 4e-3);
}

// A spring of the tool while it follows a line, and after it: F/k under a weight.
TEST_P(PublishedArm, GivesWayAsASpringBehindALine) {
  RobotOptions options = options_of(published(), backend());
  options.settings += "plant: {friction_scale: 0}\n";
  RobotCore core(model_of(published()), options);
  RobotArm soft(core, 0);
  const auto steps = [&](double seconds) {
    const double end = to_seconds(core.now().time_ns) + seconds - 1e-9;
    while (to_seconds(core.now().time_ns) < end) {
      core.begin_step();
      core.end_step();
    }
  };
  soft.set_position(soft.commanded_position());
  steps(0.5);
  const double k = 500.0;  // [N/m]
  InteractionSettings spring;
  spring.stiffness = {k, k, k, 30.0, 30.0, 30.0};
  spring.frame = ToolFrame::kWorld;
  ToolPose goal = soft.commanded_tool_pose();
  goal.position[2] -= 0.06;
  soft.move_linear_with(spring, goal, 0.5);
  while (core.is_moving(JointSet().set(0))) steps(0.01);
  steps(3.0);
  const sim::Plant& plant = *core.rig().plant();
  const sim::BodyId hand = plant.body("right_hand");
  const auto height = [&] { return plant.body_pose(hand).position[2]; };
  const double before = height();
  EXPECT_NEAR(before, goal.position[2], 2e-3);
  const double weight = 8.0;  // [N]
  sim::Wrench down;
  down.body = hand;
  down.at_centre = false;
  down.force = {0.0, 0.0, -weight};
  ASSERT_TRUE(core.rig().plant()->apply(down));
  steps(5.0);
  EXPECT_NEAR(before - height(), weight / k, 0.03 * weight / k);
}

// The gripper that robosuite hangs on its Panda: two fingers with a motor each.
class PublishedHand : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Robot, PublishedHand, ::testing::Values("sim", "boards"),
                         [](const auto& backend) { return std::string(backend.param); });

TEST_P(PublishedHand, GraspsABlockWithTheForceThatIsAskedFor) {
  const std::filesystem::path model = assets() / "grippers/panda_gripper.xml";
  if (!std::filesystem::exists(model)) {
    GTEST_SKIP() << "robosuite is not installed: scripts/test.sh does it";
  }
  // A block of 30 mm on a stand between the pads, 93 mm above the hand's frame.
  const odd::TempModel scene(R"(
<mujoco>
  <worldbody>
    <geom name="stand" type="box" size="0.008 0.006 0.005" pos="0 0 0.0784"/>
    <body name="block" pos="0 0 0.0934">
      <freejoint/>
      <geom type="box" size="0.01 0.015 0.01" mass="0.05" friction="1 0.01 0.0001"/>
    </body>
  </worldbody>
</mujoco>)",
                             "scene.xml");
  RobotCore core(model.string(), {.backend = GetParam(),
                                  .settings = "scene: " + scene.path() +
                                              "\nparts: {hand: [finger_joint1, finger_joint2]}\n"
                                              "joints: {finger_joint1: {start: 0.038}, "
                                              "finger_joint2: {start: -0.038}}\n"
                                              "grippers: {hand: {part: hand, open: [0.04, -0.04], "
                                              "closed: [0, 0], width: 0.08 m}}\n"});
  RobotGripper hand(core, 0);
  const auto steps = [&](double seconds) {
    const double end = to_seconds(core.now().time_ns) + seconds - 1e-9;
    while (to_seconds(core.now().time_ns) < end) {
      core.begin_step();
      core.end_step();
    }
  };
  hand.move_to(hand.commanded_position());
  steps(0.5);
  const sim::Plant& plant = *core.rig().plant();
  const sim::BodyId block = plant.body("block");
  // A finger touches with its pad, a body of its own, or beside it [N].
  const auto pressed_by = [&](const char* finger, const char* pad) {
    return plant.contact_force(block, plant.body(finger))[1] +
           plant.contact_force(block, plant.body(pad))[1];
  };
  const auto left = [&] { return pressed_by("leftfinger", "finger_joint1_tip"); };
  const auto right = [&] { return pressed_by("rightfinger", "finger_joint2_tip"); };
  EXPECT_EQ(left(), 0.0);
  hand.grasp(12.0);
  steps(4.0);
  EXPECT_TRUE(hand.is_grasped()) << to_string(hand.state());
  EXPECT_NEAR(hand.width(), 0.03, 3e-3);
  // Each finger presses with the force, but for what its own friction of 1 N takes.
  EXPECT_NEAR(left(), -12.0, 1.2);
  EXPECT_NEAR(right(), 12.0, 1.2);
  hand.open();
  steps(4.0);
  EXPECT_EQ(hand.state(), GripperState::kOpen) << to_string(hand.state());
  EXPECT_EQ(left(), 0.0);
}

}  // namespace
}  // namespace jointrig
