#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/core/capabilities.h"
#include "harness/runner/scenario.h"
#include "harness/runner/world.h"

namespace jointrig::harness {

/// What a run has to offer a scenario.
struct Offer {
  std::string backend;                                     ///< "sim", "kinematic", ...
  const std::vector<JointCapabilities>* boards = nullptr;  ///< in the order of the robot's joints
  bool has_world = false;
  std::size_t force_torque_sensors = 0;
};

/// Why a scenario can't run here and is skipped; nullopt where it can. Throws FileError for a word
/// in `requires` that means nothing.
///
///     sim                      the backend is sim
///     torque, duty, velocity   every joint that is commanded has a board that takes it
///     impedance                likewise torque or impedance
///     calibration              likewise a board with a status machine
///     faults, disturbances     there is a simulated world to inject them into
///     truth                    likewise, to judge by
///     force_torque             the robot has such a sensor
///
/// @param commanded  joints that the scenario's steps command; none: all of them
std::optional<std::string> reason_to_skip(const Scenario& scenario, const Offer& offer,
                                          const JointSet& commanded);

/// The part of that which needs no joints: backends, world.
std::optional<std::string> reason_to_skip(const Scenario& scenario, const Offer& offer);

}  // namespace jointrig::harness
