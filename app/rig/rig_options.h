#pragma once

#include <optional>

#include "app/boards/local_boards.h"
#include "control/core/robot_config.h"
#include "sim/pacer.h"
#include "sim/plant_model.h"

namespace jointrig::app {

struct RigOptions {
  BackendKind backend = BackendKind::kSim;
  sim::PlantOptions plant;
  BusPlan bus_plan{};              ///< of backend boards
  bool held_until_driven = false;  ///< of sim, see SimOptions
  sim::Pacer* pacer = nullptr;     ///< null: as fast as it can; on buses: as fast as the boards can
  /// The factor on all speeds at the start; none: robot.yaml's on real drives, else 1.
  std::optional<double> speed_override = std::nullopt;
  bool wiggle_check = true;  ///< real drives start only where they have passed that test
};

}  // namespace jointrig::app
