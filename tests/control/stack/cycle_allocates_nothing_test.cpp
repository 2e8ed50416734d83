#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "app/rig/rig.h"
#include "control/core/command_numbers.h"
#include "control/exchange/robot_client.h"
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
       {Request(SetPayload{0, 1.0, {0.0, 0.0, 0.05}, {0.01, 0.02, 0.02, 0.0, 0.001, 0.0}}),
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

}  // namespace
}  // namespace jointrig
