#pragma once

#include <span>
#include <string>
#include <vector>

#include "control/arm/arm_control.h"
#include "control/laws/force_sensing.h"
#include "control/laws/momentum_observer.h"
#include "control/stack/event_reporter.h"
#include "control/stack/joints.h"
#include "control/stack/placed_model.h"

namespace jointrig {

/// External forces on the robot: from the force/torque sensors of its arms, and from the joints'
/// momentum (laws/momentum_observer.h).
///
/// Functions are for the cycle unless they say otherwise.
class ExternalForces {
 public:
  /// State that is saved and restored by assignment.
  struct State {
    std::vector<MomentumObserver> observers;  ///< by joint, with external_torque.gain
    std::vector<MomentumObserver> quick;      ///< by joint, with kContactGain
    /// Torque sent to each joint's board in the cycle before the last; NaN: none.
    std::vector<double> sent_before;
    std::vector<ForceSensing> sensing;  ///< by arm
  };

  /// Throws ConfigError: a gain below 0, a sensor that the model lacks or that doesn't carry the
  /// arm's tool. Call before the first cycle.
  ExternalForces(const RobotConfig& config, const PlacedModel& model,
                 std::span<const ArmSetup> arms);

  /// Sets the sites of the backend's sensors. Call before the first cycle.
  /// @return  a sentence for each arm whose sensor the backend doesn't read
  std::vector<std::string> connect(const std::vector<std::string>& sites,
                                   std::span<const ArmSetup> arms);
  /// True if the backend reads the arm's sensor.
  [[nodiscard]] bool has_sensor(std::size_t arm) const noexcept {
    return sensors_[arm].sample >= 0;
  }
  [[nodiscard]] ForceSensing& sensing(std::size_t arm) noexcept { return state_.sensing[arm]; }
  [[nodiscard]] const ForceSensing& sensing(std::size_t arm) const noexcept {
    return state_.sensing[arm];
  }

  /// Runs one cycle, after the model was placed.
  void advance(const RobotState& state, PlacedModel& model, Joints joints,
               std::span<const ArmSetup> arms, std::span<const ArmControl> controls,
               EventReporter& events) noexcept;

  /// External torques of this cycle, by joint.
  [[nodiscard]] std::span<const ExternalTorque> torques() const noexcept { return torques_; }
  /// External torque with the gain of collision detection [N·m or N].
  [[nodiscard]] double quick_torque(std::size_t joint) const noexcept {
    return state_.quick[joint].external();
  }
  /// Forces on an arm by its sensor; the external wrench isn't included.
  [[nodiscard]] const ArmForces& of_arm(std::size_t arm) const noexcept { return forces_[arm]; }

  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state);

 private:
  struct SensorPlace {
    FrameId site;
    int sample = -1;  // index in RobotState::force_torque; -1: the backend has no such sensor
  };

  void observe(PlacedModel& model, Joints joints) noexcept;
  [[nodiscard]] double acting_torque(std::size_t joint, const PlacedModel& model,
                                     Joints joints) noexcept;
  void read_sensor(std::size_t arm, const RobotState& state, const RobotModel& model,
                   const ArmSetup& setup, const ArmControl& control,
                   EventReporter& events) noexcept;
  [[nodiscard]] Vector6 weight_on_sensor(std::size_t arm, const FramePose& site,
                                         const RobotModel& model, const ArmSetup& setup,
                                         const KnownPayload& payload) const noexcept;
  void report(std::size_t arm, const ForceSensing::Outcome& outcome,
              EventReporter& events) const noexcept;

  double dt_;                             // s
  double share_ = 0.0;                    // 1 − e^{−K dt}; 0: no observer
  double quick_share_;                    // of kContactGain
  std::vector<FrictionConfig> friction_;  // by joint, for the observer
  std::vector<SensorPlace> sensors_;      // by arm
  std::vector<ExternalTorque> torques_;   // by joint, in this cycle
  std::vector<ArmForces> forces_;         // by arm, in this cycle
  State state_;
};

}  // namespace jointrig
