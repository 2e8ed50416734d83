/// Another tool while the arm runs: on the Franka arm in physics.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/rig/rig.h"
#include "control/core/quaternion.h"
#include "control/exchange/robot_client.h"
#include "tests/control/stack/franka_in_physics.h"

namespace jointrig {
namespace {

/// 0.2 m beside the flange, 0.1 m before it, turned by 90° about x and then some.
const SetTool kOther{0, {0.2, -0.05, 0.1}, product(of_turn(0.5 * M_PI, 0, 0), of_turn(0, 0.3, 0))};

ToolPose composed(const ToolPose& a, const ToolPose& b) {
  ToolPose c;
  c.orientation = product(a.orientation, b.orientation);
  const std::array<double, 3> lever = turned(a.orientation, b.position);
  for (std::size_t i = 0; i < 3; ++i) c.position[i] = a.position[i] + lever[i];
  return c;
}

double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

double apart(const ToolPose& a, const ToolPose& b) {
  const Quaternion turn = product(inverse(a.orientation), b.orientation);
  return distance(a.position, b.position) + 2.0 * std::hypot(turn[1], turn[2], turn[3]);
}

struct Arm : testing::FrankaInPhysics {
  explicit Arm(double unknown_load = 0.0)
      : FrankaInPhysics(config(unknown_load)), reader(rig.stack().events()) {}

  static RobotConfig config(double unknown_load) {
    RobotConfig config = app::load_robot(harness::find_robot("franka")).config;
    config.plant.friction_scale = 0.0;
    if (unknown_load == 0.0) return config;
    PayloadConfig load;
    load.body = "panda_hand";
    load.mass = unknown_load;
    load.centre = {0.05, 0.0, 0.1};
    config.plant.payloads.push_back(load);
    return config;
  }
  void enter() {
    client.set_mode(client.select("arm"), ModeRequest::kCartesian);
    run(1500);
  }
  RejectReason answer(const Request& request) {
    for (Event e; reader.next(e);) {
    }
    client.post(request);
    run(1);
    for (Event e; reader.next(e);) {
      if (e.kind == EventKind::kRejected) return e.reason;
    }
    return RejectReason::kNone;
  }
  std::array<double, 7> positions() {
    std::array<double, 7> q{};
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = now().joints[i].state.q;
    return q;
  }
  double moved_from(const std::array<double, 7>& q) {
    double most = 0.0;
    for (std::size_t i = 0; i < q.size(); ++i) {
      most = std::max(most, std::abs(now().joints[i].state.q - q[i]));
    }
    return most;
  }

  EventRing::Reader reader;
};

constexpr double kHoldNoise = 0.3;  // of a hold, by the encoders' steps [N·m a cycle]

TEST(Tool, OfAnArmThatIsHeldChangesAndTheArmStaysWhereItIs) {
  Arm robot;
  robot.enter();
  const std::array<double, 7> q = robot.positions();
  const ToolPose flange = robot.arm().tool;
  const ToolPose target = robot.arm().target;
  const ToolPose offset{kOther.position, kOther.orientation};
  robot.client.post(kOther);
  EXPECT_LT(robot.hardest_step(500), kHoldNoise);
  EXPECT_LT(robot.moved_from(q), 1e-4);
  EXPECT_LT(apart(robot.arm().tool, composed(flange, offset)), 1e-4);
  EXPECT_LT(apart(robot.arm().target, composed(target, offset)), 1e-9);
  EXPECT_LT(apart(robot.arm().goal, composed(target, offset)), 1e-9);
  EXPECT_LT(apart(robot.arm().offset, offset), 1e-9);
  robot.client.post(SetTool{0});
  EXPECT_LT(robot.hardest_step(500), kHoldNoise);
  EXPECT_LT(apart(robot.arm().tool, flange), 1e-4);
}

TEST(Tool, OfAnArmUnderLoadChangesWithoutAJumpOfTorque) {
  Arm robot(/*unknown_load=*/2.0);
  robot.enter();
  // It sags by 33 mm and turns: at 0.2 m to the side the springs would pull differently, at once.
  ASSERT_GT(distance(robot.arm().target.position, robot.arm().tool.position), 0.02);
  robot.client.post(kOther);
  EXPECT_LT(robot.hardest_step(150), 1.0) << "one cycle at the torque rate";
}

TEST(Tool, ThatIsNewIsTheOneThatTurnsAboutItself) {
  Arm robot;
  robot.enter();
  robot.client.post(kOther);
  robot.run(300);
  const ToolPose start = robot.arm().tool;
  const ToolPose flange = composed(start, [&] {
    ToolPose back;
    back.orientation = inverse(robot.arm().offset.orientation);
    back.position = turned(back.orientation, robot.arm().offset.position);
    for (double& x : back.position) x = -x;
    return back;
  }());
  robot.client.post(
      SetToolTarget{{0, start.position, product(of_turn(0, 0, 0.3), start.orientation)}});
  double off = 0.0;
  double twist_error = 0.0;
  ToolPose before = robot.arm().tool;
  for (int n = 0; n < 2500; ++n) {
    robot.run(1);
    off = std::max(off, distance(robot.arm().tool.position, start.position));
    if (n % 100 == 0) {  // the twist is that of the new tool's origin
      before = robot.arm().tool;
      const Six twist = robot.arm().twist;
      robot.run(1);
      for (std::size_t i = 0; i < 3; ++i) {
        const double v = (robot.arm().tool.position[i] - before.position[i]) / 0.001;
        twist_error = std::max(twist_error, std::abs(v - twist[i]));
      }
    }
  }
  EXPECT_FALSE(robot.arm().moving);
  EXPECT_LT(off, 0.01) << "its origin stays";
  EXPECT_LT(distance(robot.arm().tool.position, start.position), 1e-3);
  EXPECT_LT(twist_error, 0.02);
  // Where the site of the model is: 0.3 rad about an axis that is 0.2 m and more away.
  EXPECT_GT(distance(flange.position, start.position), 0.15);
  const std::array<double, 7> end = robot.positions();
  robot.client.post(SetTool{0});
  robot.run(5);
  EXPECT_GT(distance(robot.arm().tool.position, flange.position), 0.03);
  EXPECT_LT(robot.moved_from(end), 1e-4);
}

TEST(Tool, OfAnArmInPositionModeChangesToo) {
  Arm robot;
  const ToolPose flange = robot.arm().tool;
  const std::array<double, 7> q = robot.positions();
  EXPECT_EQ(robot.answer(kOther), RejectReason::kNone);
  EXPECT_LT(robot.hardest_step(200), kHoldNoise);
  EXPECT_LT(robot.moved_from(q), 1e-4);
  EXPECT_LT(apart(robot.arm().tool, composed(flange, {kOther.position, kOther.orientation})), 1e-4);
  robot.enter();
  EXPECT_LT(robot.moved_from(q), 1e-3);
}

TEST(Tool, DoesNotChangeOnItsWay) {
  Arm robot;
  robot.enter();
  ToolPose goal = robot.arm().tool;
  goal.position[2] += 0.1;
  robot.client.post(SetToolTarget{{0, goal.position, goal.orientation}});
  robot.run(100);
  EXPECT_EQ(robot.answer(kOther), RejectReason::kToolMoves);
  EXPECT_EQ(robot.arm().offset, ToolPose{});
  robot.client.post(Stop{robot.client.select("all")});
  robot.run(500);
  EXPECT_EQ(robot.answer(kOther), RejectReason::kNone) << "stopped";
  robot.enter();
  goal = robot.arm().tool;
  robot.client.post(StreamToolTarget{{0, goal.position, goal.orientation}});
  robot.run(10);
  EXPECT_EQ(robot.answer(SetTool{0}), RejectReason::kToolMoves);
}

TEST(Tool, DoesNotChangeUnderInteractionControlOrInAHand) {
  Arm robot;
  robot.enter();
  SetInteractionControl interaction;
  interaction.arm = 0;
  interaction.active = true;
  interaction.stiffness = {500, 500, 500, 20, 20, 20};
  ASSERT_EQ(robot.answer(interaction), RejectReason::kNone);
  EXPECT_EQ(robot.answer(kOther), RejectReason::kInteracting);
  interaction.active = false;
  ASSERT_EQ(robot.answer(interaction), RejectReason::kNone);
  EXPECT_EQ(robot.answer(kOther), RejectReason::kNone);
  robot.run(1000);
  ASSERT_EQ(robot.answer(SetCuff{0, 5.0}), RejectReason::kNone);
  robot.run(500);
  EXPECT_EQ(robot.answer(SetTool{0}), RejectReason::kGuided);
}

TEST(Tool, ThatNoneCanHaveIsRefused) {
  Arm robot;
  EXPECT_EQ(robot.answer(SetTool{0, {0, 0, 1.1}}), RejectReason::kOutOfRange);
  EXPECT_EQ(robot.answer(SetTool{0, {}, {0.5, 0, 0, 0}}), RejectReason::kOutOfRange);
  EXPECT_EQ(robot.answer(SetTool{0, {std::numeric_limits<double>::quiet_NaN(), 0, 0}}),
            RejectReason::kNotFinite);
  EXPECT_EQ(robot.answer(SetTool{4}), RejectReason::kUnknownArm);
  EXPECT_EQ(robot.arm().offset, ToolPose{});
}

}  // namespace
}  // namespace jointrig
