#pragma once
/// Every switch from mode to mode of a joint in MuJoCo, in every situation that makes switches go
/// wrong, and how much torque and position stepped: the table of docs/mode-switches.md and its
/// test.

#include <string>
#include <vector>

#include "control/core/enumeration.h"
#include "control/core/modes.h"

namespace jointrig::testing {

#define JOINTRIG_SITUATIONS(X)                                                               \
  X(kAtRest, "at rest")               /* no load: a joint with a vertical axis            */ \
  X(kMoving, "moving")                /* the mode's own command drives it                 */ \
  X(kGravityLoaded, "gravity-loaded") /* holding the stretched arm                        */ \
  X(kSaturated, "saturated")          /* pressed against a wall at its torque limit       */ \
  X(kRecovered, "just recovered")     /* out of hw_fault, under gravity, by force_idle    */
JOINTRIG_ENUM(Situation, JOINTRIG_SITUATIONS)

/// A control mode with its interaction mode where that matters.
struct Stand {
  ControlMode mode = ControlMode::kIdle;
  InteractionMode interaction = InteractionMode::kStiff;
  [[nodiscard]] std::string name() const;
};
std::vector<Stand> all_stands();

struct Switch {
  Situation situation{};
  Stand from;
  Stand to;
  bool was_reached = false;  ///< the situation could be had in this mode
  double torque_step =
      0.0;  ///< largest step of the motor's torque from one cycle to the next [N·m]
  double torque_step_max = 0.0;  ///< what the torque rate allows [N·m]
  double reference_step =
      0.0;                    ///< largest step of the position reference beyond its velocity [rad]
  double speed_before = 0.0;  ///< of the joint at the switch [rad/s]
  double travel = 0.0;        ///< furthest from where it was, in the half second after [rad]
  int faults = 0;             ///< that the switch caused
  double travel_max = 0.0;    ///< that braking, sagging or springing back explains [rad]
};

/// Runs one switch on the Franka arm. Deterministic.
Switch run_switch(Situation situation, const Stand& from, const Stand& to);

/// Every pair in every situation.
std::vector<Switch> run_all_switches();

}  // namespace jointrig::testing
