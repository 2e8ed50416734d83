// The examples of Klampt's document ("Manual-Control"), rewritten for Robot and judged by where the
// arm ends: on the Franka and on Universal Robots' UR5e as robosuite publishes it, with physics.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>

#include "app/robot/async_robot.h"
#include "app/robot/block_runner.h"
#include "app/robot/robot.h"
#include "app/robot/robot_arm.h"
#include "control/planning/arm_tasks.h"
#include "control/planning/cartesian_drive.h"
#include "tests/control/discovery/published_models.h"

namespace jointrig {
namespace {

using Values = std::vector<double>;

struct Example {
  const char* name;
  std::string robot;
  std::string settings;
  Values pose;  ///< of the arm, from which the tool can go both ways; empty: the robot's own
};

Example franka() { return {"franka", "franka", "", {}}; }
Example ur5e() {
  const auto folder = testing::package_folder("robosuite");
  return {"ur5e",
          (folder / "models/assets/robots/ur5e/robot.xml").string(),
          "parts: {arm: [shoulder_pan_joint, shoulder_lift_joint, elbow_joint, wrist_1_joint, "
          "wrist_2_joint, wrist_3_joint]}\narms: {arm: {part: arm, tool: right_hand}}",
          {0.0, -1.4, 1.9, -2.0, -1.5708, 0.0}};
}

class KlamptExample : public ::testing::TestWithParam<Example> {
 protected:
  void SetUp() override {
    if (GetParam().robot.find('/') != std::string::npos &&
        !std::filesystem::exists(GetParam().robot)) {
      GTEST_SKIP() << "robosuite is not installed";
    }
  }
  RobotOptions options(const char* backend = "sim") const {
    return {.backend = backend, .settings = GetParam().settings};
  }
  void to_pose(Robot& interface) const {
    interface.initialize();
    if (GetParam().pose.empty()) return;
    interface.part("arm").move_to(GetParam().pose, 1.0);
    interface.wait();
  }
};
INSTANTIATE_TEST_SUITE_P(Robots, KlamptExample, ::testing::Values(franka(), ur5e()),
                         [](const auto& example) { return std::string(example.param.name); });

// Writing Control Loops: beginStep() and endStep().
TEST_P(KlamptExample, ASynchronousLoopHoldsAJointWhereItIsToGo) {
  Robot interface(GetParam().robot, options());
  interface.initialize();
  RobotPart arm = interface.part("arm");
  const Values start = arm.commanded_position();
  const double dt = 1.0 / interface.control_rate();
  double t = 0.0;
  std::string status = "ok";
  while (status == "ok" && t < 0.5) {
    interface.begin_step();
    status = interface.status();
    Values q = start;
    q[0] += 0.1 * t;
    arm.set_position(q);
    interface.end_step();
    t += dt;
  }
  EXPECT_EQ(status, "ok");
  interface.wait();
  EXPECT_NEAR(arm.sensed_position()[0], start[0] + 0.05, 2e-3);
}

// TimedLooper and StepContext.
TEST_P(KlamptExample, ATimedLooperIsOneCall) {
  Robot interface(GetParam().robot, options());
  interface.initialize();
  RobotPart arm = interface.part("arm");
  const double start = arm.commanded_position()[0];
  const double end = interface.clock() + 0.5;
  const TimedRun run = run_timed(interface, [&](Robot& robot) {
    Values v(arm.joint_count(), 0.0);
    v[0] = 0.2;
    arm.set_velocity(v, 0.1);
    return robot.status() == "ok" && robot.clock() < end - 1e-9;
  });
  EXPECT_EQ(run.steps, 501U);
  interface.wait();
  // 0.5 s and the 0.1 s that the last one lives: 0.12 rad.
  EXPECT_NEAR(arm.sensed_position()[0], start + 0.2 * 0.6, 3e-3);
}

// An asynchronous controller: there and back.
TEST_P(KlamptExample, AnAsynchronousInterfaceNeedsNoSteps) {
  AsyncRobot interface(GetParam().robot, options("kinematic"));
  interface.initialize();
  Values q = interface.commanded_position();
  const double start = q[0];
  q[0] += 0.1;
  interface.move_to(q, 1.0);
  interface.wait();
  EXPECT_NEAR(interface.sensed_position()[0], start + 0.1, 1e-3);
  q[0] -= 0.1;
  interface.move_to(q, 1.0);
  interface.wait();
  EXPECT_NEAR(interface.sensed_position()[0], start, 1e-3);
}

// Low-level control: setPID with its torque fed forward.
TEST_P(KlamptExample, ATorqueFedForwardActsBesideThePositionUntilFeedbackAnswers) {
  const auto pushed = [&](double fed) {
    Robot interface(GetParam().robot, options());
    to_pose(interface);
    RobotPart arm = interface.part("arm");
    const Values q = arm.commanded_position();
    const Values rest(q.size(), 0.0);
    Values torque = rest;
    torque[0] = fed;
    double furthest = 0.0;
    for (int i = 0; i < 100; ++i) {
      arm.set_pid(q, rest, {}, torque);
      interface.step();
      const double away = arm.sensed_position()[0] - q[0];
      if (std::abs(away) > std::abs(furthest)) furthest = away;
    }
    return furthest;
  };
  const double ahead = pushed(4.0);
  const double back = pushed(-4.0);
  EXPECT_GT(ahead, 5.0 * std::abs(pushed(0.0)) + 1e-4);
  EXPECT_NEAR(back, -ahead, 0.3 * ahead) << "towards its sign, alike";
}

// Motion queue control.
TEST_P(KlamptExample, AMotionQueueGivesMilestonesInTime) {
  Robot interface(GetParam().robot, options());
  interface.initialize();
  RobotPart arm = interface.part("arm");
  const Values a = arm.commanded_position();
  Values b = a;
  Values c = a;
  b[0] += 0.2;
  c[0] += 0.3;
  const double began = interface.clock();
  arm.set_piecewise_linear({0.8, 1.4}, {b, c});
  EXPECT_EQ(arm.destination(), c);
  EXPECT_NEAR(arm.destination_time(), began + 1.4, 1e-6);
  const Values rest(a.size(), 0.0);
  arm.append_piecewise_cubic({1.0}, {a}, {rest});
  EXPECT_NEAR(arm.destination_time(), began + 2.4, 1e-6);
  while (interface.clock() < began + 0.8) interface.step();
  EXPECT_NEAR(arm.commanded_position()[0], b[0], 2e-3) << "the first milestone, at its time";
  interface.wait();
  EXPECT_NEAR(interface.clock(), began + 2.4, 0.02);
  EXPECT_NEAR(arm.sensed_position()[0], a[0], 3e-3);
}

// Cartesian control: setToolCoordinates, setGravityCompensation, moveToCartesianPositionLinear.
TEST_P(KlamptExample, AToolCarriesItsLoadAlongALine) {
  Robot interface(GetParam().robot, options());
  to_pose(interface);
  RobotArm arm = interface.arm("arm");
  const ToolPose flange = arm.tool_coordinates();
  ToolPose longer = flange;
  longer.position[2] += 0.05;
  arm.set_tool_coordinates(longer);
  arm.set_gravity_compensation(true, {.mass = 0.3, .centre = {0.0, 0.0, 0.03}});
  interface.step();
  const ToolPose from = arm.commanded_tool_pose();
  ToolPose to = from;
  to.position[2] += 0.08;
  arm.move_linear(to);
  double aside = 0.0;
  do {
    interface.step();
    const ToolPose now = arm.commanded_tool_pose();
    aside = std::max({aside, std::abs(now.position[0] - from.position[0]),
                      std::abs(now.position[1] - from.position[1])});
  } while (interface.all().is_moving());
  EXPECT_NEAR(arm.commanded_tool_pose().position[2], to.position[2], 1e-5);
  EXPECT_LT(aside, 1e-4) << "a straight line";
}

// Emulating Cartesian Control: the loop of CartesianDriveSolver.
TEST_P(KlamptExample, ACartesianDriveLoopGoesAlongX) {
  Robot sim(GetParam().robot, options());
  to_pose(sim);
  RobotArm controller = sim.arm("arm");
  const Values start = controller.commanded_position();
  const ToolPose from = controller.sensed_tool_pose();

  // configure the solver
  const KinematicTree tree(sim.config());
  const ArmConfig& config = sim.config().arms.front();
  CartesianDrive driver(sim.config(), tree, tool_task(tree, config), config.joints);
  driver.start(sim.commanded_position(), Values(start.size(), 0.0));

  // begin the loop
  const double dt = 1.0 / sim.control_rate();
  const double began = sim.clock();
  double least = 1.0;
  double had = 0.0;  // way of the marker: its two ramps are alike
  while (sim.clock() < began + 1.0) {
    Vector6 twist = Vector6::Zero();
    if (sim.clock() < began + 0.7) twist[0] = 0.1;
    const double progress = driver.drive(twist, false, dt);
    // Its acceleration of 1 m/s² takes the first tenth of a second.
    if (sim.clock() > began + 0.15) least = std::min(least, progress);
    had += twist[0] * dt;
    controller.set_pid(driver.q(), driver.v(), driver.a());
    sim.step();
  }
  sim.wait();
  EXPECT_EQ(least, 1.0) << "progress never stopped";
  const ToolPose end = controller.sensed_tool_pose();
  EXPECT_NEAR(end.position[0] - from.position[0], had, 3e-3);
  EXPECT_NEAR(end.position[1], from.position[1], 3e-3);
  EXPECT_NEAR(end.position[2], from.position[2], 3e-3);
}

// cartesian_move_to, and its feasibilityTest.
TEST_P(KlamptExample, ACartesianMoveIsFollowedOnlyWhereItIsFeasible) {
  Robot interface(GetParam().robot, options());
  to_pose(interface);
  RobotArm arm = interface.arm("arm");
  ToolPose goal = arm.commanded_tool_pose();
  goal.position[2] += 0.1;
  const Values start = arm.commanded_position();
  // The shoulder may turn by 0.02 rad alone: less than the way needs.
  const auto near = [&](const Values& q) { return std::abs(q[1] - start[1]) < 0.02; };
  arm.move_linear_if(goal, near);
  try {
    interface.wait();
    ADD_FAILURE() << "it was followed";
  } catch (const Refused& refused) {
    EXPECT_NE(std::string(refused.what()).find("not_feasible"), std::string::npos);
  }
  interface.wait();
  for (std::size_t i = 0; i < start.size(); ++i) {
    EXPECT_NEAR(arm.commanded_position()[i], start[i], 1e-9) << "nothing moved";
  }
  int asked = 0;
  arm.move_linear_if(goal, [&](const Values& q) {
    ++asked;
    return std::abs(q[1] - start[1]) < 1.0;
  });
  interface.wait();
  EXPECT_GT(asked, 20);
  EXPECT_NEAR(arm.commanded_tool_pose().position[2], goal.position[2], 1e-5);
  EXPECT_NEAR(arm.sensed_tool_pose().position[2], goal.position[2], 3e-3);
}

// System Building Blocks: a TimedControllerSequence of a trajectory and of a hold, the latter with
// qcmd, dqcmd and torquecmd; an estimator before them (MultiController).
TEST_P(KlamptExample, ControllersAreMadeOfBlocks) {
  Robot interface(GetParam().robot, options());
  interface.initialize();
  const Values q = interface.commanded_position();
  Values there = q;
  there[0] += 0.2;
  const auto hold = std::make_shared<Parallel>(
      std::vector<BlockPtr>{std::make_shared<Lambda>(std::vector<std::string>{"q"}, "qcmd",
                                                     [there](const auto&) { return there; }),
                            Linear::gains({{"dq", 0.0}}, "dqcmd", q.size()),
                            Linear::gains({{"dq", 0.0}}, "torquecmd", q.size())});
  TimedSequence sequence(
      {std::make_shared<TrajectoryTracking>(Values{0.0, 1.0}, std::vector{q, there}, 5.0), hold},
      {1.2});
  EXPECT_EQ(run_block(interface, sequence, 1.6), 1600U);
  EXPECT_NEAR(interface.sensed_position()[0], there[0], 4e-3);
}

// Implementing RIL for Your Robot: the minimal template, setPosition and sensedPosition alone. All
// else is made of it.
class MyRobotDriver : public Backend {
 public:
  explicit MyRobotDriver(const RobotConfig& robot) {
    for (const JointConfig& joint : robot.joints) {
      description_.joints.push_back({.joint = joint.name, .drive_modes = {DriveMode::kPosition}});
      q_.push_back(joint.q_start);
    }
    wanted_ = q_;
    description_.period_ns = robot.period_ns;
  }
  [[nodiscard]] const BackendDescription& description() const noexcept override {
    return description_;
  }
  void start() override {}  // connect to the robot
  Tick wait() noexcept override {
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] += 0.2 * (wanted_[i] - q_[i]);
    ++cycle_;
    return {};
  }
  void read(RobotState& state) noexcept override {
    state.cycle = cycle_;
    state.time_ns = static_cast<TimeNs>(cycle_) * description_.period_ns;
    for (std::size_t i = 0; i < q_.size(); ++i) state.joints[i].q = q_[i];
  }
  void write(const RobotCommand& command) noexcept override {
    for (std::size_t i = 0; i < q_.size(); ++i) {
      if (command.joints[i].drive == DriveMode::kPosition) wanted_[i] = command.joints[i].q;
    }
  }
  void stop() noexcept override {}

 private:
  BackendDescription description_{.name = "my robot"};
  std::vector<double> q_, wanted_;
  std::uint64_t cycle_ = 0;
};

TEST_P(KlamptExample, ADriverOfPositionsAloneBecomesAWholeRobot) {
  RobotOptions with_driver{.settings = GetParam().settings, .speed_override = 1.0};
  with_driver.driver = [](const RobotConfig& robot) {
    return std::make_unique<MyRobotDriver>(robot);
  };
  Robot interface(GetParam().robot, with_driver);
  to_pose(interface);
  EXPECT_EQ(interface.backend(), "my robot");
  RobotArm arm = interface.arm("arm");
  Values v(arm.joint_count(), 0.0);
  v[0] = 0.3;
  const double start = arm.commanded_position()[0];
  arm.set_velocity(v, 0.5);  // made of positions
  interface.wait();
  EXPECT_NEAR(arm.commanded_position()[0], start + 0.15, 1e-3);
  ToolPose goal = arm.commanded_tool_pose();
  goal.position[2] += 0.05;
  arm.move_linear(goal);
  interface.wait();
  for (int i = 0; i < 100; ++i) interface.step();
  EXPECT_NEAR(arm.sensed_tool_pose().position[2], goal.position[2], 1e-4);
  arm.set_torque(v, 0.1);
  EXPECT_THROW(interface.step(), Refused) << "its board takes none";
}

}  // namespace
}  // namespace jointrig
