#pragma once
/// A robot of two joints for tests of the runner: a hinge "elbow" and a slide "rail/z-1", with odd
/// limits, and snapshots to be filled by hand.

#include <string>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"

namespace jointrig::testing {

inline RobotConfig two_joint_robot() {
  RobotConfig config;
  config.name = "odd";
  JointConfig elbow;
  elbow.name = "elbow";
  elbow.limits.q_min = -0.5;
  elbow.limits.q_max = 2.0;
  elbow.limits.v_max = 3.0;
  elbow.limits.a_max = 20.0;
  elbow.limits.tau_max = 12.0;
  elbow.limits.tau_rate_max = 400.0;
  JointConfig rail = elbow;
  rail.name = "rail/z-1";
  rail.slide = true;
  rail.limits.tau_max = 100.0;
  config.joints = {elbow, rail};
  config.parts = {{"arm", {0, 1}}};
  config.poses = {{"home", {0.25, 0.1}}, {"up", {1.0, std::nullopt}}};
  return config;
}

inline Snapshot snapshot_at(const RobotConfig& config, std::uint64_t cycle) {
  Snapshot snapshot;
  snapshot.cycle = cycle;
  snapshot.time_ns = static_cast<TimeNs>(cycle) * config.period_ns;
  snapshot.joints.resize(config.joints.size());
  for (JointSnapshot& joint : snapshot.joints) joint.mode = JointMode::kIdle;
  return snapshot;
}

}  // namespace jointrig::testing
