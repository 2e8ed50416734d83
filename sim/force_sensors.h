#pragma once
/// The force/torque sensors of a simulated robot: what the physics has, with the faults of a real
/// one.

#include <vector>

#include "control/core/robot_config.h"
#include "control/core/robot_io.h"
#include "sim/board/random.h"

namespace jointrig {

/// A reading is the true wrench plus the sensor's bias plus noise, no further than its range:
///
///     reading = clamp(true + bias + noise, ± range)      per axis
///
/// as the arms' settings have it (ForceSensorConfig); a sensor of no arm reads what is true.
class SimForceSensors {
 public:
  using Readings = FixedVector<ForceTorqueState, kMaxForceTorqueSensors>;

  /// @param sites  of the plant's sensors, in the order of its readings
  SimForceSensors(const RobotConfig& robot, const std::vector<std::string>& sites);

  /// Once a cycle.
  void sample(const Readings& truth) noexcept;
  [[nodiscard]] const Readings& readings() const noexcept { return state_.readings; }

  /// All that changes.
  struct State {
    Random random;
    Readings readings;
  };
  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state) noexcept { state_ = state; }
  template <typename Hash>
  void add_to(Hash& hash) const noexcept {
    if (!settings_.empty()) hash.add(state_.random.state());
  }

 private:
  [[nodiscard]] double read(double truth, double bias, double noise, double range) noexcept;

  std::vector<ForceSensorConfig> settings_;  ///< by sensor
  State state_;
};

}  // namespace jointrig
