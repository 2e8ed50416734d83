#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/core/capabilities.h"
#include "harness/runner/scenario.h"
#include "harness/runner/world.h"

namespace jointrig::harness {

/// Abilities of a run.
struct Offer {
  std::string backend;                                     ///< "sim", "kinematic", ...
  const std::vector<JointCapabilities>* boards = nullptr;  ///< in the order of the robot's joints
  bool has_world = false;
  std::size_t force_torque_sensors = 0;
  bool takes_plans = true;  ///< trajectories can be handed to its loop
};

/// Returns the reason to skip a scenario that can't run here; nullopt if it can. Throws FileError
/// for an unknown word in `requires`.
///
///     sim                      the backend is sim
///     torque, duty, velocity   every commanded joint has a board that takes it
///     impedance                likewise torque or impedance
///     calibration              likewise a board with a status machine
///     faults, disturbances     there is a simulated world
///     truth                    there is a simulated world
///     force_torque             the robot has such a sensor
///
/// @param commanded joints that the scenario's steps command; none: all
std::optional<std::string> reason_to_skip(const Scenario& scenario, const Offer& offer,
                                          const JointSet& commanded);

/// The requirements that don't concern joints: backends, world.
std::optional<std::string> reason_to_skip(const Scenario& scenario, const Offer& offer);

}  // namespace jointrig::harness
