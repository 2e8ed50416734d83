// A plan leads the tool of an arm in mode cartesian: with impedance, with force along an axis, and
// physics as the judge. The Franka arm wipes a block with 10 N.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "control/motion/plan_joints.h"
#include "control/planning/arm_trajectory.h"
#include "control/planning/joint_trajectory.h"

namespace jointrig {
namespace {

constexpr double kForce = 10.0;       // N
constexpr double kStiffness = 800.0;  // N/m

sim::PlantOptions with_block() {
  sim::PlantOptions options;
  options.obstacles = {{"block", sim::ObstacleShape::kBox, {0.6, 0.6, 0.1}, 1.0}};
  return options;
}

RobotConfig franka() {
  RobotConfig config = app::load_robot(harness::find_robot("franka")).config;
  // Force is open loop: friction of the joints would be missing.
  config.plant.friction_scale = 0.0;
  return config;
}

struct Wiping {
  Wiping()
      : rig(franka(), {.plant = with_block()}),
        client(rig.stack().config(), rig.stack().inbox(), "test"),
        events(rig.stack().events()),
        tree(rig.stack().config()),
        trajectory(rig.stack().config(), tree, 0, ToolFrame::kWorld) {
    rig.start();
    rig.loop().step();
    client.set_mode(client.select("arm"), ModeRequest::kCartesian);
    run(500);
  }
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) rig.loop().step();
  }
  [[nodiscard]] const Snapshot& now() { return rig.stack().snapshot(); }
  [[nodiscard]] const ArmSnapshot& arm() { return now().arms[0]; }
  /// Force of the tool on the block, downwards, by physics [N].
  [[nodiscard]] double pressed() {
    return -rig.plant()->contact_force(rig.plant()->body("block"))[2];
  }
  /// Presses down with 10 N, all else impedance.
  void press() {
    rig.plant()->place(rig.plant()->obstacle("block"), {{0.5, 0.0, 0.407}, {1.0, 0.0, 0.0, 0.0}});
    SetInteractionControl settings{};
    settings.arm = 0;
    settings.axes[2] = InteractionAxis::kForce;
    settings.force[2] = -kForce;
    settings.stiffness = {kStiffness, kStiffness, kStiffness, 25.0, 25.0, 25.0};
    settings.damping_source = DampingSource::kRatio;
    settings.damping_ratio = 1.0;
    client.post(settings);
    run(3000);
  }
  /// @return  reason of the refusal, or none
  RejectReason follow(const JointPlan& plan) {
    Event event;
    while (events.next(event)) continue;
    auto draft = rig.stack().plans().claim();
    **draft = std::make_shared<const JointPlan>(plan);
    const PlanTicket ticket = rig.stack().plans().hand_over(std::move(*draft));
    client.post(FollowPlan{set_of(plan), ticket.slot, ticket.round});
    run(1);
    while (events.next(event)) {
      if (event.kind == EventKind::kRejected) return event.reason;
    }
    return RejectReason::kNone;
  }
  JointPlan line(const std::array<double, 3>& by, double speed) {
    ArmWaypoint to;
    to.by = by;
    to.linear_speed = speed;
    return trajectory.plan(now(), {to});
  }
  /// From the only plan that is followed, or from rest: these joints come to where they are
  /// expected to be then, but for the changes.
  JointPlan joints_by(const JointSet& joints, const std::map<std::string, double>& changes,
                      double speed, const JointPlan* followed = nullptr) {
    constexpr double kLead = 0.05;  // s
    std::vector<MotionState> by_joint(now().joints.size());
    for (std::size_t i = 0; i < by_joint.size(); ++i)
      by_joint[i].q = start_for_plan(now().joints[i]);
    const double time = followed != nullptr ? now().plans[0].time + kLead : 0.0;
    if (followed != nullptr) {
      std::vector<MotionState> states(followed->joints().size());
      JointPlan::Cursor cursor;
      followed->at(time, cursor, states);
      for (std::size_t j = 0; j < states.size(); ++j) by_joint[followed->joints()[j]] = states[j];
    }
    const TrajectoryJoints on = TrajectoryJoints::of(rig.stack().config(), joints);
    TrajectoryStart start;
    JointWaypoint to{{}, speed, 1.0};
    for (const JointIndex joint : on.index) {
      start.q.push_back(by_joint[joint].q);
      start.v.push_back(by_joint[joint].v);
      const auto change = changes.find(rig.stack().config().joints[joint].name);
      to.q.push_back(by_joint[joint].q + (change != changes.end() ? change->second : 0.0));
    }
    JointPlan plan = plan_through(on, start, {to});
    if (followed == nullptr) return plan;
    plan.after_slot = now().plans[0].slot;
    plan.after_round = now().plans[0].round;
    plan.after_time = time;
    return plan;
  }
  bool told(EventKind kind, PlanChange change) {
    bool found = false;
    Event event;
    while (events.next(event)) {
      found = found || (event.kind == kind && event.detail == static_cast<std::uint8_t>(change));
    }
    return found;
  }

  app::Rig rig;
  RobotClient client;
  EventRing::Reader events;
  KinematicTree tree;
  ArmTrajectory trajectory;
};

TEST(PlanInCartesian, WipesWithTenNewtonsAlongALine) {
  Wiping robot;
  robot.press();
  ASSERT_NEAR(robot.pressed(), kForce, 0.2);
  const auto from = robot.arm().tool.position;
  const JointPlan plan = robot.line({0.0, 0.2, 0.0}, 0.1);
  ASSERT_FALSE(plan.failure()) << to_string(plan.failure().reason);
  ASSERT_EQ(robot.follow(plan), RejectReason::kNone);

  // A rigid contact that slides chatters from cycle to cycle: means of 0.1 s.
  constexpr int kMean = 100;
  double sum = 0.0;
  double least = kForce;
  double most = kForce;
  double sideways = 0.0;
  double fastest_step = 0.0;
  auto target = robot.arm().target.position;
  const int cycles = static_cast<int>(1000.0 * plan.duration()) + 200;
  for (int i = 0; i < cycles; ++i) {
    robot.run(1);
    sum += robot.pressed();
    if (i % kMean == kMean - 1) {
      least = std::min(least, sum / kMean);
      most = std::max(most, sum / kMean);
      sum = 0.0;
    }
    sideways = std::max(sideways, std::abs(robot.arm().tool.position[0] - from[0]));
    const auto next = robot.arm().target.position;
    fastest_step = std::max(fastest_step, std::abs(next[1] - target[1]));
    target = next;
  }
  EXPECT_GT(least, 0.88 * kForce);
  EXPECT_LT(most, 1.12 * kForce);
  EXPECT_LT(sideways, 0.004) << "nothing but errors of the model pushes there";
  EXPECT_LT(fastest_step, 1.01e-4) << "0.1 m/s";
  robot.run(1000);
  // Friction of the block and the fingertips holds the tool back, some 1.3 N: e = 1.3 N / k.
  EXPECT_NEAR(robot.arm().tool.position[1], from[1] + 0.2, 1.5 * kForce / kStiffness + 0.002);
  EXPECT_NEAR(robot.arm().target.position[1], from[1] + 0.2, 0.002);
  EXPECT_NEAR(robot.pressed(), kForce, 0.5);
  EXPECT_TRUE(robot.told(EventKind::kPlan, PlanChange::kFinished));
  EXPECT_TRUE(robot.now().plans.empty());
}

TEST(PlanInCartesian, StopsAlongThePathAndIsLeftByATargetWithoutAStep) {
  for (const bool by_target : {false, true}) {
    SCOPED_TRACE(by_target ? "another target" : "stop");
    Wiping robot;
    robot.press();
    ASSERT_EQ(robot.follow(robot.line({0.0, 0.2, 0.0}, 0.1)), RejectReason::kNone);
    robot.run(1200);
    const double half = robot.arm().target.position[1];
    robot.run(1);
    if (by_target) {
      SetToolTarget target;
      target.arm = 0;
      target.position = robot.arm().tool.position;
      target.orientation = robot.arm().tool.orientation;
      robot.client.post(target);
    } else {
      robot.client.post(Stop{robot.client.select("arm")});
    }
    double step = 0.0;  // of the target's speed, from cycle to cycle
    double before = robot.arm().target.position[1];
    double speed = before - half;
    EXPECT_NEAR(speed, 0.1e-3, 0.2e-4);
    for (int i = 0; i < 1500; ++i) {
      robot.run(1);
      const double at = robot.arm().target.position[1];
      step = std::max(step, std::abs(at - before - speed));
      speed = at - before;
      before = at;
    }
    EXPECT_LT(step, 0.1e-4) << "of 0.1 m/s: it doesn't stop dead";
    EXPECT_NEAR(speed, 0.0, 1e-9);
    EXPECT_NEAR(robot.pressed(), kForce, 0.5);
    EXPECT_TRUE(robot.now().plans.empty());
    EXPECT_TRUE(by_target ? robot.told(EventKind::kPlanBroken, PlanChange::kLeft)
                          : robot.told(EventKind::kPlan, PlanChange::kStopped));
  }
}

TEST(PlanInCartesian, AnArmThatWasPushedAsideComesOntoItsPlanSmoothly) {
  Wiping robot;
  SetInteractionControl soft{};
  soft.arm = 0;
  soft.stiffness = {200.0, 200.0, 200.0, 25.0, 25.0, 25.0};
  soft.damping_source = DampingSource::kRatio;
  soft.damping_ratio = 1.0;
  robot.client.post(soft);
  robot.run(500);
  // 10 N hold the tool 5 cm off its target: the plan begins where the tool is.
  sim::Wrench push;
  push.body = robot.rig.plant()->body("panda_hand");
  push.force = {0.0, -10.0, 0.0};
  ASSERT_TRUE(robot.rig.plant()->apply(push));
  robot.run(1500);
  const double target = robot.arm().target.position[1];
  const double tool = robot.arm().tool.position[1];
  ASSERT_NEAR(target - tool, 0.05, 0.01);
  ASSERT_EQ(robot.follow(robot.line({0.0, 0.0, 0.1}, 0.05)), RejectReason::kNone);
  EXPECT_NEAR(robot.arm().target.position[1], target, 1e-4) << "it starts where it was";
  double fastest = 0.0;
  double before = robot.arm().target.position[1];
  for (int i = 0; i < 1000; ++i) {
    robot.run(1);
    fastest = std::max(fastest, std::abs(robot.arm().target.position[1] - before));
    before = robot.arm().target.position[1];
  }
  // A way d in T by the fifth degree: 15/8 d/T at most.
  EXPECT_NEAR(fastest, 15.0 / 8.0 * (target - tool) * 1e-3, 0.15e-4);
  EXPECT_NEAR(before, tool, 2e-3);
}

TEST(PlanInCartesian, OneAfterAnotherGoesOnWithoutAJump) {
  Wiping robot;
  robot.press();
  const JointPlan first = robot.line({0.0, 0.1, 0.0}, 0.1);
  ASSERT_EQ(robot.follow(first), RejectReason::kNone);
  robot.run(500);
  EXPECT_EQ(robot.follow(robot.line({0.0, -0.1, 0.0}, 0.1)), RejectReason::kNotAtStart)
      << "it still moves: a replacement may";
  while (!robot.now().plans.empty()) robot.run(1);
  // The tool is behind by friction and speed, and the target not: it doesn't go back to the tool.
  ASSERT_EQ(robot.follow(robot.line({0.0, -0.1, 0.0}, 0.1)), RejectReason::kNone);
  double step = 0.0;
  double before = robot.arm().target.position[1];
  for (int i = 0; i < 1000; ++i) {
    robot.run(1);
    step = std::max(step, std::abs(robot.arm().target.position[1] - before));
    before = robot.arm().target.position[1];
  }
  EXPECT_LT(step, 1.8e-4) << "0.1 m/s, and 15/8 of 4 cm in 1 s";
}

/// Largest change of the target's speed along an axis, over some cycles [m/s].
double jolt(Wiping& robot, int axis, int cycles) {
  const auto at = [&] { return robot.arm().target.position[static_cast<std::size_t>(axis)]; };
  double before = at();
  double speed = 0.0;
  double most = 0.0;
  for (int i = 0; i < cycles; ++i) {
    robot.run(1);
    most = std::max(most, std::abs((at() - before) / 1e-3 - speed));
    speed = (at() - before) / 1e-3;
    before = at();
  }
  return most;
}

TEST(PlanInCartesian, TheArmJoinsAFingerThatMoves) {
  Wiping robot;
  const JointSet finger = robot.client.select("hand");
  const JointSet arm = robot.client.select("arm");
  robot.client.set_mode(finger, ModeRequest::kPosition);
  robot.run(500);
  const JointPlan first = robot.joints_by(finger, {{"panda_finger_joint1", -0.02}}, 0.2);
  ASSERT_EQ(robot.follow(first), RejectReason::kNone);
  robot.run(100);
  const double turned = robot.now().joints[0].state.q;
  const JointPlan wider = robot.joints_by(
      finger | arm, {{"panda_joint1", 0.2}, {"panda_finger_joint1", -0.01}}, 0.2, &first);
  ASSERT_EQ(robot.follow(wider), RejectReason::kNone);
  // The way onto the plan is short; 15 rad/s² at 0.5 m are 8 mm/s in a cycle.
  EXPECT_LT(jolt(robot, 1, 3000), 0.01);
  EXPECT_TRUE(robot.told(EventKind::kPlan, PlanChange::kFinished));
  EXPECT_TRUE(robot.now().plans.empty());
  EXPECT_NEAR(robot.now().joints[0].state.q, turned + 0.2, 0.02);
  EXPECT_EQ(robot.now().joints[0].mode, JointMode::kCartesian);
}

TEST(PlanInCartesian, AFingerJoinsTheArmThatMovesAndPartOfAnArmDoesNot) {
  Wiping robot;
  const JointSet finger = robot.client.select("hand");
  const JointSet arm = robot.client.select("arm");
  robot.client.set_mode(finger, ModeRequest::kPosition);
  robot.run(500);
  const JointPlan line = robot.line({0.0, 0.2, 0.0}, 0.1);
  ASSERT_EQ(robot.follow(line), RejectReason::kNone);
  robot.run(500);
  const double before = robot.now().joints[7].reference.q;
  const JointPlan wider = robot.joints_by(
      finger | arm, {{"panda_joint1", 0.3}, {"panda_finger_joint1", -0.01}}, 0.2, &line);
  ASSERT_EQ(robot.follow(wider), RejectReason::kNone);
  EXPECT_LT(jolt(robot, 1, 40), 0.11) << "0.1 m/s to begin with, and it goes on";
  EXPECT_EQ(robot.now().joints[7].reference.q, before);
  robot.run(3000);
  EXPECT_NEAR(robot.now().joints[7].reference.q, before - 0.01, 1e-9);
  EXPECT_TRUE(robot.told(EventKind::kPlan, PlanChange::kFinished));

  const JointPlan alone = robot.joints_by(finger, {{"panda_finger_joint1", 0.01}}, 0.2);
  ASSERT_EQ(robot.follow(alone), RejectReason::kNone);
  robot.run(20);
  JointSet some = finger;
  some.set(0);
  EXPECT_EQ(robot.follow(robot.joints_by(some, {}, 0.2, &alone)), RejectReason::kIncompleteArm);
}

TEST(PlanInCartesian, IsRefusedFarFromItsStartAndWithoutAllJointsOfTheArm) {
  Wiping robot;
  const JointPlan plan = robot.line({0.0, 0.1, 0.0}, 0.1);
  SetToolTarget target;
  target.arm = 0;
  target.position = robot.arm().tool.position;
  target.position[1] -= 0.15;
  target.orientation = robot.arm().tool.orientation;
  robot.client.post(target);
  robot.run(2500);
  EXPECT_EQ(robot.follow(plan), RejectReason::kNotAtStart);
  EXPECT_EQ(robot.follow(robot.line({0.0, 0.1, 0.0}, 0.1)), RejectReason::kNone);
}

TEST(PlanInCartesian, IsRestoredToTheBit) {
  Wiping robot;
  ASSERT_EQ(robot.follow(robot.line({0.0, 0.1, 0.0}, 0.1)), RejectReason::kNone);
  robot.run(300);
  const Stack::State stack = robot.rig.stack().state();
  const auto backend = robot.rig.sim()->save();
  robot.run(200);
  const Snapshot then = robot.now();
  robot.rig.stack().restore(stack);
  robot.rig.sim()->restore(backend);
  robot.run(200);
  EXPECT_EQ(robot.arm().target, then.arms[0].target);
  EXPECT_EQ(robot.now().joints, then.joints);
}

}  // namespace
}  // namespace jointrig
