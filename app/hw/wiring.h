#pragma once
/// From the buses and drives of robot.yaml to those of the driver (hw/driver). Start-up only.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "hw/driver/hw_backend.h"

namespace jointrig {

/// 6502h of a drive that can be driven so. Homing is always there.
[[nodiscard]] std::uint32_t offered_modes(const DriveModes& modes) noexcept;

[[nodiscard]] hw::DriveFacts facts_of(const DriveConfig& drive);

/// Joints by bus, in the order of `buses`.
[[nodiscard]] std::vector<std::vector<std::size_t>> joints_by_bus(const RobotConfig& robot);

/// What keeps this robot from being driven over its buses, a sentence each: no buses, a joint
/// without a drive, limits that a drive can't express, a wire that is too slow for its frames.
[[nodiscard]] std::vector<std::string> wiring_problems(const RobotConfig& robot);

/// A joint as the driver takes it.
/// @param bench_token  of the virtual boards it must be one of (2011h); none: a real drive
/// @param patient      silence is told by cycles alone, not by the clock: for boards in lockstep,
///                     where a cycle may take as long as it takes
[[nodiscard]] hw::HwJoint driver_joint(const RobotConfig& robot, std::size_t joint,
                                       std::optional<std::uint32_t> bench_token,
                                       bool patient = false);

}  // namespace jointrig
