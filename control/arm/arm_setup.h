#pragma once

#include <vector>

#include "control/core/capabilities.h"
#include "control/core/robot_config.h"
#include "control/laws/arm_math.h"
#include "control/laws/posture.h"
#include "control/model/robot_model.h"

namespace jointrig {

/// What of an arm doesn't change while the loop runs.
struct ArmSetup {
  ArmConfig config;
  FrameId tool;
  FrameId base;
  JointIndex shoulder = 0;    ///< the joint next to the base
  double reach = 0.0;         ///< the tool is never further from the shoulder's anchor [m]
  double dt = 0.001;          ///< of a cycle [s]
  double torque_share = 1.0;  ///< of the average torque that the guide holds, in a cycle
  PostureGains posture;
  ArmVector joint_inertia;              ///< that each motor feels [kg·m² or kg]
  ArmVector limit_damping;              ///< of the term limits [N·m·s/rad or N·s/m]
  std::vector<double> soft_min;         ///< by joint of the arm
  std::vector<double> soft_max;         ///< likewise
  std::vector<bool> board_has_gravity;  ///< its board compensates gravity itself
  std::vector<bool> senses_torque;      ///< else what it was sent counts as its torque
};

/// Throws ModelError (a frame that isn't there) and std::invalid_argument (a tool that the joints
/// don't move), each with the place in the robot's file.
ArmSetup make_arm_setup(const ArmConfig& arm, const RobotConfig& robot,
                        const std::vector<JointCapabilities>& boards, RobotModel& model);

/// d = 2 ζ √(k I) of each joint alone. [N·m·s/rad or N·s/m]
ArmVector posture_damping(const ArmSetup& setup, const ArmVector& stiffness) noexcept;

}  // namespace jointrig
