#pragma once
/// The force/torque sensors of a simulated robot: values of the physics, with the errors of real
/// sensors.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/robot_io.h"
#include "sim/board/random.h"

namespace jointrig::sim {

/// Faults that can be injected into a simulated sensor while it runs: word, effect. They take no
/// value.
#define JOINTRIG_SIM_SENSOR_FAULTS(X)                                 \
  X(kStale, "stale", "no sample comes: the last one is held")         \
  X(kFrozen, "frozen", "its last sample repeats as if it were fresh") \
  X(kBroken, "broken", "it tells a fault of its own: no sample is valid")
JOINTRIG_ENUM(SimSensorFault, JOINTRIG_SIM_SENSOR_FAULTS)

#define JOINTRIG_SIM_SENSOR_FAULT_TEXT(member, word, sentence) std::string_view{sentence},
/// Effect, as a sentence.
constexpr std::string_view describe(SimSensorFault fault) noexcept {
  constexpr std::array kTexts{JOINTRIG_SIM_SENSOR_FAULTS(JOINTRIG_SIM_SENSOR_FAULT_TEXT)};
  return kTexts[static_cast<std::size_t>(fault)];
}

/// A reading is the true wrench plus the sensor's bias plus noise, limited to its range:
///
///     reading = clamp(true + bias + noise, ± range)      per axis
///
/// with the arms' settings (ForceSensorConfig); a sensor of no arm reads the true wrench.
class SimForceSensors {
 public:
  using Readings = FixedVector<ForceTorqueState, kMaxForceTorqueSensors>;

  /// @param sites sites of the plant's sensors, in the order of its readings
  SimForceSensors(const RobotConfig& robot, const std::vector<std::string>& sites);

  /// Call once a cycle.
  void sample(const Readings& truth) noexcept;
  [[nodiscard]] const Readings& readings() const noexcept { return state_.readings; }

  /// The sensor at a site, or nothing if the plant has none there.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view site) const noexcept;
  /// The sensor tells a fault of its own.
  [[nodiscard]] bool is_broken(std::size_t sensor) const noexcept {
    return state_.faults[sensor].has(SimSensorFault::kBroken);
  }
  /// Injects a fault from the next sample on, or ends it.
  void inject(std::size_t sensor, SimSensorFault fault, bool on) noexcept {
    state_.faults[sensor].set(fault, on);
  }

  /// State while it runs.
  struct State {
    Random random;
    Readings readings;
    std::array<FewBits<SimSensorFault>, kMaxForceTorqueSensors> faults{};
  };
  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state) noexcept { state_ = state; }
  template <typename Hash>
  void add_to(Hash& hash) const noexcept {
    if (!settings_.empty()) hash.add(state_.random.state());
  }

 private:
  [[nodiscard]] double read(double truth, double bias, double noise, double range) noexcept;

  void hold(std::size_t n, const Readings& before) noexcept;

  std::vector<std::string> sites_;           ///< by sensor
  std::vector<ForceSensorConfig> settings_;  ///< by sensor
  State state_;
};

}  // namespace jointrig::sim
