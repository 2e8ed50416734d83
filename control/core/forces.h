#pragma once
/// What acts on a robot beside its motors: words of an arm's force/torque sensor, and of the
/// torques that are worked out where there is none.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "control/core/enumeration.h"

namespace jointrig {

/// Of a tool: linear x y z, then angular.
using Six = std::array<double, 6>;

/// The estimate of torques that no motor makes (control/laws/momentum_observer.h).
struct ExternalTorqueConfig {
  double gain = 30.0;    ///< K: the estimate follows with the time constant 1/K [1/s]; 0: none
  bool friction = true;  ///< what the joints' friction takes is no external torque
  bool operator==(const ExternalTorqueConfig&) const = default;
};

/// How the force/torque sensor of an arm is.
#define JOINTRIG_FORCE_SENSOR_STATES(X)                                                       \
  X(kNone, "none") /* the arm has none, or its backend reads none              */             \
  X(kGood, "good")                                                                            \
  X(kSaturated, "saturated")  /* a component is at the end of its range: more may be there */ \
  X(kStale, "stale")          /* no fresh sample for a while: the last one is carried on  */  \
  X(kNotFinite, "not_finite") /* likewise, since what comes is no number                  */  \
  X(kFrozen, "frozen")        /* likewise: it repeats itself while the weight on it turns         */
JOINTRIG_ENUM(ForceSensorState, JOINTRIG_FORCE_SENSOR_STATES)

/// The force/torque sensor of an arm: a site of the MJCF that carries a force and a torque sensor.
struct ForceSensorConfig {
  std::string site;                     ///< empty: the arm has none
  std::optional<double> mass;           ///< that hangs on it [kg]; absent: the model's
  std::array<double, 3> centre{};       ///< of `mass`, in the frame of the site [m]
  double filter_hz = 30.0;              ///< cut-off of its low-pass, first order; 0: none
  double force_max = 0.0;               ///< end of its range per axis [N]; 0: none
  double torque_max = 0.0;              ///< likewise [N·m]
  double force_noise = 0.0;             ///< of the simulated one, standard deviation [N]
  double torque_noise = 0.0;            ///< likewise [N·m]
  std::array<double, 3> force_bias{};   ///< of the simulated one, in its frame [N]
  std::array<double, 3> torque_bias{};  ///< likewise [N·m]
  bool operator==(const ForceSensorConfig&) const = default;
};

/// Wrenches on the tool of an arm in one cycle: of what is around it, at the origin of the tool
/// frame; what the controller knows of, tool and payload, is out. Along the axes of the arm's base
/// and of the tool.
struct ArmForces {
  Six sensed{};            ///< by the sensor, filtered, base axes [N, N·m]; 0 where there is none
  Six sensed_tool{};       ///< the same, tool axes
  Six external{};          ///< by the observer, base axes [N, N·m]
  Six external_tool{};     ///< the same, tool axes
  Six bias{};              ///< taken off the sensor, in its own frame: what tare has found
  double filter_hz = 0.0;  ///< cut-off now [Hz]
  ForceSensorState sensor = ForceSensorState::kNone;
  bool taring = false;        ///< samples for it are being taken
  bool has_external = false;  ///< the torque of every joint of the arm is known
  std::array<std::uint8_t, 5> spare{};

  bool operator==(const ArmForces&) const = default;
};

}  // namespace jointrig
