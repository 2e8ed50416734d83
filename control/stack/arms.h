#pragma once

#include <span>
#include <vector>

#include "control/arm/arm_control.h"
#include "control/stack/event_reporter.h"
#include "control/stack/external_forces.h"
#include "control/stack/joints.h"
#include "control/stack/placed_model.h"
#include "control/stack/protections.h"

namespace jointrig {

/// The arms of the robot: the orders of each to its joints, and its events.
///
/// Functions are for the cycle unless they say otherwise.
class Arms {
 public:
  /// State that is saved and restored by assignment.
  struct State {
    std::vector<ArmControl> controls;            ///< by arm
    std::vector<JointControl::ArmOrder> orders;  ///< by joint of the robot
  };

  /// Throws ConfigError. Before the first cycle.
  Arms(const RobotConfig& config, const std::vector<JointCapabilities>& boards,
       const PlacedModel& model);

  /// Gives the model the arms' loads. Call before the model is placed.
  void carry_loads(PlacedModel& model, EventReporter& events) noexcept;

  /// Runs one cycle, after forces and protections.
  /// @param shown  written, never read
  void advance(PlacedModel& model, Joints joints, const ExternalForces& forces,
               Protections& protections, double speed_override, EventReporter& events,
               std::span<ArmSnapshot> shown) noexcept;

  /// Orders of the arms to each joint of the robot, in this cycle.
  [[nodiscard]] std::span<const JointControl::ArmOrder> orders() const noexcept {
    return state_.orders;
  }
  [[nodiscard]] std::span<const ArmSetup> setups() const noexcept { return setups_; }
  /// The arm of a joint, or kNoArm.
  [[nodiscard]] ArmIndex arm_of(std::size_t joint) const noexcept { return arm_of_[joint]; }
  [[nodiscard]] std::span<ArmControl> controls() noexcept { return state_.controls; }
  [[nodiscard]] std::span<const ArmControl> controls() const noexcept { return state_.controls; }

  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state);

 private:
  void report(std::size_t arm, const ArmControl::Outcome& outcome, Joints joints,
              EventReporter& events) const noexcept;

  std::vector<ArmSetup> setups_;
  std::vector<ArmIndex> arm_of_;
  ArmWorkspace workspace_;
  State state_;
};

}  // namespace jointrig
