#pragma once
/// Words of the Cartesian drive of a tool (control/planning/cartesian_drive.h), for events and
/// snapshots.

#include <array>
#include <cstdint>

#include "control/core/enumeration.h"
#include "control/core/types.h"

namespace jointrig {

/// Longest time to live of a DriveTool: a choice. A client that drives longer repeats the command.
inline constexpr double kLongestDrive = 600.0;  ///< s

/// News of a drive. These hold it back, and come with the joint, its value and its limit:
///
///     position    a joint comes to the end of its range [rad or m]
///     speed       a joint would have to be faster than it may be [rad/s or m/s]
///     singular    the tool comes near to a singular pose: smallest singular value [m/rad]
///     reach       no joint positions lead on: value = share of the velocity that is had
///
///     free        it has the velocity again
///     lapsed      its time to live is over: value = limit = that time [s]
///     stopped     by the command stop
#define JOINTRIG_DRIVE_CHANGES(X) \
  X(kFree, "free")                \
  X(kPosition, "position")        \
  X(kSpeed, "speed")              \
  X(kSingular, "singular")        \
  X(kReach, "reach")              \
  X(kLapsed, "lapsed")            \
  X(kStopped, "stopped")
JOINTRIG_ENUM(DriveChange, JOINTRIG_DRIVE_CHANGES)

/// True if the drive can't have its velocity.
constexpr bool holds_back(DriveChange change) noexcept {
  return change >= DriveChange::kPosition && change <= DriveChange::kReach;
}

/// The drive of an arm's tool in one cycle; velocities along the axes of the arm's base.
struct DriveSnapshot {
  std::array<double, 6> wanted{};  ///< as asked for, at the speed override [m/s, rad/s]
  std::array<double, 6> had{};     ///< of the marker that the joints follow [m/s, rad/s]
  double share = 0.0;              ///< |had| / |wanted|, at most 1
  double left = 0.0;               ///< time to live [s]
  bool is_on = false;              ///< it drives, or brakes to its end
  DriveChange held_by = DriveChange::kFree;
  std::array<std::uint8_t, 6> spare{};

  bool operator==(const DriveSnapshot&) const = default;
};
static_assert(sizeof(DriveSnapshot) % 8 == 0);

}  // namespace jointrig
