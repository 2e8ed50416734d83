#include "gui/panel/arm_desk.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/rig/rig.h"
#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

/// The Franka arm's geometry and caps on joints that weigh a kilogram square metre each.
struct ArmDeskTest : ::testing::Test {
  ArmDeskTest() {
    for (std::size_t i = 0; i < t.rig.robot.joint.size(); ++i) {
      t.rig.robot.joint[i].q = t.panel.config().joints[i].q_start;
    }
    t.frames(3);
  }
  void run_the_arm() {
    t.arm_and_run();
    desk.enter();
    t.frames(5);
    t.commands();
    ASSERT_TRUE(desk.now().runs) << desk.state();
  }
  static double turn_between(const std::array<double, 4>& a, const std::array<double, 4>& b) {
    double dot = 0.0;
    for (std::size_t i = 0; i < 4; ++i) dot += a[i] * b[i];
    return 2.0 * std::acos(std::min(1.0, std::abs(dot)));
  }

  /// It is pushed on purpose.
  static RobotConfig franka() {
    RobotConfig config = app::load_robot(harness::find_robot("franka")).config;
    config.detection->on = false;
    return config;
  }
  testing::RigWithPanel t{franka()};
  ArmDesk& desk = t.desks.arms;
};

TEST_F(ArmDeskTest, EntersAndLeavesCartesianWithAllJointsOfTheArm) {
  t.arm_and_run();
  desk.enter();
  const auto enter = t.only<SetMode>();
  EXPECT_EQ(enter.mode, ModeRequest::kCartesian);
  EXPECT_EQ(enter.joints.count(), 7U) << "the finger is no joint of the arm";
  t.frames(5);
  EXPECT_EQ(desk.state(), "runs");
  desk.leave();
  const auto leave = t.only<SetMode>();
  EXPECT_EQ(leave.mode, ModeRequest::kPosition);
  EXPECT_EQ(leave.joints.count(), 7U);
  t.frames(3);
  EXPECT_EQ(desk.state(), "panda_joint1 is in position: the arm is not in cartesian");
}

TEST_F(ArmDeskTest, AJointsOwnMenuTakesItsArmAlong) {
  t.arm_and_run();
  t.panel.acts.set_mode(3, ModeRequest::kCartesian);
  EXPECT_EQ(t.only<SetMode>().joints.count(), 7U);
  t.frames(5);
  t.panel.acts.set_mode(3, ModeRequest::kVelocity);
  EXPECT_EQ(t.only<SetMode>().joints.count(), 7U);
}

TEST_F(ArmDeskTest, MovesOnlyWhileArmedAndRunning) {
  desk.jog(0, 1);
  t.panel.set_access(Access::kControl);
  desk.jog(0, 1);
  EXPECT_NE(desk.type_target(0, "400 mm"), "");
  EXPECT_EQ(t.commands().size(), 0U) << "not ARMED";
  t.arm_and_run();
  desk.jog(0, 1);
  desk.posture_here();
  desk.target_here();
  EXPECT_EQ(t.commands().size(), 0U) << "in position";
  EXPECT_NE(t.panel.notice().find("not in cartesian"), std::string::npos) << t.panel.notice();
}

TEST_F(ArmDeskTest, AStepOfAJogMovesTheGoalByThatMuchAndNothingElse) {
  run_the_arm();
  const ToolPose before = desk.now().goal;
  desk.step = 0.05;
  desk.jog(1, -1);
  const auto command = t.only<SetToolTarget>();
  EXPECT_EQ(command.arm, 0);
  EXPECT_NEAR(command.position[0], before.position[0], 1e-12);
  EXPECT_NEAR(command.position[1], before.position[1] - 0.05, 1e-12);
  EXPECT_NEAR(command.position[2], before.position[2], 1e-12);
  t.frames(60);
  EXPECT_NEAR(desk.now().goal.position[1], before.position[1] - 0.05, 1e-9);
}

TEST_F(ArmDeskTest, TheToolsOwnAxesTurnWithIt) {
  run_the_arm();
  // Yawed by a quarter turn the tool's x lies along the base's y.
  EXPECT_EQ(desk.type_target(5, "90 deg"), "");
  t.frames(1);
  EXPECT_EQ(desk.type_target(4, "0"), "");
  t.frames(1);
  EXPECT_EQ(desk.type_target(3, "0"), "");
  t.frames(2);
  t.commands();
  const ToolPose before = desk.now().goal;
  desk.jog_frame = JogFrame::kTool;
  desk.step = 0.01;
  desk.jog(0, 1);
  const auto command = t.only<SetToolTarget>();
  EXPECT_NEAR(command.position[0], before.position[0], 1e-9);
  EXPECT_NEAR(command.position[1], before.position[1] + 0.01, 1e-9);
  desk.turn_step = 10 * kDegree;
  t.frames(2);
  t.commands();
  desk.jog(3, 1);  // about the tool's x: the base's y
  const std::array<double, 4> turned = t.only<SetToolTarget>().orientation;
  EXPECT_NEAR(turn_between(turned, desk.now().goal.orientation), 10 * kDegree, 1e-6);
  // R = Ry(10°) Rz(90°): its third column, z of the tool, leans by 10° towards x.
  const auto [w, x, y, z] = turned;
  EXPECT_NEAR(2.0 * (x * z + w * y), std::sin(10 * kDegree), 1e-9);
}

TEST_F(ArmDeskTest, ATypedTargetHasItsUnitAndChangesOneNumber) {
  run_the_arm();
  const ToolNumbers before = as_numbers(desk.now().goal);
  EXPECT_EQ(desk.type_target(2, "0.45 m"), "");
  const auto command = t.only<SetToolTarget>();
  EXPECT_NEAR(command.position[2], 0.45, 1e-12);
  EXPECT_NEAR(command.position[0], before[0], 1e-12);
  EXPECT_NE(desk.type_target(2, "10 deg"), "") << "no unit of a length";
  EXPECT_NE(desk.type_target(5, "10 mm"), "") << "no unit of an angle";
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST_F(ArmDeskTest, AStiffnessIsSentWhenTheHandLetsGoAndNeverBeyondItsCap) {
  t.panel.set_access(Access::kControl);
  desk.drag_stiffness(2, 5000.0);
  EXPECT_EQ(desk.stiffness(2), 1300.0);
  EXPECT_EQ(t.commands().size(), 0U) << "only a ghost";
  desk.drag_stiffness(2, 123.456);
  desk.release();
  const auto command = t.only<SetToolStiffness>();
  EXPECT_EQ(command.stiffness[0], 600.0);
  EXPECT_EQ(command.stiffness[2], 123.5);
  desk.release();
  EXPECT_EQ(t.commands().size(), 0U);
  t.frames(2);
  EXPECT_EQ(desk.stiffness(2), 123.5) << "the loop has it";
  EXPECT_NE(desk.type_stiffness(2, "1301"), "");
  EXPECT_NE(desk.type_stiffness(4, "40"), "");
  EXPECT_EQ(desk.type_stiffness(4, "15 Nm/rad"), "");
  EXPECT_EQ(t.only<SetToolStiffness>().stiffness[4], 15.0);
}

TEST_F(ArmDeskTest, TheDampingRatioIsSentWhenTheHandLetsGo) {
  t.panel.set_access(Access::kControl);
  desk.drag_damping_ratio(1.5);
  EXPECT_EQ(desk.damping_ratio(), 1.5);
  desk.release();
  const auto command = t.only<SetToolDamping>();
  EXPECT_EQ(command.ratio, 1.5);
  EXPECT_TRUE(command.damping.empty());
}

TEST_F(ArmDeskTest, TermsAndPayloadWantArmed) {
  t.panel.set_access(Access::kControl);
  desk.set_term(ArmTerm::kGravity, false);
  EXPECT_NE(desk.type_payload(0, "1 kg"), "");
  EXPECT_EQ(t.commands().size(), 0U);
  t.panel.set_access(Access::kArmed);
  desk.set_term(ArmTerm::kFriction, true);
  const auto term = t.only<SetArmTerm>();
  EXPECT_EQ(term.term, ArmTerm::kFriction);
  EXPECT_TRUE(term.on);
  EXPECT_EQ(desk.type_payload(0, "500 g"), "");
  EXPECT_EQ(t.only<SetPayload>().mass, 0.5);
  t.frames(2);
  EXPECT_EQ(desk.type_payload(3, "40 mm"), "");
  const auto payload = t.only<SetPayload>();
  EXPECT_EQ(payload.mass, 0.5) << "it stays";
  EXPECT_NEAR(payload.centre[2], 0.04, 1e-12);
  EXPECT_NE(desk.type_payload(0, "11 kg"), "");
  EXPECT_NE(desk.type_payload(0, "-1 kg"), "");
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST_F(ArmDeskTest, ThePostureFromHereIsWhereTheJointsAre) {
  run_the_arm();
  desk.posture_here();
  const auto command = t.only<SetPosture>();
  ASSERT_EQ(command.values.size(), 7U);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(command.values[i].q, t.panel.snapshot().joints[i].state.q, 1e-3);
  }
}

TEST_F(ArmDeskTest, SaysWhichLimitActs) {
  run_the_arm();
  EXPECT_TRUE(desk.acting().empty());
  t.rig.robot.joint[1].load = 60.0;  // more than 60 N at half a metre hold
  bool clipped = false;
  for (int i = 0; i < 30 && !clipped; ++i) {
    t.frame();
    const std::vector<std::string> acting = desk.acting();
    clipped =
        std::find(acting.begin(), acting.end(), "spring clipped at error_max") != acting.end();
  }
  EXPECT_TRUE(clipped) << desk.state();
  EXPECT_EQ(desk.error(2).most, 0.1);
  EXPECT_EQ(desk.wrench(2).most, 60.0) << "600 N/m times 0.1 m";
}

TEST_F(ArmDeskTest, WithoutFocusNothingIsJogged) {
  run_the_arm();
  t.focused = false;
  t.show();
  desk.jog(0, 1);
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST(ArmDesk, ARobotWithoutArmsSaysSo) {
  testing::RigWithPanel t;
  t.panel.set_access(Access::kArmed);
  EXPECT_FALSE(t.desks.arms.has_arms());
  EXPECT_NE(t.desks.arms.why_not(ArmAct::kEnter), "");
}

// Poses as numbers.

TEST(ToolAngles, YawComesLast) {
  // A quarter turn about x, then one about z: the tool's y points up, its x along y.
  const ToolPose pose = as_pose({1, 2, 3, 0.5 * std::numbers::pi, 0, 0.5 * std::numbers::pi});
  const auto [w, x, y, z] = pose.orientation;
  EXPECT_NEAR(2.0 * (y * z + w * x), 1.0, 1e-12) << "z of the tool's y";
  EXPECT_NEAR(2.0 * (x * y + w * z), 1.0, 1e-12) << "y of the tool's x";
  EXPECT_EQ(pose.position[2], 3.0);
}

TEST(ToolAngles, GoThereAndBackAlsoAtAQuarterTurnOfPitch) {
  for (const double roll : {-3.0, -1.0, 0.0, 0.4, 3.1}) {
    for (const double pitch : {-0.5 * std::numbers::pi, -1.2, 0.0, 0.7, 0.5 * std::numbers::pi}) {
      for (const double yaw : {-3.1, -0.2, 0.0, 2.0}) {
        const ToolPose pose = as_pose({0, 0, 0, roll, pitch, yaw});
        const ToolPose again = as_pose(as_numbers(pose));
        double dot = 0.0;
        for (std::size_t i = 0; i < 4; ++i) dot += pose.orientation[i] * again.orientation[i];
        EXPECT_NEAR(std::abs(dot), 1.0, 1e-9) << roll << " " << pitch << " " << yaw;
        EXPECT_LE(std::abs(as_numbers(pose)[5]), std::numbers::pi + 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace jointrig::gui
