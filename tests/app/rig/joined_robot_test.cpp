// Robots of parts with different backends, with their physics: the Franka's arm and hand.

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "app/rig/rig.h"
#include "app/robot/robot.h"
#include "harness/config/yaml_document.h"

namespace jointrig::app {
namespace {

constexpr std::size_t kFinger = 7;

RobotConfig franka(const std::string& settings) {
  harness::RobotSource source = harness::find_robot("franka");
  if (!settings.empty()) source.overrides.push_back(harness::parse_yaml(settings, "settings"));
  return load_robot(source).config;
}

/// Holds everything in position, then moves an arm's joint and the finger.
struct Moved {
  explicit Moved(const std::string& settings) : robot("franka", {.settings = settings}) {
    robot.initialize();
    for (int i = 0; i < 500; ++i) robot.step();
    held = robot.sensed_torque();
    auto q = robot.commanded_position();
    q[3] += 0.4;
    q[kFinger] = 0.01;
    robot.move_to(q);
    robot.wait();
    goal = q;
  }
  Robot robot;
  std::vector<double> held;
  std::vector<double> goal;
};

TEST(JoinedRobot, ASimulatedArmCarriesAHandWithoutDynamics) {
  const Moved whole("");
  Moved joined("joints: {hand: {backend: kinematic}}");
  EXPECT_EQ(joined.robot.backend(), "sim+kinematic");
  for (std::size_t i = 0; i < 7; ++i) {
    SCOPED_TRACE(i);
    // The hand's 0.8 kg hang on it as they do where all is physics.
    EXPECT_NEAR(joined.held[i], whole.held[i], 0.02);
    EXPECT_NEAR(joined.robot.sensed_position()[i], joined.goal[i], 1e-3);
  }
  EXPECT_GT(std::abs(joined.held[3]), 10.0);
  EXPECT_NEAR(joined.robot.sensed_position()[kFinger], 0.01, 1e-4);
  EXPECT_EQ(joined.held[kFinger], 0.0);  // its backend knows no torque
}

TEST(JoinedRobot, ThePhysicsHasTheHandWhereItsOwnBackendHasIt) {
  Rig rig(franka("joints: {hand: {backend: kinematic, start: 0.02}}"), {});
  rig.start();
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(rig.loop().step());
  EXPECT_NEAR(rig.plant()->joint(kFinger).q, 0.02, 1e-9);
  EXPECT_EQ(rig.loop().state().joints[kFinger].q, 0.02);
}

TEST(JoinedRobot, AnArmOnBoardsHasAHandOnAnyOther) {
  for (const char* hand : {"kinematic", "sim"}) {
    SCOPED_TRACE(hand);
    Moved joined(std::string("backend: boards\njoints: {hand: {backend: ") + hand + "}}");
    EXPECT_EQ(joined.robot.backend(), std::string("boards+") + hand);
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_NEAR(joined.robot.sensed_position()[i], joined.goal[i], 1e-3) << i;
    }
    EXPECT_GT(std::abs(joined.held[3]), 10.0);
  }
}

TEST(JoinedRobot, APartAtItsOwnRateRefusesTorqueWhereItsCycleIsLong) {
  const RobotConfig config = franka("joints: {hand: {backend: kinematic, cycle: 10 ms}}");
  Rig rig(config, {});
  const auto& boards = rig.backend().description().joints;
  EXPECT_EQ(boards[kFinger].cycle_ns, 10'000'000);
  EXPECT_EQ(boards[0].cycle_ns, 0);
  EXPECT_TRUE(usable_modes(boards[0]).has(DriveMode::kTorque));
  rig.start();
  for (int i = 0; i < 25; ++i) ASSERT_TRUE(rig.loop().step());
  EXPECT_TRUE(rig.loop().state().joints[kFinger].extrapolated);
  EXPECT_EQ(rig.loop().state().joints[kFinger].missed, 0U);
}

TEST(JoinedRobot, APartThatDiesLosesItsJointsAndTheOthersGoOn) {
  Rig rig(franka("backend: boards\njoints: {hand: {backend: sim}}"), {});
  rig.start();
  const auto sender = rig.stack().inbox().connect("test");
  JointSet all;
  for (std::size_t i = 0; i < 8; ++i) all.set(i);
  SetMode mode;
  mode.joints = all;
  mode.mode = ModeRequest::kPosition;
  ASSERT_TRUE(rig.stack().inbox().push({.request = mode, .sender = sender, .number = 1}));
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(rig.loop().step());
  const auto mode_of = [&](std::size_t joint) { return rig.stack().snapshot().joints[joint].mode; };
  EXPECT_EQ(mode_of(kFinger), JointMode::kPosition);
  rig.sim()->close();
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(rig.loop().step());
  EXPECT_EQ(mode_of(kFinger), JointMode::kHwFault);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(mode_of(i), JointMode::kPosition) << i;
  rig.backend().stop();
}

TEST(JoinedRobot, OneBackendThatIsAskedForIsTheWholeRobots) {
  const RobotConfig config = franka("joints: {hand: {backend: hw}}");
  RigOptions options;
  options.backend = BackendKind::kKinematic;
  Rig rig(config, options);
  EXPECT_EQ(rig.backend().description().name, "kinematic");
}

TEST(JoinedRobot, GoesOnFromASavedStateWithTheSameBits) {
  Rig rig(franka("joints: {hand: {backend: kinematic, cycle: 4 ms}}"), {});
  rig.start();
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(rig.loop().step());
  const std::any saved = rig.save();
  ASSERT_TRUE(saved.has_value());
  const Stack::State stack = rig.stack().state();
  const Snapshot snapshot = rig.stack().snapshot();
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(rig.loop().step());
  const std::uint64_t hash = rig.hash();
  rig.restore(saved);
  rig.stack().restore(stack);
  rig.stack().snapshot() = snapshot;
  EXPECT_NE(rig.hash(), hash);
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(rig.loop().step());
  EXPECT_EQ(rig.hash(), hash);
}

TEST(JoinedRobot, AFaultOfABoardThatIsNotThereIsRefused) {
  Rig rig(franka("joints: {hand: {backend: kinematic}}"), {});
  const auto world = rig.make_world();
  EXPECT_THROW(world->prepare(harness::FaultAction{"panda_finger_joint1", "encoder_freeze", NAN}),
               harness::BadAction);
  EXPECT_NO_THROW(world->prepare(harness::FaultAction{"panda_joint1", "encoder_freeze", NAN}));
}

}  // namespace
}  // namespace jointrig::app
