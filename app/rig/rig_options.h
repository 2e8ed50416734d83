#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

#include "app/boards/local_boards.h"
#include "control/backend.h"
#include "control/core/robot_config.h"
#include "sim/pacer.h"
#include "sim/plant_model.h"

namespace jointrig::app {

struct RigOptions {
  /// Backend of the whole robot; none: as its file says, which may name one for each part.
  std::optional<BackendKind> backend = std::nullopt;
  /// Makes a backend that none of the kinds is, in the place of `backend`; empty: none.
  std::function<std::unique_ptr<Backend>(const RobotConfig&)> driver{};
  sim::PlantOptions plant;
  BusPlan bus_plan{.own_buses = true};  ///< for backend boards
  bool held_until_driven = false;       ///< for sim, see SimOptions
  sim::Pacer* pacer = nullptr;  ///< null: as fast as possible; on buses: as fast as the boards can
  /// Initial factor on all speeds; none: robot.yaml's on real drives, else 1.
  std::optional<double> speed_override = std::nullopt;
  /// For hw: set by another thread, it ends a start that waits for boards.
  const std::atomic<bool>* give_up = nullptr;
  bool wiggle_check = true;  ///< true: real drives start only after a passed wiggle test
};

}  // namespace jointrig::app
