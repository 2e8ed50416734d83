#pragma once

#include <vector>

#include "control/core/capabilities.h"
#include "control/core/robot_config.h"
#include "control/laws/arm_math.h"
#include "control/laws/loop_bounds.h"
#include "control/laws/posture.h"
#include "control/model/robot_model.h"

namespace jointrig {

/// Constants of an arm while the loop runs.
struct ArmSetup {
  ArmConfig config;
  FrameId tool;
  FrameId base;
  JointIndex shoulder = 0;    ///< the joint next to the base
  double reach = 0.0;         ///< largest distance of the tool from the shoulder's anchor [m]
  double dt = 0.001;          ///< duration of a cycle [s]
  double torque_share = 1.0;  ///< weight of one cycle in the averaged holding torque of the guide
  LoopBounds bounds;          ///< of its slowest joint
  PostureGains posture;
  ArmVector joint_inertia;  ///< felt by each motor [kg·m² or kg]
  ArmVector limit_damping;  ///< damping of the term limits [N·m·s/rad or N·s/m]
  ArmVector limit_torque;   ///< its largest torque [N·m or N]
  ArmVector torque_max;     ///< [N·m or N]
  /// Inertia that the torque loop of a spring leaves of its motor, k/w²: the model lacks it
  /// [kg·m² or kg]
  ArmVector spring_inertia;
  double guide_rate = 0.0;              ///< α of the guide's brake (guide_brake.h) [1/s]
  double loop_time = 0.0;               ///< longest of its joints (loop_time()) [s]
  std::vector<double> soft_min;         ///< by joint of the arm
  std::vector<double> soft_max;         ///< by joint of the arm
  std::vector<bool> board_has_gravity;  ///< its board compensates gravity
  std::vector<bool> senses_torque;      ///< false: the torque sent counts as its torque
};

/// Throws ModelError (a frame does not exist) and std::invalid_argument (the joints don't move the
/// tool), each with the place in robot.yaml.
ArmSetup make_arm_setup(const ArmConfig& arm, const RobotConfig& robot,
                        const std::vector<JointCapabilities>& boards, RobotModel& model);

/// d = 2 ζ √(k I) for each joint alone. [N·m·s/rad or N·s/m]
ArmVector posture_damping(const ArmSetup& setup, const ArmVector& stiffness) noexcept;

}  // namespace jointrig
