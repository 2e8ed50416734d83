#pragma once
/// The force/torque sensors and IMUs of a simulated robot: values of the physics, with the errors
/// of real sensors.

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
#define JOINTRIG_SIM_SENSOR_FAULTS(X)                                     \
  X(kStale, "stale", "no sample comes: the last one is held")             \
  X(kFrozen, "frozen", "its last sample repeats as if it were fresh")     \
  X(kBroken, "broken", "it tells a fault of its own: no sample is valid") \
  X(kNoNumber, "no_number", "its samples are fresh, and no numbers")      \
  X(kSaturated, "saturated", "its first axis stands at the end of its range")
JOINTRIG_ENUM(SimSensorFault, JOINTRIG_SIM_SENSOR_FAULTS)

#define JOINTRIG_SIM_SENSOR_FAULT_TEXT(member, word, sentence) std::string_view{sentence},
/// Effect, as a sentence.
constexpr std::string_view describe(SimSensorFault fault) noexcept {
  constexpr std::array kTexts{JOINTRIG_SIM_SENSOR_FAULTS(JOINTRIG_SIM_SENSOR_FAULT_TEXT)};
  return kTexts[static_cast<std::size_t>(fault)];
}

/// A sample of a sensor of either kind: force and torque, or acceleration and angular velocity.
struct SixAxes {
  std::array<double, 3> first{};
  std::array<double, 3> second{};
  std::uint32_t missed = 0;  ///< samples since the last fresh one
};

/// A reading is the truth plus the sensor's bias plus noise, limited to its range:
///
///     reading = clamp(true + bias + noise, ± range)      per axis
///
/// with the settings of its arm, its foot or the whole body's IMU; a sensor that the robot's file
/// doesn't name reads the truth. Sensors count on: force/torque sensors, then IMUs.
class SimSensors {
 public:
  using Forces = FixedVector<ForceTorqueState, kMaxForceTorqueSensors>;
  using Imus = FixedVector<ImuState, kMaxImus>;

  /// @param force_sites, imu_sites  of the plant's sensors, in the order of its readings
  SimSensors(const RobotConfig& robot, const std::vector<std::string>& force_sites,
             const std::vector<std::string>& imu_sites);

  /// Takes the truth. Call once a cycle.
  void sample(const Forces& forces, const Imus& imus) noexcept;
  [[nodiscard]] const Forces& readings() const noexcept { return state_.forces; }
  [[nodiscard]] const Imus& imus() const noexcept { return state_.imus; }
  /// Reading of one sensor.
  [[nodiscard]] SixAxes reading(std::size_t sensor) const noexcept;

  /// The sensor at a site, or nothing if the plant has none there.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view site) const noexcept;
  [[nodiscard]] std::optional<std::size_t> find_imu(std::string_view site) const noexcept;
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
    Forces forces;
    Imus imus;
    std::array<FewBits<SimSensorFault>, kMaxForceTorqueSensors + kMaxImus> faults{};
  };
  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state) noexcept { state_ = state; }
  template <typename Hash>
  void add_to(Hash& hash) const noexcept {
    if (!settings_.empty()) hash.add(state_.random.state());
  }

 private:
  /// Errors of one of its two triples.
  struct Errors {
    std::array<double, 3> bias{};
    double noise = 0.0;
    double range = 0.0;
  };
  struct Settings {
    Errors first, second;
  };

  [[nodiscard]] std::array<double, 3> read(const std::array<double, 3>& truth,
                                           const Errors& errors) noexcept;
  [[nodiscard]] SixAxes sample(std::size_t sensor, const SixAxes& truth) noexcept;

  std::vector<std::string> sites_;  ///< by sensor
  std::size_t first_imu_;           ///< of the sensors
  std::vector<Settings> settings_;  ///< by sensor
  State state_;
};

}  // namespace jointrig::sim
