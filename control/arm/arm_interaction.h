#pragma once

#include <array>

#include "control/arm/arm_motion.h"
#include "control/core/arm_commands.h"
#include "control/laws/cartesian_interaction.h"
#include "control/laws/force_feedback.h"

namespace jointrig {

/// Interaction control of an arm: its settings and its wrench.
///
/// The stiffness of an axis with max_impedance is computed for the pose in which the settings begin
/// to act, and then stays: m ω², with the mass m of the tool along that axis and ω of 5 Hz (a
/// choice: a tenth of the limit by a cycle of delay), within the caps of stiffness and
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
  /// @param forces of this cycle: readings of a good sensor correct axes under force control
  [[nodiscard]] Pull pull(const ArmSetup& setup, const ArmMotion& motion, const Placement& target,
                          const ArmForces& forces) noexcept;

  void describe(InteractionSnapshot& out) const noexcept;

 private:
  [[nodiscard]] InteractionLaw law(const ArmSetup& setup, const ToolInertia& felt,
                                   const Eigen::Matrix3d& axes) const noexcept;
  void damp_free_axes(InteractionLaw& law, double rate, const ToolInertia& felt,
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
