#include <gtest/gtest.h>

#include "app/rig.h"
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
      c.kind = CommandKind::kVelocity;
      break;
    case ModeRequest::kTorque:
      c.kind = CommandKind::kTorque;
      break;
    case ModeRequest::kOpenloop:
      c.kind = CommandKind::kDuty;
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

      RealtimeGuard guard;
      for (int i = 0; i < 1500; ++i) {
        if (i < 1000 && i % 5 == 0 && !prepared.empty()) {
          prepared[0].sender = 62;
          prepared[0].number = ++number;
          rig.stack().inbox().push(prepared[0]);
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
