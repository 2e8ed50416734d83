#pragma once
/// The drive modes of a board, and the other abilities that differ from board to board.

#include <cstdint>
#include <initializer_list>
#include <string>

#include "control/core/modes.h"
#include "control/core/types.h"

namespace jointrig {

/// A set of drive modes.
class DriveModes {
 public:
  constexpr DriveModes() noexcept = default;
  constexpr DriveModes(std::initializer_list<DriveMode> modes) noexcept {
    for (const DriveMode mode : modes) bits_ |= bit(mode);
  }
  constexpr void add(DriveMode mode) noexcept { bits_ |= bit(mode); }
  constexpr void remove(const DriveModes& others) noexcept { bits_ &= ~others.bits_; }
  [[nodiscard]] constexpr bool has(DriveMode mode) const noexcept {
    return (bits_ & bit(mode)) != 0;
  }
  bool operator==(const DriveModes&) const = default;

 private:
  static constexpr std::uint32_t bit(DriveMode mode) noexcept {
    return 1U << static_cast<unsigned>(mode);
  }
  std::uint32_t bits_ = 0;
};

/// What the board of one joint can do. The stack completes what is missing where it can (velocity
/// from position, say) and refuses the rest when it is built or when the mode is asked for.
struct JointCapabilities {
  std::string joint;       ///< name, as in the robot file
  DriveModes drive_modes;  ///< kOff missing: the motor can't be turned off, idle holds instead
  bool senses_velocity = false;  ///< else the stack differentiates and filters q
  bool senses_torque = false;
  bool reports_status = false;       ///< else the joint counts as enabled whenever it is driven
  bool needs_calibration = false;    ///< starts as configured; calib_done before it may drive
  bool compensates_gravity = false;  ///< torque setpoints go on top of the board's own compensation
  std::string bus = {};              ///< that it is on, for messages; empty: on none
  TimeNs cycle_ns = 0;  ///< from one command to the next; 0: each cycle of the loop has one
};

/// A law that the stack closes by torque, and an envelope that it keeps by torque, are fit for
/// boards that hear it no less often than this.
inline constexpr TimeNs kLongestTorqueCycle = 2'000'000;

/// Drive modes of a board that the stack may use: without torque and duty where it is commanded
/// less often than kLongestTorqueCycle.
[[nodiscard]] inline DriveModes usable_modes(const JointCapabilities& board) noexcept {
  DriveModes usable = board.drive_modes;
  if (board.cycle_ns > kLongestTorqueCycle) usable.remove({DriveMode::kTorque, DriveMode::kDuty});
  return usable;
}

}  // namespace jointrig
