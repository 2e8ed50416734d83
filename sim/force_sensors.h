#pragma once
/// The force/torque sensors of a simulated robot: what the physics has, with the faults of a real
/// one.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/robot_io.h"
#include "sim/board/random.h"

namespace jointrig::sim {

/// Faults that can be injected into a simulated sensor while it runs: word, what happens. They take
/// no value.
#define JOINTRIG_SIM_SENSOR_FAULTS(X)                        \
  X(kStale, "stale", "no sample comes: the last one stands") \
  X(kFrozen, "frozen", "its last sample comes again and again, as if fresh")
JOINTRIG_ENUM(SimSensorFault, JOINTRIG_SIM_SENSOR_FAULTS)

#define JOINTRIG_SIM_SENSOR_FAULT_TEXT(member, word, sentence) std::string_view{sentence},
/// What happens, in words.
constexpr std::string_view describe(SimSensorFault fault) noexcept {
  constexpr std::array kTexts{JOINTRIG_SIM_SENSOR_FAULTS(JOINTRIG_SIM_SENSOR_FAULT_TEXT)};
  return kTexts[static_cast<std::size_t>(fault)];
}

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

  /// The sensor at a site; nothing where the plant has none there.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view site) const noexcept;
  /// From the next sample on, until it is taken off again.
  void inject(std::size_t sensor, SimSensorFault fault, bool on) noexcept {
    state_.faults[sensor].set(fault, on);
  }

  /// All that changes.
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
  std::vector<ForceSensorConfig> settings_;  ///< likewise
  State state_;
};

}  // namespace jointrig::sim
