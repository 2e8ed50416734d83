#pragma once
/// Forces on a robot beside its motors: an arm's force/torque sensor, and the estimate of external
/// torques where there is no sensor.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "control/core/enumeration.h"

namespace jointrig {

/// Six numbers of a tool: linear x y z, then angular.
using Six = std::array<double, 6>;

/// Settings of the external torque estimate (control/laws/momentum_observer.h).
struct ExternalTorqueConfig {
  double gain = 30.0;    ///< K: the estimate follows with the time constant 1/K [1/s]; 0: none
  bool friction = true;  ///< true: the joints' friction is subtracted from the external torque
  bool operator==(const ExternalTorqueConfig&) const = default;
};

/// Condition of a force/torque sensor or an IMU.
#define JOINTRIG_FORCE_SENSOR_STATES(X)                                                       \
  X(kNone, "none") /* there is none, or the backend reads none                 */             \
  X(kGood, "good")                                                                            \
  X(kSaturated, "saturated")  /* a component is at the end of its range: more may be there */ \
  X(kStale, "stale")          /* no fresh sample for a while: the last one is carried on  */  \
  X(kNotFinite, "not_finite") /* likewise, since what comes is no number                  */  \
  X(kFrozen, "frozen")        /* likewise: it repeats itself while it is turned */
JOINTRIG_ENUM(ForceSensorState, JOINTRIG_FORCE_SENSOR_STATES)

/// The node of a sensor on a CANopen bus, as in robot.yaml: plain data. The stack does not use it.
struct SensorNodeConfig {
  std::string bus;  ///< name in RobotConfig::buses; empty: it is on none
  int node = 0;     ///< node number on the bus
  std::optional<std::uint32_t> vendor, product, revision, serial;  ///< 1018h; absent: any
  bool operator==(const SensorNodeConfig&) const = default;
};

/// The force/torque sensor of an arm: a site of the MJCF that carries a force and a torque sensor.
struct ForceSensorConfig {
  std::string site;                    ///< empty: the arm has none
  std::optional<double> mass;          ///< mass behind the sensor [kg]; absent: the model's
  std::array<double, 3> centre{};      ///< centre of `mass`, in the frame of the site [m]
  double filter_hz = 30.0;             ///< cut-off of its low-pass, first order; 0: none
  double force_max = 0.0;              ///< range of each force axis [N]; 0: none
  double torque_max = 0.0;             ///< range of each torque axis [N·m]; 0: none
  double force_noise = 0.0;            ///< noise of the simulated sensor, standard deviation [N]
  double torque_noise = 0.0;           ///< noise of the simulated sensor, standard deviation [N·m]
  std::array<double, 3> force_bias{};  ///< bias of the simulated sensor, in its frame [N]
  std::array<double, 3> torque_bias{};  ///< bias of the simulated sensor, in its frame [N·m]
  SensorNodeConfig device;              ///< where backend hw reads it
  bool operator==(const ForceSensorConfig&) const = default;
};

/// An inertial measurement unit: a site of the MJCF that carries an accelerometer and a gyro.
struct ImuConfig {
  std::string site;                               ///< empty: there is none
  double acceleration_max = 0.0;                  ///< range of each axis [m/s²]; 0: none
  double angular_velocity_max = 0.0;              ///< range of each axis [rad/s]; 0: none
  double acceleration_noise = 0.0;                ///< of the simulated one, deviation [m/s²]
  double angular_velocity_noise = 0.0;            ///< of the simulated one, deviation [rad/s]
  std::array<double, 3> acceleration_bias{};      ///< of the simulated one, in its frame [m/s²]
  std::array<double, 3> angular_velocity_bias{};  ///< of the simulated one, in its frame [rad/s]
  SensorNodeConfig device;                        ///< where backend hw reads it
  bool operator==(const ImuConfig&) const = default;
};

/// Wrenches of the surroundings on an arm's tool in one cycle, at the origin of the tool frame,
/// without the known weight of tool and payload. Along the axes of the arm's base and along those
/// of the tool.
struct ArmForces {
  Six sensed{};       ///< measured by the sensor, filtered, base axes [N, N·m]; 0 without a sensor
  Six sensed_tool{};  ///< the same, tool axes
  Six external{};     ///< estimated by the observer, base axes [N, N·m]
  Six external_tool{};  ///< the same, tool axes
  Six bias{};  ///< subtracted from the sensor's reading, in its own frame: the result of tare
  double filter_hz = 0.0;  ///< present cut-off [Hz]
  ForceSensorState sensor = ForceSensorState::kNone;
  bool taring = false;        ///< a tare is collecting samples
  bool has_external = false;  ///< the external torque of every joint of the arm is known
  std::array<std::uint8_t, 5> spare{};

  bool operator==(const ArmForces&) const = default;
};

}  // namespace jointrig
