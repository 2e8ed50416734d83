#pragma once

#include <array>

#include "control/arm/arm_motion.h"
#include "control/core/arm_commands.h"
#include "control/laws/cartesian_interaction.h"
#include "control/laws/force_feedback.h"

namespace jointrig {

/// Interaction control of an arm: what it was set to, and the wrench that comes of it.
///
/// Stiffness of an axis with max_impedance is worked out for the pose in which the settings begin
/// to act, and stays: m ω² with m what the tool feels along that axis and ω of 5 Hz (a choice: a
/// tenth of what a cycle of delay allows), within the cap of the stiffness and that of
/// impedance_max.
///
/// Plain data. All functions are for the cycle.
class ArmInteraction {
 public:
  void set(const InteractionSettings& settings) noexcept;
  void turn_off() noexcept { active_ = false; }
  [[nodiscard]] bool active() const noexcept { return active_; }
  [[nodiscard]] const InteractionSettings& settings() const noexcept { return settings_; }

  /// The wrench on the tool at the point of the interaction frame, and that point's Jacobian.
  struct Pull {
    InteractionOutput wrench;
    ArmJacobian jacobian;
  };
  /// @param forces  of this cycle: what a good sensor feels corrects axes under force control
  [[nodiscard]] Pull pull(const ArmSetup& setup, const ArmMotion& motion, const Placement& target,
                          const ArmForces& forces) noexcept;

  void describe(InteractionSnapshot& out) const noexcept;

 private:
  [[nodiscard]] InteractionLaw law(const ArmSetup& setup, const ToolInertia& felt,
                                   const Eigen::Matrix3d& axes) const noexcept;
  void find_stiffness(const ArmSetup& setup, const ToolInertia& felt,
                      const Eigen::Matrix3d& axes) noexcept;

  InteractionSettings settings_;
  Vector6 stiffness_ = Vector6::Zero();
  ForceFeedback feedback_;
  bool active_ = false;
  bool is_new_ = false;
};

}  // namespace jointrig
