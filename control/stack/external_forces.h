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

/// What acts on the robot beside its motors: by the force/torque sensors of its arms, and by the
/// joints' momentum (laws/momentum_observer.h).
///
/// Functions are for the cycle unless they say otherwise.
class ExternalForces {
 public:
  /// All that changes: saved and restored by assignment.
  struct State {
    std::vector<MomentumObserver> observers;  ///< by joint, of external_torque.gain
    std::vector<MomentumObserver> quick;      ///< by joint, of kContactGain
    std::vector<KnownPayload> observed;       ///< by arm: the payload in the joints' momentum
    /// Torque that each joint's board was sent in the cycle before the last; NaN: none.
    std::vector<double> sent_before;
    std::vector<ForceSensing> sensing;  ///< by arm
  };

  /// Throws ConfigError: a gain below 0, a sensor that the model lacks or that doesn't carry the
  /// arm's tool. Before the first cycle.
  ExternalForces(const RobotConfig& config, const PlacedModel& model,
                 std::span<const ArmSetup> arms);

  /// Which sites the backend's sensors sit at. Before the first cycle.
  /// @return  a sentence for each arm whose sensor the backend doesn't read
  std::vector<std::string> connect(const std::vector<std::string>& sites,
                                   std::span<const ArmSetup> arms);
  /// The backend reads the arm's sensor.
  [[nodiscard]] bool has_sensor(std::size_t arm) const noexcept {
    return sensors_[arm].sample >= 0;
  }
  [[nodiscard]] ForceSensing& sensing(std::size_t arm) noexcept { return state_.sensing[arm]; }
  [[nodiscard]] const ForceSensing& sensing(std::size_t arm) const noexcept {
    return state_.sensing[arm];
  }

  /// One cycle, after the model was placed.
  /// @param detects  collision detection is on: it needs the momentum
  void advance(const RobotState& state, PlacedModel& model, Joints joints,
               std::span<const ArmSetup> arms, std::span<const ArmControl> controls, bool detects,
               EventReporter& events) noexcept;

  /// Of this cycle, by joint.
  [[nodiscard]] std::span<const ExternalTorque> torques() const noexcept { return torques_; }
  /// The same with the gain of collision detection [N·m or N].
  [[nodiscard]] double quick_torque(std::size_t joint) const noexcept {
    return state_.quick[joint].external();
  }
  /// Of an arm, as its sensor has it: the external wrench isn't in it.
  [[nodiscard]] const ArmForces& of_arm(std::size_t arm) const noexcept { return forces_[arm]; }

  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state) { state_ = state; }

 private:
  struct SensorPlace {
    FrameId site;
    int sample = -1;  // which of RobotState::force_torque; -1: the backend reads none
  };

  void observe(PlacedModel& model, Joints joints, std::span<const ArmSetup> arms,
               std::span<const ArmControl> controls) noexcept;
  [[nodiscard]] bool take_payloads(std::span<const ArmSetup> arms,
                                   std::span<const ArmControl> controls) noexcept;
  [[nodiscard]] double acting_torque(std::size_t joint, const PlacedModel& model,
                                     Joints joints) noexcept;
  void read_sensor(std::size_t arm, const RobotState& state, const RobotModel& model,
                   const ArmSetup& setup, const KnownPayload& payload,
                   EventReporter& events) noexcept;
  [[nodiscard]] Vector6 weight_on_sensor(std::size_t arm, const FramePose& site,
                                         const RobotModel& model, const ArmSetup& setup,
                                         const KnownPayload& payload) const noexcept;
  void report(std::size_t arm, const ForceSensing::Outcome& outcome,
              EventReporter& events) const noexcept;

  double dt_;                                     // s
  double share_ = 0.0;                            // 1 − e^{−K dt}; 0: none is observed
  double quick_share_;                            // of kContactGain in a cycle
  std::vector<FrictionConfig> friction_;          // by joint, as the observer has it
  std::vector<SensorPlace> sensors_;              // by arm
  std::vector<RobotModel::CarriedMass> carried_;  // room for one of each arm
  std::vector<ExternalTorque> torques_;           // by joint, of this cycle
  std::vector<ArmForces> forces_;                 // by arm, of this cycle
  State state_;
};

}  // namespace jointrig
