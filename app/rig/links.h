#pragma once
/// The backend on a robot's own buses.

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "control/core/robot_config.h"
#include "hw/driver/hw_backend.h"

namespace jointrig::app {

struct LinkOptions {
  hw::Timing timing = hw::Timing::kPaced;
  std::optional<std::uint32_t> boards_token;   ///< token of the virtual boards; none: real boards
  const std::atomic<bool>* give_up = nullptr;  ///< as HwOptions::give_up
};

/// Opens the buses of robot.yaml. Throws std::invalid_argument with all wiring_problems(), or
/// can::OpenError with the name of the bus.
[[nodiscard]] std::unique_ptr<hw::HwBackend> open_hw_backend(const RobotConfig& robot,
                                                             const LinkOptions& options);

}  // namespace jointrig::app
