#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/rig/rig.h"
#include "control/core/command_numbers.h"
#include "control/exchange/robot_client.h"
#include "control/planning/joint_trajectory.h"
#include "tests/support/alloc_guard.h"

namespace jointrig {
namespace {

constexpr std::uint16_t kSender = 62;  // whoever that is

/// One command that joints take in each streamed mode; nothing in the others.
std::optional<Command> stream(const Snapshot& now, ModeRequest mode) {
  const auto for_all = [&](CommandKind kind) {
    Request request = blank_request(kind);
    for (std::size_t i = 0; i < now.joints.size(); ++i) {
      const bool is_position = kind == CommandKind::kStreamPosition;
      const double number = is_position ? now.joints[i].reference.q + 1e-4 : 0.01;
      EXPECT_TRUE(add_joint(request, static_cast<JointIndex>(i), {&number, 1}));
    }
    return Command{.request = request, .sender = kSender};
  };
  switch (mode) {
    case ModeRequest::kPositionDirect:
      return for_all(CommandKind::kStreamPosition);
    case ModeRequest::kVelocity:
    case ModeRequest::kMixed:
      return for_all(CommandKind::kStreamVelocity);
    case ModeRequest::kTorque:
      return for_all(CommandKind::kStreamTorque);
    case ModeRequest::kOpenloop:
      return for_all(CommandKind::kStreamDuty);
    case ModeRequest::kCartesian: {
      const ToolPose& tool = now.arms[0].tool;
      StreamToolTarget target{{0, tool.position, tool.orientation}};
      for (double& x : target.position) x += 1e-4;
      return Command{.request = target, .sender = kSender};
    }
    case ModeRequest::kPosition: {
      DriveTool drive{.arm = 0, .frame = ToolFrame::kTool, .duration = 0.2};
      drive.velocity = {0.1, 0.05, -0.1, 0.2, 0.0, 0.5};
      // Another one with each command, while it goes.
      drive.free_rotation = kAllFreeRotation[now.cycle % kAllFreeRotation.size()];
      if (drive.free_rotation == FreeRotation::kAll) drive.velocity = {0.1, 0.05, -0.1};
      return Command{.request = drive, .sender = kSender};
    }
    default:
      return std::nullopt;
  }
}

/// A load, another tool, interaction control of all kinds of axes, another inertia, the cuff
/// grasped for 0.3 s.
std::vector<Command> for_the_arm() {
  SetInteractionControl control;
  control.arm = 0;
  control.axes[1] = InteractionAxis::kForce;
  control.axes[2] = InteractionAxis::kImpedanceWithForceLimit;
  control.axes[3] = InteractionAxis::kForceWithMotionLimit;
  control.is_max_impedance[0] = true;
  control.damping_source = DampingSource::kRatio;
  std::vector<Command> settings;
  for (const Request& request :
       {Request(SetGravity{{1.0, 0.0, -9.7}}),
        Request(SetPayload{0, 1.0, {0.0, 0.0, 0.05}, {0.01, 0.02, 0.02, 0.0, 0.001, 0.0}}),
        Request(SetTool{0, {0.0, 0.0, 0.1}}), Request(control), Request(SetCuff{0, 0.3}),
        Request(SetFreeAxes{0, {true, false, false, false, false, true}, ToolFrame::kBase}),
        Request(SetToolInertia{0, {2.0, 2.0, 2.0, 0.2, 0.2, 0.2}})}) {
    settings.push_back({.request = request, .sender = kSender});
  }
  return settings;
}

/// Thousands of cycles in every mode and interaction, with commands coming, streams falling silent,
/// refusals, faults and their way out: none may allocate, lock, throw or print.
TEST(Cycle, AllocatesLocksThrowsAndPrintsNothingInAnyMode) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  RobotConfig config = app::load_robot(harness::find_robot("franka")).config;
  config.avoidance->on = true;
  // On, with thresholds that nothing reaches: between its faults the arm falls into itself.
  constexpr double kNever = 1e9;
  config.detection =
      CollisionDetectionConfig{.on = true, .hand_force_max = kNever, .hand_torque_max = kNever};
  for (JointConfig& joint : config.joints) joint.impact_torque = joint.squish_torque = kNever;
  app::Rig rig(config, {});
  rig.start();
  RobotClient client(rig.stack().config(), rig.stack().inbox(), "test");
  const JointSet all = client.select("all");
  std::uint64_t number = 1'000'000;  // for commands posted from within the guarded part
  rig.loop().step();

  for (const InteractionMode interaction : kAllInteractionMode) {
    for (const ModeRequest mode : kAllModeRequest) {
      SCOPED_TRACE(std::string(to_string(mode)) + " " + std::string(to_string(interaction)));
      client.set_interaction(all, interaction);
      const bool of_an_arm = mode == ModeRequest::kCartesian;
      client.set_mode(of_an_arm ? client.select("arm") : all, mode);
      for (int i = 0; i < 10; ++i) rig.loop().step();
      EXPECT_EQ(rig.stack().snapshot().arms[0].runs, of_an_arm);
      std::optional<Command> prepared = stream(rig.stack().snapshot(), mode);
      Command wrong;  // refused in every mode: no joint named
      wrong.sender = 63;

      const std::vector<Command> settings = for_the_arm();

      RealtimeGuard guard;
      for (int i = 0; i < 1500; ++i) {
        if (i < 1000 && i % 5 == 0 && prepared) {
          prepared->number = ++number;
          rig.stack().inbox().push(*prepared);
        }
        if (i % 200 == 100) {
          Command setting = settings[static_cast<std::size_t>(i) / 200 % settings.size()];
          setting.number = ++number;
          rig.stack().inbox().push(setting);
        }
        if (i % 100 == 0) {
          wrong.number = ++number;
          rig.stack().inbox().push(wrong);
        }
        if (i == 1200) rig.sim()->inject(2, sim::SimFault::kOverTemperature, 150.0, to_ns(0.02));
        rig.loop().step();
      }
      const ViolationCounts counts = guard.violations();
      EXPECT_EQ(counts, kNoViolations) << guard.report();
      EXPECT_EQ(rig.stack().snapshot().joints[2].mode, JointMode::kHwFault);
      client.set_mode(all, ModeRequest::kForceIdle);
      for (int i = 0; i < 30; ++i) rig.loop().step();
      EXPECT_EQ(rig.stack().snapshot().joints[2].mode, JointMode::kIdle);
    }
  }
}

TEST(Cycle, AllocatesLocksThrowsAndPrintsNothingWhileTargetsAreReplacedAndCancelled) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  app::Rig rig(app::load_robot(harness::find_robot("franka")).config, {});
  rig.start();
  RobotClient client(rig.stack().config(), rig.stack().inbox(), "test");
  rig.loop().step();
  client.set_mode(client.select("arm"), ModeRequest::kPosition);
  for (int i = 0; i < 200; ++i) rig.loop().step();
  const JointSet arm = client.select("arm");
  std::vector<Command> commands;
  for (const auto& [target, shape] : {std::pair{TargetKind::kPosition, MotionShape::kJerkLimited},
                                      {TargetKind::kVelocity, MotionShape::kJerkLimited},
                                      {TargetKind::kPosition, MotionShape::kAccelerationLimited}}) {
    SetJointTarget command{.joints = arm, .values = {}, .target = target, .shape = shape};
    for (std::size_t i = 0; i < arm.count(); ++i) {
      const double q = rig.stack().snapshot().joints[i].reference.q;
      const double way = static_cast<double>(i + 1) * (q < 0.0 ? 0.02 : -0.02);
      command.values.push_back({.q = q + way, .v = target == TargetKind::kVelocity ? way : 0.0});
    }
    commands.push_back({.request = command, .sender = kSender});
    command.synchronise = Synchronisation::kStraight;
    commands.push_back({.request = command, .sender = kSender});
  }
  std::uint64_t number = 1'000'000;
  double fastest = 0.0;
  RealtimeGuard guard;
  for (std::size_t i = 0; i < 1800; ++i) {
    Command command = commands[i / 50 % commands.size()];
    command.number = ++number;
    const bool is_cancelled = i % 100 >= 70;
    if (i < 1700 && !is_cancelled) rig.stack().inbox().push(command);
    if (i % 100 == 70) rig.stack().inbox().push({Cancel{arm}, kSender, ++number});
    if (i % 300 == 99) rig.stack().inbox().push({SetSpeedOverride{0.5}, kSender, ++number});
    if (i % 300 == 299) rig.stack().inbox().push({SetSpeedOverride{1.0}, kSender, ++number});
    rig.loop().step();
    fastest = std::max(fastest, std::abs(rig.stack().snapshot().joints[6].reference.v));
  }
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
  EXPECT_GT(fastest, 0.05);
}

/// The command that follows a plan.
FollowPlan handed_over(Stack& stack, JointPlan plan, const JointSet& joints) {
  auto draft = stack.plans().claim();
  **draft = std::make_shared<const JointPlan>(std::move(plan));
  const PlanTicket ticket = stack.plans().hand_over(std::move(*draft));
  return {joints, ticket.slot, ticket.round};
}

TEST(Cycle, AllocatesLocksThrowsAndPrintsNothingWhilePlansAreFollowedReplacedStoppedAndRefused) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  app::Rig rig(app::load_robot(harness::find_robot("franka")).config, {});
  rig.start();
  Stack& stack = rig.stack();
  RobotClient client(stack.config(), stack.inbox(), "test");
  const JointSet arm = client.select("arm");
  rig.loop().step();
  client.set_mode(arm, ModeRequest::kPosition);
  for (int i = 0; i < 200; ++i) rig.loop().step();

  const TrajectoryJoints joints = TrajectoryJoints::of(stack.config(), arm);
  constexpr double kBranch = 0.5;
  TrajectoryStart here;
  for (const JointIndex joint : joints.index) {
    here.q.push_back(stack.snapshot().joints[joint].reference.q);
  }
  const auto moved = [&](double by) {
    std::vector<double> q = here.q;
    for (double& x : q) x += by;
    return JointWaypoint{q, 1.0, 1.0};
  };
  // For all joints but the last, which joins them behind the branch.
  const JointSet most = arm & ~JointSet().set(joints.index.back());
  const auto without_last = [](std::vector<double> q) {
    q.pop_back();
    return q;
  };
  std::vector<JointWaypoint> points{moved(0.2), moved(-0.2), moved(0.1)};
  for (JointWaypoint& point : points) point.q = without_last(point.q);
  const JointPlan first =
      plan_through(TrajectoryJoints::of(stack.config(), most), {without_last(here.q), {}}, points);
  JointPlan::Cursor cursor;
  std::vector<MotionState> states(joints.index.size());
  first.at(kBranch, cursor, {states.data(), states.size() - 1});
  states.back().q = here.q.back();
  TrajectoryStart under_way;
  for (const MotionState& state : states) {
    under_way.q.push_back(state.q);
    under_way.v.push_back(state.v);
  }
  const FollowPlan follow = handed_over(stack, first, most);
  const auto behind = [&](JointPlan plan) {
    plan.after_slot = follow.slot;
    plan.after_round = follow.round;
    plan.after_time = kBranch;
    return handed_over(stack, std::move(plan), arm);
  };
  const FollowPlan dropped = behind(plan_through(joints, under_way, {moved(0.3)}));
  const FollowPlan replace = behind(plan_through(joints, under_way, {moved(-0.3), moved(0.0)}));
  const FollowPlan bad = handed_over(stack, plan_through(joints, here, {moved(10.0)}), arm);
  EventRing::Reader events(stack.events());
  std::uint64_t number = 1'000'000;
  const auto post = [&](const Request& request) {
    stack.inbox().push({.request = request, .sender = kSender, .number = ++number});
  };

  RealtimeGuard guard;
  post(follow);
  for (int i = 0; i < 2000; ++i) {
    if (i == 100) post(bad);
    if (i == 280) post(dropped);
    if (i == 300) post(replace);
    if (i == 800) post(Stop{arm});
    rig.loop().step();
  }
  const ViolationCounts counts = guard.violations();
  EXPECT_EQ(counts, kNoViolations) << guard.report();

  std::vector<PlanChange> changes;
  int refusals = 0;
  for (Event event; events.next(event);) {
    if (event.kind == EventKind::kRejected) ++refusals;
    const bool is_of_a_plan =
        event.kind == EventKind::kPlan || event.kind == EventKind::kPlanBroken;
    const auto change = static_cast<PlanChange>(event.detail);
    if (is_of_a_plan && change != PlanChange::kWaypoint) changes.push_back(change);
  }
  EXPECT_EQ(refusals, 1);
  EXPECT_EQ(changes,
            (std::vector{PlanChange::kStarted, PlanChange::kReplaced, PlanChange::kReplaced,
                         PlanChange::kStarted, PlanChange::kStopped}));
}

}  // namespace
}  // namespace jointrig
