#include <gtest/gtest.h>

#include "app/rig/rig.h"
#include "control/core/interaction_command.h"
#include "control/exchange/robot_client.h"
#include "tests/support/alloc_guard.h"

namespace jointrig {
namespace {

/// One command a joint takes in each streamed mode; nothing in the others.
void stream(RobotClient& client, const RobotConfig& config, const Snapshot& now, ModeRequest mode,
            std::vector<Command>& prepared) {
  prepared.clear();
  Command c;
  switch (mode) {
    case ModeRequest::kPositionDirect:
      c.kind = CommandKind::kStreamPosition;
      break;
    case ModeRequest::kVelocity:
    case ModeRequest::kMixed:
      c.kind = CommandKind::kStreamVelocity;
      break;
    case ModeRequest::kTorque:
      c.kind = CommandKind::kStreamTorque;
      break;
    case ModeRequest::kOpenloop:
      c.kind = CommandKind::kStreamDuty;
      break;
    case ModeRequest::kCartesian: {
      c.kind = CommandKind::kStreamToolTarget;
      c.arm = 0;
      const ToolPose& tool = now.arms[0].tool;
      for (const double x : tool.position) c.numbers.push_back(x + 1e-4);
      for (const double x : tool.orientation) c.numbers.push_back(x);
      c.sender = client.sender();
      prepared.push_back(c);
      return;
    }
    default:
      return;
  }
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    c.joints.set(i);
    const bool position = c.kind == CommandKind::kStreamPosition;
    c.values.push_back({position ? now.joints[i].reference.q + 1e-4 : 0.01, 0.0});
  }
  c.sender = client.sender();
  prepared.push_back(c);
}

/// Interaction control of all kinds of axes, another inertia, the cuff grasped for 0.3 s.
std::vector<Command> for_the_arm() {
  std::vector<Command> settings(4);
  for (Command& setting : settings) {
    setting.arm = 0;
    setting.sender = 62;
  }
  settings[0].kind = CommandKind::kSetInteractionControl;
  settings[0].numbers.resize(kAtPostureStiffness);
  settings[0].numbers[kAtAxes + 1] = static_cast<double>(InteractionAxis::kForce);
  settings[0].numbers[kAtAxes + 2] = static_cast<double>(InteractionAxis::kImpedanceWithForceLimit);
  settings[0].numbers[kAtAxes + 3] = static_cast<double>(InteractionAxis::kForceWithMotionLimit);
  settings[0].numbers[kAtMaxImpedance] = 1.0;
  settings[0].numbers[kAtDampingSource] = static_cast<double>(DampingSource::kRatio);
  settings[0].numbers[kAtOrientation] = 1.0;
  settings[1].kind = CommandKind::kSetCuff;
  settings[1].numbers.push_back(0.3);
  settings[2].kind = CommandKind::kSetFreeAxes;
  for (const double number : {1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0}) {
    settings[2].numbers.push_back(number);
  }
  settings[3].kind = CommandKind::kSetToolInertia;
  for (const double number : {2.0, 2.0, 2.0, 0.2, 0.2, 0.2}) settings[3].numbers.push_back(number);
  return settings;
}

/// Thousands of cycles in every mode and interaction, with commands coming, streams falling silent,
/// refusals, faults and their way out: none may allocate, lock, throw or print.
TEST(Cycle, AllocatesLocksThrowsAndPrintsNothingInAnyMode) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  RobotConfig config = load_robot(find_robot("franka")).config;
  config.avoidance->on = true;
  // On, with thresholds that nothing reaches: between its faults the arm falls into itself.
  constexpr double kNever = 1e9;
  config.detection =
      CollisionDetectionConfig{.on = true, .hand_force_max = kNever, .hand_torque_max = kNever};
  for (JointConfig& joint : config.joints) joint.impact_torque = joint.squish_torque = kNever;
  Rig rig(config, {});
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
      std::vector<Command> prepared;
      stream(client, rig.stack().config(), rig.stack().snapshot(), mode, prepared);
      Command wrong;  // refused in every mode: no joint named
      wrong.sender = 63;

      const std::vector<Command> settings = for_the_arm();

      RealtimeGuard guard;
      for (int i = 0; i < 1500; ++i) {
        if (i < 1000 && i % 5 == 0 && !prepared.empty()) {
          prepared[0].sender = 62;
          prepared[0].number = ++number;
          rig.stack().inbox().push(prepared[0]);
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
        if (i == 1200) rig.sim()->inject(2, SimFault::kOverTemperature, 150.0, to_ns(0.02));
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
