#include "control/stack/stack_checks.h"

#include <fmt/core.h>

#include <cmath>
#include <string>

#include "control/safety/admission.h"
#include "control/stack/config_error.h"
#include "control/stack/law_declaration.h"

namespace jointrig {
namespace {

void check_boards(const RobotConfig& config, const std::vector<JointCapabilities>& boards) {
  const std::size_t joints = config.joints.size();
  if (joints == 0) {
    throw ConfigError(fmt::format("robot \"{}\" has no joint that can be controlled", config.name));
  }
  if (joints > kMaxJoints) {
    throw ConfigError(
        fmt::format("robot \"{}\" has {} joints, more than the {} of one stack: split it "
                    "into parts with a stack each",
                    config.name, joints, kMaxJoints));
  }
  if (boards.size() != joints) {
    throw ConfigError(fmt::format("robot \"{}\" has {} joints, its backend drives {}", config.name,
                                  joints, boards.size()));
  }
  for (std::size_t i = 0; i < boards.size(); ++i) {
    if (boards[i].joint == config.joints[i].name) continue;
    throw ConfigError(
        fmt::format("joint {} is \"{}\" for the stack and \"{}\" for the backend: their "
                    "order must be the same",
                    i, config.joints[i].name, boards[i].joint));
  }
}

void check_joint(const JointConfig& joint) {
  const JointLimits& l = joint.limits;
  const auto refuse = [&](const std::string& what) {
    throw ConfigError(fmt::format("joint \"{}\": {}", joint.name, what));
  };
  if (!(l.tau_max > 0.0)) refuse("no torque limit is known; set torque_max in the robot file");
  if (!(l.tau_rate_max > 0.0)) refuse("torque_rate_max must be above 0");
  if (!(l.v_max > 0.0)) refuse("velocity_max must be above 0");
  if (!(l.a_max > 0.0)) refuse("acceleration_max must be above 0");
  if (!(l.step_max > 0.0)) refuse("step_max must be above 0");
  if (!(l.q_min + l.soft_margin < l.q_max - l.soft_margin)) {
    refuse(fmt::format(
        "its soft limits leave no room: position_min {}, position_max {}, soft_margin {}", l.q_min,
        l.q_max, l.soft_margin));
  }
  const JointGains& g = joint.gains;
  for (const double gain : {g.inertia, g.kp, g.ki, g.kd, g.stiffness, g.damping}) {
    if (!std::isfinite(gain) || gain < 0.0) refuse("a gain is negative or not a number");
  }
  if (!(joint.timeout.seconds > 0.0)) refuse("the command timeout must be above 0");
}

}  // namespace

RobotConfig checked(RobotConfig config, const std::vector<JointCapabilities>& boards) {
  check_boards(config, boards);
  if (!(to_seconds(config.period_ns) > 0.0)) throw ConfigError("the period must be above 0");
  for (const JointConfig& joint : config.joints) check_joint(joint);
  declare_laws(config);
  return config;
}

namespace {

/// Mode inverse_kinematics leads loops that are stiff whatever the joint carries. The stack's own
/// stiff law is made for the inertia that a hanging leg has, not for the robot on it.
void check_led_joint(const RobotConfig& robot, const JointSetup& joint) {
  const auto drive = joint.drive(ControlMode::kPosition, InteractionMode::kStiff);
  const bool is_computed = drive == DriveMode::kTorque && !joint.config.gains.is_pid;
  if (drive && !is_computed) return;
  throw ConfigError(fmt::format(
      "{}whole_body: mode inverse_kinematics leads loops of position with gains of their own, and "
      "joint \"{}\" has none; give it closes_position: board, or kp, ki and kd, take another mode, "
      "or bolt the robot down (pin_base: true)",
      robot.whole_body->place, joint.config.name));
}

}  // namespace

void check_body_mode(const RobotConfig& robot, std::span<const JointSetup> joints) {
  if (robot.whole_body->mode == CoreMode::kInverseKinematics) {
    for (const JointSetup& joint : joints) check_led_joint(robot, joint);
    return;
  }
  for (const JointSetup& joint : joints) {
    if (joint.drive(ControlMode::kTorque, InteractionMode::kStiff)) continue;
    throw ConfigError(
        fmt::format("{}whole_body: mode {} gives every joint its torque, and the board of joint "
                    "\"{}\" takes none; "
                    "give it a board that does, or bolt the robot down (pin_base: true)",
                    robot.whole_body->place, to_string(robot.whole_body->mode), joint.config.name));
  }
}

void check_first_speed(double factor) {
  if (!check_speed_override(factor)) return;
  throw ConfigError(fmt::format("a speed override of {} is out of range: give {} to 1", factor,
                                kLeastSpeedOverride));
}

}  // namespace jointrig
