#pragma once
/// Makes a robot's configuration from an MJCF or URDF file alone: any of them works, without a
/// robot.yaml.
///
/// A hinge or slide joint is controlled if an actuator drives it directly, whatever the actuator's
/// law: jointrig replaces the actuator with a board and a plain motor. Every other joint is named
/// in a finding, with the reason. With `motors` those that nothing drives, couples or holds get a
/// motor each. Joints are in the order of the MJCF.

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/robot_config.h"
#include "control/discovery/arm_guess.h"
#include "control/discovery/default_gains.h"
#include "control/discovery/default_limits.h"
#include "control/discovery/remark.h"

namespace jointrig {

struct DiscoveryOptions {
  std::string keyframe{};                          ///< start pose; empty: as RobotConfig::keyframe
  bool pin_base = false;                           ///< as RobotConfig::pin_base
  std::optional<std::array<double, 3>> gravity{};  ///< as RobotConfig::gravity
  std::vector<std::string> packages{};             ///< as RobotConfig::package_path
  bool motors = false;                             ///< as RobotConfig::motors
  TimeNs period_ns = 1'000'000;
  int delay_cycles = 1;
};

/// The value of JointOrigin::tau_source for an estimate.
inline constexpr std::string_view kEstimate = "estimate";

/// Sources of a controlled joint's numbers.
struct JointOrigin {
  std::string
      actuators;  ///< name and kind of the replaced actuators: "elbow_servo (position servo)"
  std::string tau_source;      ///< "force range 2 x gear 50", "robot file", kEstimate
  double gravity = 0.0;        ///< torque that holds the start pose [N·m or N]
  double inertia_start = 0.0;  ///< inertia that the motor feels there [kg·m² or kg]
  bool floats = false;         ///< its base floats
  double armature = 0.0;       ///< armature in the model [kg·m² or kg]
  JointFacts facts;            ///< facts for its limits
  JointLoad load;              ///< load for its gains
};

struct Discovery {
  RobotConfig config;
  std::vector<Remark> findings;
  std::vector<JointOrigin> origins;  ///< one per joint of the configuration
  /// Inertia between its joints at the start pose, without the motors (braking_room.h)
  Eigen::MatrixXd between;
  std::vector<GuessedArm> arms;  ///< that could be set up; the configuration has none of them
  std::vector<GripperConfig> grippers;  ///< likewise
};

/// Reads a model and fills in a configuration. Throws ModelError if MuJoCo can't load it.
///
/// Limits: positions are the joint's range; torque is the actuators' (see JointOrigin), else
/// estimated as twice the torque for gravity, acceleration and friction; velocity is the URDF's,
/// else 2 rad/s or 0.25 m/s, down to a quarter or a twelfth of that where the range is crossed
/// sooner than in half a second; acceleration reaches that speed in 0.2 s, or takes half of the
/// torque that gravity leaves, or as much as lets all joints brake together (braking_room.h);
/// torque rate 50 times the torque per second; a step of position_direct 10 ms at full speed; soft
/// margin 1 % of the range, at most 0.02 rad or 0.005 m. All of these are choices. Gains:
/// default_gains.h, for the inertia of inertia_range.h.
///
/// A start outside a joint's limits is moved inside; a start within the soft margin narrows it.
Discovery discover(const std::string& path, const DiscoveryOptions& options = {});

}  // namespace jointrig
